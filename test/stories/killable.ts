import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { eventually } from "../world/eventually.ts";

export const REPOSITORY = "acme/shop";
const ROOT = join(import.meta.dirname, "../..");
/** `tollgate start`, as arguments of Node. */
const START = ["src/cli/main.ts", "start"];

/** A GitHub, and a Tollgate in a process of its own that can be killed. */
export interface Killable {
  readonly github: Sandbox;
  readonly appId: number;
  /** Where it takes deliveries. */
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** Its data directory. */
  readonly data: string;
  /** Starts it, and resolves when it listens; within 30 s when left out. */
  start(): Promise<ChildProcess>;
  /** Starts it, and does not wait until it listens. */
  spawn(): ChildProcess;
  /** The same command once more, on another port of the same data directory. */
  startBeside(): Promise<ChildProcess>;
  ends(): Promise<void>;
}

/** `kill -9`, and the process is gone. */
export async function kills(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

export interface KillableOptions {
  /** Settings over the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The operator's file, from what exists on GitHub. */
  readonly operator?: (github: Sandbox) => string;
  /** The embedded database when left out. */
  readonly databaseUrl?: string | null;
  /** What Node runs, from the project's directory; `tollgate start` when left out. */
  readonly command?: readonly string[];
}

export async function killable(policy: string, options: KillableOptions = {}): Promise<Killable> {
  const { databaseUrl = null, command = START, operator = () => "public_figures: false\n" } = options;
  const github = await createSandbox({ clock: systemClock, random: systemRandom });
  github.createOwner({ login: "acme", type: "organisation" });
  github.createRepository({ owner: "acme", name: "shop", files: { ".github/tollgate.yml": policy } });
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/github/webhooks`;
  const app = await github.registerApp({ name: "Tollgate", webhookUrl });
  github.installApp({ appId: app.id, owner: "acme" });
  const directory = mkdtempSync(join(tmpdir(), "tollgate kill "));
  const data = join(directory, "data");
  const settings = join(directory, "settings.yml");
  writeFileSync(settings, operator(github));
  const environment: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: new URL(github.url).host,
    GHE_PROTOCOL: "http",
    TOLLGATE_DATA: data,
    TOLLGATE_SETTINGS: settings,
    HOST: "127.0.0.1",
    PORT: String(port),
    LOG_LEVEL: "fatal", // `probot run` refuses "silent"
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...options.environment,
  };
  const running: ChildProcess[] = [];
  const spawned = (env: Record<string, string>): ChildProcess => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      env: { ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    running.push(child);
    return child;
  };
  const isUp = async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
    if (status !== 200) throw new Error(`/healthz answers ${status}`);
  };
  return {
    github,
    appId: app.id,
    webhookUrl,
    webhookSecret: app.webhookSecret,
    data,
    spawn: () => spawned(environment),
    start: async () => {
      const child = spawned(environment);
      await eventually(isUp);
      return child;
    },
    startBeside: async () => spawned({ ...environment, PORT: String(await findFreePort()) }),
    ends: async () => {
      for (const child of running.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      ))
        await kills(child);
      await github.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
