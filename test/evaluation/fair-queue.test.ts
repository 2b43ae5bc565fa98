import fc from "fast-check";
import { expect, test } from "vitest";
import { cutLists, joinLists } from "../../src/wiring/evaluation/evaluation-thread.ts";
import { FairQueue } from "../../src/wiring/evaluation/task-thread.ts";

const BUSY = { code: "evaluation_busy", retryable: true };

/** A job that goes on until it is told to end. */
function openJob() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test("owners take turns, and one job is done at a time", async () => {
  const queue = new FairQueue({ perOwner: 10, patienceMs: null });
  const done: string[] = [];
  let atWork = 0;
  const job = (name: string) =>
    queue.add(name.slice(0, 1), async () => {
      atWork += 1;
      expect(atWork).toBe(1);
      await Promise.resolve();
      done.push(name);
      atWork -= 1;
    });
  await Promise.all(["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map(job));
  expect(done).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a failed job lets the next one start", async () => {
  const queue = new FairQueue({ perOwner: 10, patienceMs: null });
  const failing = queue.add("a", () => Promise.reject(new Error("no")));
  const next = queue.add("a", async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("an owner's jobs beyond those that may wait are refused, and another's are not", async () => {
  const queue = new FairQueue({ perOwner: 1, patienceMs: null });
  const first = openJob();
  const all = [queue.add("a", first.work), queue.add("a", async () => {})];
  await expect(queue.add("a", async () => {})).rejects.toMatchObject(BUSY);
  all.push(queue.add("b", async () => {}));
  first.end();
  await Promise.all(all);
});

test("a job that waited too long is refused, and not done later", async () => {
  const queue = new FairQueue({ perOwner: 5, patienceMs: 10 });
  const first = openJob();
  const begun = queue.add("a", first.work);
  let isDone = false;
  const waiting = queue.add("b", async () => {
    isDone = true;
  });
  await expect(waiting).rejects.toMatchObject(BUSY);
  first.end();
  await begun;
  expect(await queue.add("c", async () => "done")).toBe("done");
  expect(isDone).toBe(false);
});

test("what is cut into pieces is the same when it is joined", () => {
  const list = fc
    .integer({ min: 0, max: 2_500 })
    .map((length) => Array.from({ length }, (_, at) => ({ at })));
  const value = fc.record({
    a: list,
    b: fc.record({ c: list, d: fc.string() }),
    e: fc.array(list, { maxLength: 60 }),
  });
  fc.assert(
    fc.property(value, (given) => {
      const cut = cutLists(given);
      expect(cut.pieces.every(({ items }) => items.length <= 1_000)).toBe(true);
      expect(joinLists(structuredClone(cut))).toEqual(given);
    }),
    { numRuns: 25 },
  );
});
