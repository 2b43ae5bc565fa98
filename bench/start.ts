import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemRandom } from "../sandbox/state/random.ts";
import { ENGINE_FLAGS, START_PARAMS } from "../src/store/embedded.ts";
import { findFreePort } from "../src/wiring/process/free-port.ts";
import { type Figure, median, ms } from "./figures.ts";
import { startPostgres } from "./postgres.ts";

const BUILT = join(import.meta.dirname, "../dist/cli/tollgate.js");
const FLOOR = join(import.meta.dirname, "bare-start.js");
const SECRET = "a-secret-for-the-bench-only";
const ROUNDS = 3;
const VERSIONS = 9;
/** Tollgate saves its compiled code ten seconds after its start; in ms. */
const SAVED_MS = 12_000;
const LONGEST_START_MS = 120_000;
/** V8 gives back what its young generation took during the start within four minutes; in ms. */
const IDLE_MS = 240_000;

type Environment = Readonly<Record<string, string>>;

interface Start {
  /** From the process's start to its first stored delivery, in ms. */
  readonly ms: number;
  /** Resident memory two seconds later or when `measureStart` says, and the most until then; null where the system does not report it. In MB. */
  readonly memory: { readonly idle: number; readonly peak: number } | null;
}

/** Starts a program, sends deliveries until one is accepted, and kills it. */
async function measureStart(program: string, environment: Environment, idleMs = 2_000): Promise<Start> {
  const port = await findFreePort();
  const env = { ...environment, PATH: process.env["PATH"] ?? "", PORT: String(port), HOST: "127.0.0.1" };
  const began = performance.now();
  const child = spawn(process.execPath, [program, "start"], { env, stdio: "ignore" });
  try {
    while (!(await isAccepted(port))) {
      if (child.exitCode !== null || performance.now() - began > LONGEST_START_MS)
        throw new Error(`${program} does not start`);
      await sleep(5);
    }
    const took = performance.now() - began;
    await sleep(idleMs);
    return { ms: took, memory: readMemory(child) };
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function isAccepted(port: number): Promise<boolean> {
  const account = { id: 2, login: "acme" };
  const body = JSON.stringify({
    action: "suspend",
    installation: { id: 1, repository_selection: "all", account },
  });
  const headers = {
    "content-type": "application/json",
    "x-github-event": "installation",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  return answer?.status === 200;
}

function readMemory({ pid }: ChildProcess): Start["memory"] {
  if (!existsSync(`/proc/${pid}/status`)) return null;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { idle: read("VmRSS"), peak: read("VmHWM") };
}

const medianMs = (starts: readonly Start[]): string => ms(median(starts.map((start) => start.ms)));
const medianMb = (starts: readonly Start[], which: "idle" | "peak"): string =>
  `${Math.round(median(starts.flatMap(({ memory }) => memory?.[which] ?? [])))} MB`;

interface Rounds {
  readonly fresh: readonly Start[];
  readonly existing: readonly Start[];
}

/** Starts on a new data directory and once more on the same, by turns. */
async function startTwice(program: string, base: Environment, directory: string): Promise<Rounds> {
  const fresh: Start[] = [];
  const existing: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const environment = { ...base, TOLLGATE_DATA: mkdtempSync(join(directory, "data-")) };
    fresh.push(await measureStart(program, environment));
    existing.push(await measureStart(program, environment));
  }
  return { fresh, existing };
}

/** How soon after `tollgate start` the first delivery is stored, and how much memory it takes: the built package. */
export async function start(): Promise<readonly Figure[]> {
  if (!existsSync(BUILT))
    return [{ what: "measures the built package", value: "npm run build first", goal: "–" }];
  const directory = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const { privateKey } = await systemRandom.keyPair();
  const base = {
    APP_ID: "1",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: "http://127.0.0.1:9",
    LOG_LEVEL: "silent",
    NODE_COMPILE_CACHE: join(directory, "compiled"),
    TOLLGATE_DATA: join(directory, "first"),
    START_PARAMS: JSON.stringify(START_PARAMS),
    V8_FLAGS: JSON.stringify(ENGINE_FLAGS),
  };
  const first = await measureStart(BUILT, base, SAVED_MS);
  const own = await startTwice(BUILT, base, directory);
  const bare = await startTwice(FLOOR, base, directory);
  const postgres = await startOnPostgres(base, directory);
  // Idle processes do not disturb each other.
  const memory = await Promise.all([
    compareMemory("embedded", base, { own: own.existing, bare: bare.existing, goal: "≤ 200 MB" }),
    postgres && compareMemory("PostgreSQL", postgres.environment, { ...postgres, goal: "≤ 120 MB" }),
  ]);
  await postgres?.stop();
  const figures: readonly Figure[] = [
    { what: "first delivery stored, nothing compiled before", value: ms(first.ms), goal: "–" },
    { what: "… new data directory", value: medianMs(own.fresh), goal: "≤ 1500 ms" },
    {
      what: "… existing data directory",
      value: medianMs(own.existing),
      goal: "≤ 1000 ms",
      floor: medianMs(bare.existing),
    },
    ...(postgres === null
      ? []
      : [
          {
            what: "… PostgreSQL",
            value: medianMs(postgres.own),
            goal: "≤ 1000 ms",
            floor: medianMs(postgres.bare),
          },
        ]),
    ...memory.flatMap((some) => some ?? []),
    printVersion(base),
  ];
  rmSync(directory, { recursive: true, force: true });
  return figures;
}

interface Comparison {
  readonly own: readonly Start[];
  readonly bare: readonly Start[];
  readonly goal: string;
}

/** Memory right after the first delivery, and when idle. The floor is idle on a copy of the same data directory. */
async function compareMemory(
  engine: string,
  base: Environment,
  { own, bare, goal }: Comparison,
): Promise<readonly Figure[]> {
  const { TOLLGATE_DATA = "" } = base;
  const copy = `${TOLLGATE_DATA}-copy`;
  cpSync(TOLLGATE_DATA, copy, { recursive: true });
  const [ownIdle, bareIdle] = await Promise.all([
    measureStart(BUILT, base, IDLE_MS),
    measureStart(FLOOR, { ...base, TOLLGATE_DATA: copy }, IDLE_MS),
  ]);
  const floor = (starts: readonly Start[], which: "idle" | "peak") => ({ floor: medianMb(starts, which) });
  return [
    {
      what: `memory after the first delivery, ${engine}`,
      value: medianMb(own, "idle"),
      goal: "–",
      ...floor(bare, "idle"),
    },
    { what: `… at its peak, ${engine}`, value: medianMb(own, "peak"), goal: "–", ...floor(bare, "peak") },
    {
      what: `… idle for four minutes, ${engine}`,
      value: medianMb([ownIdle], "idle"),
      goal,
      ...floor([bareIdle], "idle"),
    },
  ];
}

/** Starts on a PostgreSQL that has all tables; null where none is installed. */
async function startOnPostgres(base: Environment, directory: string) {
  const server = await startPostgres();
  if (server === null) return null;
  const data = mkdtempSync(join(directory, "postgres-"));
  const environment = { ...base, TOLLGATE_DATA: data, DATABASE_URL: server.url };
  await measureStart(BUILT, environment, SAVED_MS); // creates the tables
  const own: Start[] = [];
  const bare: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await measureStart(BUILT, environment));
    bare.push(await measureStart(FLOOR, environment));
  }
  return { environment, own, bare, stop: () => server.stop() };
}

function printVersion(environment: Environment): Figure {
  const time = (...words: readonly string[]): string => {
    const samples = Array.from({ length: VERSIONS }, () => {
      const began = performance.now();
      const { status } = spawnSync(process.execPath, words, { env: environment });
      if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}`);
      return performance.now() - began;
    });
    return ms(median(samples));
  };
  const floor = `${time("--eval", "0")} node --eval 0`;
  return { what: "tollgate --version", value: time(BUILT, "--version"), goal: "≤ 100 ms", floor };
}
