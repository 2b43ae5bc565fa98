import type { PgBoss } from "pg-boss";
import { expect, it } from "vitest";
import { startWorkers } from "../../src/queue/workers.ts";
import { eventually } from "../world/eventually.ts";

type Handler = (jobs: readonly unknown[]) => Promise<void>;

/** A queue whose workers take jobs when the test says so; a worker that ends still does the job that it has taken. */
async function openPool(workers: number, isSaturated = () => false) {
  const handlers: Handler[] = [];
  const ended = new Set<string>();
  const held = new Map<string, () => void>();
  const boss = {
    work: async (_queue: string, _options: object, handler: Handler) =>
      `worker ${handlers.push(handler) - 1}`,
    offWork: (_queue: string, { id }: { readonly id: string }) => {
      ended.add(id);
      return new Promise<void>(() => {}); // until its job is done
    },
    notifyWorker: () => {},
  };
  const handler = (lane: string) => new Promise<void>((resolve) => held.set(lane, resolve));
  const options = { workers, isSaturated, handler, pollMs: 60_000, signal: AbortSignal.timeout(60_000) };
  await startWorkers(boss as unknown as PgBoss, "lane", options); // the part of it that workers use
  const running = new Map<string, Promise<void>>();
  return {
    takes: (worker: number, lane: string) => {
      const job = { data: { lane }, retryCount: 0, retryLimit: 1, signal: options.signal };
      const done = handlers[worker]?.([job]);
      if (done !== undefined) running.set(lane, done);
      return eventually(() => expect(held.has(lane)).toBe(true));
    },
    ends: async (lane: string) => {
      held.get(lane)?.();
      await running.get(lane);
    },
    isWaiting: (worker: number) => handlers[worker] !== undefined && !ended.has(`worker ${worker}`),
  };
}

it("a worker waits as soon as a job may run, also when the one that took the last job was to end", async () => {
  const pool = await openPool(2);
  await pool.takes(0, "a");
  await pool.ends("a"); // worker 0 stays, and worker 1 ends
  await pool.takes(1, "b"); // which it had taken before
  await pool.takes(0, "c");
  expect(pool.isWaiting(2)).toBe(false);
  await pool.ends("b");
  expect(pool.isWaiting(2)).toBe(true);
});

it("a saturated process takes a fifth job only when one of four is done, and more as soon as it is not saturated", async () => {
  const load = { isHigh: false };
  const pool = await openPool(24, () => load.isHigh);
  const lanes = ["a", "b", "c", "d", "e", "f"];
  for (const [worker, lane] of lanes.slice(0, 5).entries()) await pool.takes(worker, lane);
  expect(pool.isWaiting(5)).toBe(true);
  load.isHigh = true;
  await pool.takes(5, "f");
  expect(pool.isWaiting(6)).toBe(false);
  await pool.ends("a");
  await pool.ends("b");
  expect([pool.isWaiting(0), pool.isWaiting(1)]).toEqual([false, false]); // five, then four jobs are left
  await pool.ends("c");
  expect(pool.isWaiting(2)).toBe(true);
  await pool.takes(2, "g");
  expect(pool.isWaiting(6)).toBe(false);
  load.isHigh = false;
  await pool.ends("d");
  expect(pool.isWaiting(3)).toBe(true);
  await pool.takes(3, "h");
  expect(pool.isWaiting(6)).toBe(true);
});
