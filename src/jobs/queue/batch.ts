/** Gathers calls that arrive while one batch is being written into the next batch: one statement, one commit, many callers. */
export function batched<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  limit: number,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];
  let writing = false;

  async function drain(): Promise<void> {
    writing = true;
    // One turn of the event loop, so that requests read in the same turn share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await settle(waiting.splice(0, limit));
    writing = false;
  }

  async function settle(batch: typeof waiting): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [index, { done }] of batch.entries()) {
        const result = results[index];
        if (result === undefined)
          done.reject(new RangeError("a batch answered fewer results than it had items"));
        else done.resolve(result);
      }
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (!writing) void drain();
    return done.promise;
  };
}
