import type { JobInsert, PgBoss } from "pg-boss";
import { copyUnstorable } from "../kernel/storable.ts";
import { retryLost } from "../store/database/lost-connection.ts";
import { runUrgently } from "../store/embedded.ts";

export type DeliveryAcceptance = "queued" | "duplicate";

interface QueuedDelivery {
  readonly id: string;
  readonly event: object;
}

/** Most deliveries in one batch, which is one statement. */
const BATCH = 200;

/**
 * Stores accepted deliveries. When the promise is fulfilled, the delivery survives the end of the process.
 * The id of a queued, running or completed delivery is a duplicate. A delivery that failed every attempt is
 * retried, because the operator requested its redelivery.
 */
export function createDeliveryInbox(
  boss: PgBoss,
): (id: string, event: object) => Promise<DeliveryAcceptance> {
  // A delivery that is written twice is stored once, so the write is repeated when a lost connection leaves its result unknown.
  const write = (items: readonly QueuedDelivery[]) =>
    retryLost(() => runUrgently(() => insertDeliveries(boss, items)));
  const put = createBatcher<QueuedDelivery, DeliveryAcceptance>(write, BATCH);
  // Text that no database stores, such as NUL, would make the statement fail for all.
  return async (id, event) => put({ id, event: copyUnstorable(event) });
}

async function insertDeliveries(
  boss: PgBoss,
  items: readonly QueuedDelivery[],
): Promise<readonly DeliveryAcceptance[]> {
  const fresh = new Map(items.map((item) => [item.id, item]));
  const jobs: JobInsert[] = [...fresh.values()].map(({ id, event }) => ({ id, data: event }));
  const inserted = new Set(await boss.insert("delivery", jobs, { returnId: true }));
  const known = [...fresh.keys()].filter((id) => !inserted.has(id));
  if (known.length > 0) await boss.retry("delivery", known); // moves failed ones only
  return items.map(({ id }) => (inserted.delete(id) ? "queued" : "duplicate"));
}

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** Most iterations of the event loop in which a batch grows: the first item waits for few milliseconds at most. */
const MAX_ITERATIONS = 10;

/**
 * Collects calls into batches of at most `limit`: many callers share one statement and one commit. A batch grows while it waits for the one
 * before, and as long as each iteration of the event loop brings more.
 */
function createBatcher<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  limit: number,
): (item: Item) => Promise<Result> {
  const waiting: PendingItem<Item, Result>[] = [];
  let writing = false;

  async function collect(): Promise<void> {
    let known = -1;
    for (let turn = 0; turn < MAX_ITERATIONS && waiting.length > known; turn += 1) {
      known = waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function drain(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      // The embedded database blocks the event loop while it writes, so requests that arrived meanwhile are not read yet.
      if (waiting.length < limit) await collect();
      await settleBatch(waiting.splice(0, limit), write);
    }
    writing = false;
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (!writing) void drain();
    return done.promise;
  };
}

async function settleBatch<Item, Result>(
  batch: readonly PendingItem<Item, Result>[],
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    for (const [index, { done }] of batch.entries()) {
      const result = results[index];
      if (result === undefined) throw new RangeError("a batch answered fewer results than it had items");
      done.resolve(result);
    }
  } catch (error) {
    for (const { done } of batch) done.reject(error);
  }
}
