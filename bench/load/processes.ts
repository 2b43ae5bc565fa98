import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import type { Methods } from "./github-process.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Of the processor's time in /proc: USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

export type GitHubProcess = { readonly pid: number; stop(): void } & {
  readonly [Name in keyof Methods]: Methods[Name];
};

/** GitHub, the platform, people, CI and the balancer, in a process of their own. */
export function startGitHub(): GitHubProcess {
  const child = fork(join(import.meta.dirname, "github-process.ts"), {
    serialization: "advanced",
    execArgv: ["--max-old-space-size=8000"],
  });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  child.on("message", ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const answer = waiting.get(id);
    if (error === undefined) answer?.resolve(value);
    else answer?.reject(new Error(error));
  });
  const call = (method: keyof Methods) => (argument?: unknown) => {
    const id = waiting.size;
    const answer = Promise.withResolvers<never>();
    waiting.set(id, answer);
    child.send({ id, method, argument });
    return answer.promise;
  };
  return {
    pid: child.pid ?? 0,
    stop: () => child.kill(),
    open: call("open"),
    setTargets: call("setTargets"),
    play: call("play"),
    redeliver: call("redeliver"),
    observe: call("observe"),
  };
}

export type Role = "web" | "worker";

/** A process of Tollgate that can be killed and started again. */
export interface BotProcess {
  readonly role: Role;
  readonly port: number;
  /** Of all its lives, in seconds. */
  cpuSeconds(): number;
  rssMb(): number;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export async function createBotProcess(
  role: Role,
  {
    environment,
    program,
    log,
  }: { environment: Readonly<Record<string, string>>; program: string; log: string },
): Promise<BotProcess> {
  const port = await findFreePort();
  const env = { ...environment, PORT: String(port), HOST: "127.0.0.1", PATH: process.env["PATH"] ?? "" };
  let child: ChildProcess | null = null;
  let earlierSeconds = 0;
  const output = createWriteStream(log, { flags: "a" });
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    role,
    port,
    cpuSeconds: () => earlierSeconds + (child === null ? 0 : readCpuSeconds(child.pid)),
    rssMb: () => readRssMb(child?.pid),
    start: async () => {
      const started = spawn(process.execPath, [program, role === "web" ? "start" : "worker"], {
        cwd: ROOT,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      started.stdout.pipe(output, { end: false });
      started.stderr.pipe(output, { end: false });
      child = started;
      if (role !== "worker") await listens(port, started);
    },
    kill: async () => {
      if (child === null) return;
      earlierSeconds += readCpuSeconds(child.pid);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      child = null;
    },
  };
}

async function listens(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode} while starting`);
    const isUp = await fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error("a process did not listen within a minute");
}

/** Processor time of a process; with `withEnded` also that of its children that ended. In seconds. */
export function readCpuSeconds(pid: number | undefined, { withEnded = false } = {}): number {
  const fields = readStat(pid);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return (user + system + (withEnded ? endedUser + endedSystem : 0)) / TICKS_PER_SECOND;
}

/** The same of a process with all its children, those that ended too: PostgreSQL and its connections. */
export function readTreeCpuSeconds(pid: number): number {
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && readStat(Number(name))[1] === String(pid),
  );
  return children.reduce(
    (sum, child) => sum + readCpuSeconds(Number(child)),
    readCpuSeconds(pid, { withEnded: true }),
  );
}

/** Busy time of all processors of the machine since it started, in seconds. */
export function readMachineCpuSeconds(): number {
  const [user = 0, nice = 0, system = 0, _idle, _wait, irq = 0, softIrq = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .slice(0, 200)
    .split("\n", 1)
    .flatMap((line) => line.split(/\s+/).slice(1))
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
}

/** The fields of /proc/…/stat that follow the name: the state is the first. Empty: the process ended. */
function readStat(pid: number | undefined): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function readRssMb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
