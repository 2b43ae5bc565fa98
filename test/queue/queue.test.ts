import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue, type Queue } from "../../src/queue/queue.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Store } from "../../src/store/open.ts";
import type { JobOrigin } from "../../src/telemetry/job-origin.ts";
import { engines, openEmbedded } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const quiet = { warn: () => {}, error: () => {} };
const Event = z.object({ n: z.number() });

describe.each(engines())("the queue on $name", ({ open }) => {
  let store: Store;
  const opened: Queue[] = [];
  beforeAll(async () => {
    store = await open();
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.stop();
    await sql`delete from queue.job`.execute(store.db);
  });
  afterAll(() => store.close());

  async function start(telemetry?: Parameters<typeof createQueue>[2]) {
    const boss = await openBoss(store, quiet);
    const queue = createQueue(boss, systemClock, telemetry);
    opened.push(queue);
    return { boss, queue };
  }

  it("processes a delivery once that arrives three times at once", async () => {
    const { queue } = await start();
    const id = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => queue.acceptDelivery(id, { n: 1 })));
    expect(answers.sort()).toEqual(["duplicate", "duplicate", "queued"]);
    const seen: number[] = [];
    await queue.workDeliveries(async (event) => void seen.push(Event.parse(event).n));
    await eventually(() => expect(seen).toEqual([1]));
    expect(await queue.acceptDelivery(id, { n: 1 })).toBe("duplicate");
    await queue.acceptDelivery(randomUUID(), { n: 2 });
    await eventually(() => expect(seen).toEqual([1, 2]));
  });

  it("stands still when jobs are due for five minutes and none ends", async () => {
    const { queue } = await start();
    await queue.acceptDelivery(randomUUID(), { n: 1 });
    await queue.enqueue("pull:1:1", 3_600_000);
    expect(await queue.isMoving()).toBe(true);
    await sql`update queue.job set start_after = now() - interval '6 minutes' where name = 'delivery'`.execute(
      store.db,
    );
    expect(await queue.isMoving()).toBe(false);
    await queue.acceptDelivery(randomUUID(), { n: 2 });
    await queue.workDeliveries(async () => {});
    await eventually(async () => expect(await queue.isMoving()).toBe(true));
  });

  it("keeps processed deliveries for as long as the operator's file says, also in a queue that exists", async () => {
    await start();
    const deliverySeconds = 3 * 24 * 3600;
    const boss = await openBoss(store, quiet, { deliverySeconds });
    await createQueue(boss, systemClock).acceptDelivery(randomUUID(), { n: 1 });
    const { rows } = await sql`select deletion_seconds from queue.job where name = 'delivery'`.execute(
      store.db,
    );
    expect(rows).toEqual([{ deletion_seconds: deliverySeconds }]);
    await boss.stop({ graceful: false });
  });

  it("counts what waits and what is due, and a lane's job names every origin that it covers", async () => {
    let origin: JobOrigin | null = null;
    const { queue } = await start({ origin: () => origin });
    origin = { receivedAtMs: 1, traceparent: "first" };
    await queue.enqueue("pull:1:1");
    origin = { receivedAtMs: 2, traceparent: "second" };
    await queue.enqueue("pull:1:1");
    await queue.setAlarm("pull:1:1", systemClock.now() + 60_000);
    const counts = (await queue.countJobs()).filter(({ due, scheduled }) => due + scheduled > 0);
    expect(counts.map(({ name, due, scheduled, active }) => [name, due, scheduled, active])).toEqual([
      ["lane", 1, 0, 0],
      ["alarm", 0, 1, 0],
    ]);
    const seen: unknown[] = [];
    await queue.workLanes(1, async (_lane, attempt) => void seen.push(attempt.origin));
    await eventually(() =>
      expect(seen).toEqual([{ receivedAtMs: 1, traceparent: "second", links: ["first"] }]),
    );
  });

  it("one worker waits for jobs, however many may run: an announced job costs one query", async () => {
    const { boss, queue } = await start();
    const states = () => boss.getWipData().filter(({ name }) => name === "lane").length;
    const held = Promise.withResolvers<void>();
    let running = 0;
    await queue.workLanes(3, async () => {
      running += 1;
      await held.promise;
    });
    expect(states()).toBe(1);
    await queue.enqueue("pull:1:1");
    await eventually(() => expect([running, states()]).toEqual([1, 2]));
    for (let number = 2; number < 6; number += 1) await queue.enqueue(`pull:1:${number}`);
    await eventually(() => expect([running, states()]).toEqual([3, 3]));
    held.resolve();
    await eventually(() => expect([running, states()]).toEqual([5, 1]));
  });

  it("a queue that drains starts no more jobs of a backlog", async () => {
    const { boss, queue } = await start();
    const workers = () => boss.getWipData().filter(({ name }) => name === "lane").length;
    const started: string[] = [];
    const held = Promise.withResolvers<void>();
    let draining: Promise<void> | null = null;
    for (let number = 1; number <= 10; number += 1) await queue.enqueue(`pull:1:${number}`);
    await queue.workLanes(24, async (lane) => {
      started.push(lane);
      draining ??= queue.drain();
      await held.promise;
    });
    await eventually(() => expect(started.length).toBeGreaterThan(1)); // a worker that waits was taking the second
    held.resolve();
    await draining;
    await eventually(() => expect(workers()).toBe(0));
    expect(started).toHaveLength(2);
  });

  it("runs one job of a lane at a time, and one more for any number of jobs enqueued meanwhile", async () => {
    const { queue } = await start();
    let running = 0;
    let most = 0;
    let runs = 0;
    const first = Promise.withResolvers<void>();
    await queue.workLanes(4, async () => {
      running += 1;
      most = Math.max(most, running);
      runs += 1;
      if (runs === 1) await first.promise;
      running -= 1;
    });
    await queue.enqueue("pull:1:1");
    await eventually(() => expect(runs).toBe(1));
    await Promise.all(Array.from({ length: 50 }, () => queue.enqueue("pull:1:1")));
    first.resolve();
    await eventually(() => expect(runs).toBe(2));
    await queue.enqueue("pull:1:2");
    await eventually(() => expect(runs).toBe(3));
    expect(most).toBe(1);
  });

  it("a lane that waits for its own running job delays no other lane", async () => {
    const { queue } = await start();
    const held = Promise.withResolvers<void>();
    const seen: string[] = [];
    await queue.workLanes(2, async (lane) => {
      seen.push(lane);
      if (lane === "pull:1:1") await held.promise;
    });
    await queue.enqueue("pull:1:1");
    await eventually(() => expect(seen).toEqual(["pull:1:1"]));
    await queue.enqueue("pull:1:1");
    await queue.enqueue("pull:1:2");
    await eventually(() => expect(seen).toEqual(["pull:1:1", "pull:1:2"]));
    held.resolve();
    await eventually(() => expect(seen).toEqual(["pull:1:1", "pull:1:2", "pull:1:1"]));
  });

  // The library counts active jobs now and then, and remembers the count for a minute: the test must end before.
  it("a lane that ran while the queue was counted starts again at once", { timeout: 50_000 }, async () => {
    const boss = await openBoss(store, quiet);
    await createQueue(boss, systemClock).enqueue("pull:1:1");
    const [running] = await boss.fetch("lane");
    if (running === undefined) throw new Error("the lane was not taken");
    await boss.getQueueStats("lane", { force: true });
    const { queue } = await start();
    await boss.complete("lane", running.id);
    await boss.stop({ graceful: false });
    const seen: string[] = [];
    await queue.workLanes(1, async (lane) => void seen.push(lane));
    await queue.enqueue("pull:1:1");
    await eventually(() => expect(seen).toEqual(["pull:1:1"]));
  });

  it("a later alarm does not replace a job that is due now", async () => {
    const { queue } = await start();
    const seen: string[] = [];
    await queue.enqueue("pull:1:1");
    await queue.setAlarm("pull:1:1", Date.now() + 3_600_000);
    await queue.setAlarm("pull:1:2", Date.now() - 1);
    await queue.workLanes(1, async (lane) => void seen.push(lane));
    await eventually(() => expect(seen.sort()).toEqual(["pull:1:1", "pull:1:2"]));
  });

  it("an alarm replaces none of another kind; one for late comments enqueues the comment job", async () => {
    const { queue } = await start();
    const seen: string[] = [];
    await queue.setAlarm("pull:1:1", Date.now() - 1);
    await queue.setAlarm("pull:1:1", Date.now() + 3_600_000, "late check");
    await queue.setAlarm("pull:1:2", Date.now() + 3_600_000);
    await queue.setAlarm("pull:1:2", Date.now() - 1, "late check");
    await queue.setAlarm("pull:1:3", Date.now() - 1, "late comments");
    await queue.workLanes(1, async (lane) => void seen.push(`lane ${lane}`));
    await queue.workComments(1, async (lane) => void seen.push(`comment ${lane}`));
    await eventually(() =>
      expect(seen.sort()).toEqual(["comment pull:1:3", "lane pull:1:1", "lane pull:1:2"]),
    );
  });
});

// On PostgreSQL the queue has connections of its own, and nothing waits for itself.
describe("the queue on the embedded database", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openEmbedded();
  });
  afterAll(() => store.close());

  it("refuses at once a job that is sent inside a transaction, but not through it", async () => {
    const queue = createQueue(await openBoss(store, quiet), systemClock);
    await expect(transact(store.db, () => queue.enqueue("pull:9:9"))).rejects.toThrow(/inside a transaction/);
    await expect(queue.enqueue("pull:9:9")).resolves.toBeUndefined();
    await queue.stop();
  });
});
