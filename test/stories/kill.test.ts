import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { systemChance } from "../../src/sandbox/chance.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { freePort } from "../../src/wiring/process/free-port.ts";
import { eventually } from "../world/eventually.ts";

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const REPOSITORY = "acme/shop";
const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";

let github: Sandbox;
let appId: number;
let environment: Record<string, string>;
let port: number;
const running: ChildProcess[] = [];

beforeAll(async () => {
  github = await createSandbox({ clock: systemClock, chance: systemChance });
  github.createOwner({ login: "acme", type: "organisation" });
  github.createRepository({ owner: "acme", name: "shop", files: { ".github/tollgate.yml": POLICY } });
  port = await freePort();
  const app = await github.registerApp({
    name: "Tollgate",
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
  });
  appId = app.id;
  github.installApp({ appId, owner: "acme" });
  const directory = mkdtempSync(join(tmpdir(), "tollgate kill "));
  const settings = join(directory, "settings.yml");
  writeFileSync(settings, "public_figures: false\n");
  environment = {
    PATH: process.env["PATH"] ?? "",
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: `${github.url}/api/v3`,
    TOLLGATE_DATA: join(directory, "data"),
    TOLLGATE_SETTINGS: settings,
    HOST: "127.0.0.1",
    PORT: String(port),
    LOG_LEVEL: "silent",
  };
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await github.close();
});

/** `tollgate start` in a process of its own, listening. */
async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, "start"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.push(child);
  await eventually(
    async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200),
    30_000,
  );
  return child;
}

const runs = (sha: string) => github.checkRuns({ repository: REPOSITORY, sha, appId });

it("kill -9 during a job, then start: what was accepted is done, once", { timeout: 90_000 }, async () => {
  const first = await start();
  github.push({
    repository: REPOSITORY,
    branch: "change",
    files: { "src/a.js": "1\n", ".github/tollgate.yml": `${POLICY}# more\n` },
  });
  github.faults.add({
    match: { path: /graphql/ },
    times: Number.POSITIVE_INFINITY,
    kind: "delay",
    ms: 5_000,
  });
  const pull = github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
  await github.deliveries.settled();
  const [delivery] = github.deliveries.list({ event: "pull_request" });
  expect(delivery?.statusCode).toBe(202);
  await eventually(() => expect(github.faults.hits()).toBe(1)); // the lane waits for GitHub's answer
  first.kill("SIGKILL");
  await once(first, "exit");
  expect(runs(pull.headSha)).toEqual([]);
  github.faults.clear();
  await start();
  await eventually(() => expect(runs(pull.headSha)[0]?.conclusion).toBe("success"), 30_000);
  await eventually(() => expect(github.comments(pull)).toHaveLength(1), 30_000);
  expect(runs(pull.headSha)).toHaveLength(1);
});

it("a second process on the same data directory is told so and exits 2", { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, [MAIN, "start"], {
    env: { ...environment, PORT: String(await freePort()) },
  });
  const said: string[] = [];
  child.stderr.on("data", (chunk) => said.push(String(chunk)));
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
  expect(said.join("")).toMatch(/used by another Tollgate/);
});
