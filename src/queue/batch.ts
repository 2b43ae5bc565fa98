interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

export interface BatchRules {
  /** Most items in one batch. */
  readonly limit: number;
  /** Whether a failure concerns the whole batch and no single item caused it. */
  readonly isBatchFailure: (error: unknown) => boolean;
}

type BatchWriter<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Most iterations of the event loop in which a batch grows: the first item waits for few milliseconds at most. */
const MAX_ITERATIONS = 10;

/**
 * Collects calls into batches: many callers share one statement and one commit. A batch grows while it waits for the one before, and as
 * long as each iteration of the event loop brings more. A refused batch is written in halves, so that one bad item fails alone.
 */
export function createBatcher<Item, Result>(
  write: BatchWriter<Item, Result>,
  rules: BatchRules,
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
      if (waiting.length < rules.limit) await collect();
      await settleBatch(waiting.splice(0, rules.limit), write, rules);
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
  write: BatchWriter<Item, Result>,
  rules: BatchRules,
): Promise<void> {
  const middle = Math.ceil(batch.length / 2);
  try {
    resolveBatch(batch, await write(batch.map(({ item }) => item)));
  } catch (error) {
    if (batch.length === 1 || rules.isBatchFailure(error)) return rejectBatch(batch, error);
    await settleBatch(batch.slice(0, middle), write, rules);
    await settleBatch(batch.slice(middle), write, rules);
  }
}

function resolveBatch<Item, Result>(
  batch: readonly PendingItem<Item, Result>[],
  results: readonly Result[],
): void {
  for (const [index, { done }] of batch.entries()) {
    const result = results[index];
    if (result === undefined) done.reject(new RangeError("a batch answered fewer results than it had items"));
    else done.resolve(result);
  }
}

function rejectBatch<Item, Result>(batch: readonly PendingItem<Item, Result>[], error: unknown): void {
  for (const { done } of batch) done.reject(error);
}
