import type { ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
const POLICY_FILE = ".github/tollgate.yml";
const PULLS = 4;
/** How many connections end while one delivery is on its way. Tollgate tries five times to store it. */
const TERMINATIONS = 3;
const DELIVERIES = casesToTry({ usual: 8, deep: 100 });
/** Between two terminations, at most, in milliseconds. */
const PAUSE_MS = 60;

const server = inject("postgresUrl");

interface Served {
  readonly world: Killable;
  readonly admin: pg.Client;
  readonly database: string;
}
let served: Served | null = null;

beforeAll(async () => {
  if (server === null) return;
  const url = await freshPostgres(server);
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  served = { world: await killable(POLICY, { databaseUrl: url }), admin, database: url.replace(/^.*\//, "") };
});
afterAll(async () => {
  await served?.world.ends();
  await served?.admin.end();
});

/** Ends one connection of the process, preferring one that is in the middle of something. Whether there was one. */
async function terminatesOne({ admin, database }: Served): Promise<boolean> {
  const { rows } = await admin.query<{ ended: boolean }>(
    `select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = $1
     order by (state <> 'idle') desc, random() limit 1`,
    [database],
  );
  return rows[0]?.ended === true;
}

/** The same event once more, as a delivery of its own; its id when it was acknowledged. */
async function delivers({ world }: Served, body: string): Promise<string | null> {
  const id = randomUUID();
  const signature = createHmac("sha256", world.webhookSecret).update(body).digest("hex");
  const answer = await fetch(world.webhookUrl, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "pull_request",
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${signature}`,
    },
  });
  return answer.status === 200 ? id : null;
}

/** Ends `count` connections of the process, each as soon as there is one; fewer when the process ends. */
async function terminates(from: Served, child: ChildProcess, count: number): Promise<void> {
  for (let terminated = 0; terminated < count && child.exitCode === null; ) {
    await sleep(Math.random() * PAUSE_MS);
    if (await terminatesOne(from)) terminated += 1;
  }
}

const conclusionsOf = ({ github, appId }: Killable, { headSha: sha }: { headSha: string }) =>
  github.checkRuns({ repository: REPOSITORY, sha, appId }).map(({ conclusion }) => conclusion);

const change = (branch: string, words: string) => ({
  repository: REPOSITORY,
  branch,
  files: { [POLICY_FILE]: `${POLICY}# ${words}\n` },
});

it.runIf(server)(
  "PostgreSQL ends connections at any moment: the process lives, nothing acknowledged is lost, no comment comes twice",
  { timeout: 120_000 + DELIVERIES * 5_000 },
  async () => {
    if (served === null) throw new Error("there is no PostgreSQL");
    const { world } = served;
    const { github } = world;
    const child = await world.start();
    const said: string[] = [];
    child.stderr?.on("data", (chunk) => said.push(String(chunk)));
    const opened = Array.from({ length: PULLS }, (_, index) => {
      github.push(change(`change-${index}`, "first"));
      return github.openPullRequest({ repository: REPOSITORY, head: `change-${index}`, title: "A change" });
    });
    await github.deliveries.settled();
    const bodies = github.deliveries.list({ event: "pull_request" }).map(({ body }) => body);
    const acknowledged: (string | null)[] = [];
    for (let turn = 0; turn < DELIVERIES; turn++) {
      github.push(change(`change-${turn % PULLS}`, `turn ${turn}`));
      const delivery = delivers(served, bodies[turn % bodies.length] ?? "");
      await Promise.allSettled([delivery, terminates(served, child, TERMINATIONS)]);
      expect(child.exitCode, `after ${turn} deliveries: ${said.join("")}`).toBeNull();
      acknowledged.push(await delivery);
    }
    expect(acknowledged).not.toContain(null);
    const heads = opened.map((pull) => github.pullRequest(pull));
    const done = new pg.Client({ connectionString: server?.replace(/[^/]*$/, served.database) });
    await done.connect();
    await eventually(async () => {
      const { rows } = await done.query(
        "select id from queue.job where name = 'delivery' and state = 'completed' and id = any($1)",
        [acknowledged],
      );
      expect(rows.length).toBe(acknowledged.length);
      expect(heads.map((head) => conclusionsOf(world, head))).toEqual(heads.map(() => ["success"]));
      const open = await done.query(
        "select name, state from queue.job where name <> 'alarm' and state in ('created', 'retry', 'active')",
      );
      expect(open.rows).toEqual([]);
    });
    await done.end();
    expect(child.exitCode).toBeNull();
    expect(opened.map((pull) => github.comments(pull).length)).toEqual(opened.map(() => 1));
  },
);
