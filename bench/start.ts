import { spawn, spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemRandom } from "../sandbox/state/random.ts";
import { ENGINE_FLAGS, START_PARAMS } from "../src/store/embedded.ts";
import { findFreePort } from "../src/wiring/process/free-port.ts";
import { type BenchEngine, createFolder } from "./engines.ts";
import type { Prepared } from "./measure.ts";

const BUILT = join(import.meta.dirname, "../dist/cli/tollgate.js");
const FLOOR = join(import.meta.dirname, "bare-start.js");
const SECRET = "a-secret-for-the-bench-only";
/** Tollgate saves its compiled code ten seconds after its start; in ms. */
const SAVED_MS = 12_000;
const LONGEST_START_MS = 120_000;

type Environment = Readonly<Record<string, string>>;

/** How soon after `tollgate start` the first delivery is stored: the built package. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  if (!existsSync(BUILT)) throw new Error("start measures the built package: npm run build first");
  const url = await engine.createUrl();
  const { privateKey } = await systemRandom.keyPair();
  const base = {
    APP_ID: "1",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: "http://127.0.0.1:9",
    LOG_LEVEL: "silent",
    NODE_COMPILE_CACHE: join(createFolder(), "compiled"),
    TOLLGATE_DATA: createFolder(),
    START_PARAMS: JSON.stringify(START_PARAMS),
    V8_FLAGS: JSON.stringify(ENGINE_FLAGS),
    ...(url !== null && { DATABASE_URL: url }),
  };
  const bare = { ...base, TOLLGATE_DATA: createFolder() };
  await measureStart(BUILT, base, SAVED_MS); // creates the tables, and compiles
  await measureStart(FLOOR, bare);
  const rounds = { rounds: 3, warmUp: 0 } as const;
  const fresh = () => measureStart(BUILT, { ...base, TOLLGATE_DATA: createFolder() });
  return {
    measures: [
      {
        ...{
          what: "start to first delivery stored, against the libraries alone",
          goal: "≤ 2.5 s",
          ...rounds,
        },
        run: () => measureStart(BUILT, base),
        floor: () => measureStart(FLOOR, bare),
      },
      ...(url === null
        ? [{ what: "… on a new data directory", goal: "≤ 2.5 s", ...rounds, run: fresh }]
        : []),
      {
        ...{ what: "tollgate --version, against node --eval 0", goal: "≤ 150 ms", rounds: 9 },
        run: () => runNode(base, BUILT, "--version"),
        floor: () => runNode(base, "--eval", "0"),
      },
    ],
  };
}

/** Starts a program, sends deliveries until one is accepted, and kills it `idleMs` later. In ms from the start to the accepted delivery. */
async function measureStart(program: string, environment: Environment, idleMs = 0): Promise<number> {
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
    return took;
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function isAccepted(port: number): Promise<boolean> {
  const account = { id: 2, login: "acme" };
  const installation = { id: 1, repository_selection: "all", account };
  const body = JSON.stringify({ action: "suspend", installation });
  const headers = {
    "content-type": "application/json",
    "x-github-event": "installation",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  return answer?.ok === true;
}

function runNode(env: Environment, ...words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, { env });
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}`);
}
