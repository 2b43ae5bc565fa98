import { spawn } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemRandom } from "../src/sandbox/state/random.ts";
import { findFreePort } from "../src/wiring/process/free-port.ts";
import { type Figure, median, ms } from "./figures.ts";

const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const SECRET = "a-secret-for-the-bench-only";
const ROUNDS = 3;

/** From a process's start on an empty data directory to its first accepted delivery. */
async function coldStart(privateKey: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const port = await findFreePort();
  const env = {
    PATH: process.env["PATH"] ?? "",
    APP_ID: "1",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: "http://127.0.0.1:9",
    TOLLGATE_DATA: directory,
    PORT: String(port),
    HOST: "127.0.0.1",
    LOG_LEVEL: "silent" as const,
  };
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, "start"], { env, stdio: "ignore" });
  while (!(await accepted(port))) await sleep(10);
  const took = performance.now() - started;
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  rmSync(directory, { recursive: true, force: true });
  return took;
}

async function accepted(port: number): Promise<boolean> {
  const body = JSON.stringify({
    action: "suspend",
    installation: { id: 1, account: { id: 2, login: "acme" } },
  });
  const headers = {
    "content-type": "application/json",
    "x-github-event": "installation",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  return answer?.status === 202;
}

/** How soon after `tollgate start` the first delivery is taken. */
export async function start(): Promise<readonly Figure[]> {
  const { privateKey } = await systemRandom.keyPair();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await coldStart(privateKey));
  return [{ what: "cold start to first accepted delivery", value: ms(median(times)), goal: "≤ 3 s" }];
}
