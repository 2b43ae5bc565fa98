import type { PgBoss } from "pg-boss";
import { expect, it } from "vitest";
import { startWorkers } from "../../src/queue/workers.ts";
import { eventually } from "../world/eventually.ts";

type Handler = (jobs: readonly unknown[]) => Promise<void>;

/** A queue whose workers take jobs when the test says so; a worker that ends still does the job that it has taken. */
async function openPool(workers: number) {
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
  const options = { workers, handler, pollMs: 60_000, signal: AbortSignal.timeout(60_000) };
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

it("one worker waits while another job may run, and a worker ends with its job when another one waits", async () => {
  const pool = await openPool(2);
  await pool.takes(0, "a");
  expect(pool.isWaiting(1)).toBe(true);
  await pool.ends("a");
  expect(pool.isWaiting(0)).toBe(false);
  await pool.takes(1, "b");
  await pool.takes(2, "c");
  expect(pool.isWaiting(3)).toBe(false); // two run
  await pool.ends("b");
  expect(pool.isWaiting(1)).toBe(true);
  await pool.ends("c");
  expect(pool.isWaiting(2)).toBe(false);
});
