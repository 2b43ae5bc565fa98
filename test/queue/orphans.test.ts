import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openBoss } from "../../src/queue/open.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { openEmbedded } from "../world/engines.ts";

const SILENT = { warn: () => {}, error: () => {} };

let store: Database;
beforeAll(async () => {
  store = await openEmbedded();
});
beforeEach(() => sql`delete from queue.job`.execute(store.db));
afterAll(() => store.close());

/** Starts a process, which takes the lane's job if it may, and kills it. Returns the attempt that it was; null: the job was not due. */
async function startAndKill(): Promise<number | null> {
  const boss = await openBoss(store, SILENT);
  const [job] = await boss.fetch("lane", { includeMetadata: true });
  await boss.stop({ graceful: false });
  return job === undefined ? null : job.retryCount + 1;
}

/** The lane's job after the next start of a process. */
async function jobAfterStart() {
  const boss = await openBoss(store, SILENT);
  const { rows } = await sql<{ state: string; seconds: number }>`
    select state, extract(epoch from start_after - now())::float as seconds from queue.job where name = 'lane'`.execute(
    store.db,
  );
  const dead = await boss.findJobs("dead");
  await boss.stop({ graceful: false });
  return { ...rows[0], dead: dead.length };
}

async function enqueue(): Promise<void> {
  const boss = await openBoss(store, SILENT);
  await boss.send("lane", { lane: "pull:1:1" }, { singletonKey: "pull:1:1" });
  await boss.stop({ graceful: false });
}

const passPauses = () =>
  sql`update queue.job set start_after = now() where state = 'retry'`.execute(store.db);
/** So many processes have ended while they did the job. */
const setEnds = (ends: number) =>
  sql`update queue.job set state = 'active', started_on = now(), output = jsonb_build_object('ends', ${ends}::int)
    where name = 'lane'`.execute(store.db);

it("a job that was running in seven processes that were killed starts a second after the next start, not minutes", async () => {
  await enqueue();
  await setEnds(6);
  const { state, seconds } = await jobAfterStart();
  expect(state).toBe("retry");
  expect(seconds).toBeLessThan(2);
});

it("twelve processes that are killed while they do a job cost it none of its attempts", async () => {
  await enqueue();
  for (let start = 0; start < 12; start++) {
    expect(await startAndKill()).toBe(1);
    await jobAfterStart();
    await passPauses();
  }
  expect(await jobAfterStart()).toMatchObject({ state: "retry", dead: 0 });
});

it.each([
  [12, 16],
  [20, 300],
  [299, 300],
])("a job that ended its process %i times waits %i seconds", async (ends, pause) => {
  await enqueue();
  await setEnds(ends - 1);
  const { state, seconds = 0 } = await jobAfterStart();
  expect([state, Math.round(seconds)]).toEqual(["retry", pause]);
});

it("a job that ends its process for a day is given up, and operators see it", async () => {
  await enqueue();
  await setEnds(299);
  expect(await jobAfterStart()).toMatchObject({ state: "failed", dead: 1 });
});
