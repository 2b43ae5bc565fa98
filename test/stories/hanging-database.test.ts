import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { freshPostgres } from "../world/engines.ts";
import { killable, kills, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
/** GitHub waits for 10 s, and Probot's own middleware for 9 s, after which it answers 202. */
const HANGS_MS = 15_000;

const server = inject("postgresUrl");

it.runIf(server)(
  "the database hangs for 15 s and the process is killed: no delivery was accepted",
  { timeout: 120_000 },
  async () => {
    const databaseUrl = await freshPostgres(server ?? "");
    const world = await killable(POLICY, { databaseUrl });
    onTestFinished(() => world.ends());
    const child = await world.start();
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    onTestFinished(() => database.end());
    await world.github.deliveries.settled();

    await database.query("begin; lock table queue.job_common in access exclusive mode");
    world.github.push({ repository: REPOSITORY, branch: "change", files: { "src/a.js": "1\n" } });
    world.github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
    await sleep(HANGS_MS);
    await kills(child);
    await database.query("commit"); // a statement that waited for the lock may be carried out now: stored, and never acknowledged

    await world.github.deliveries.settled();
    const sent = world.github.deliveries.list({ event: "pull_request" });
    expect(sent).not.toEqual([]);
    for (const { statusCode } of sent) expect(statusCode).not.toBeOneOf([200, 201, 202, 204]);
  },
);
