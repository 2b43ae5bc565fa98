import { describe, expect, it } from "vitest";
import { createThreadQueue } from "../../src/wiring/thread-queue.ts";

/** A queue whose threads execute `code`, which knows `post` and `work`. */
const createQueue = (code: string, over: { timeoutMs?: number; heapMb?: number } = {}) =>
  createThreadQueue<{ bytes: Uint8Array; name: string }, unknown>({
    file: new URL(
      `data:text/javascript,${encodeURIComponent(
        `import { parentPort, workerData as work } from "node:worker_threads";
        const post = (value) => parentPort.postMessage(value);
        ${code}`,
      )}`,
    ),
    timeoutMs: 20_000,
    heapMb: 64,
    ...over,
  });
const work = (name: string, bytes = 1) => ({ bytes: new Uint8Array(bytes).fill(7), name });

describe("a queue of threads", () => {
  it("gives a thread its work and returns what the thread posts", async () => {
    const perform = createQueue("post([work.name, work.bytes.length, work.bytes[2]])");
    expect(await Promise.all([perform(work("a", 3)), perform(work("b", 4))])).toEqual([
      ["a", 3, 7],
      ["b", 4, 7],
    ]);
  });

  it("moves bytes that are all of their memory, and leaves the neighbours of others", async () => {
    const perform = createQueue("post(work.bytes[0])");
    const whole = new Uint8Array([1, 2, 3]);
    const memory = new Uint8Array([1, 2, 3]);
    expect(await perform({ bytes: whole, name: "" })).toBe(1);
    expect(await perform({ bytes: memory.subarray(1), name: "" })).toBe(2);
    expect([whole.length, memory.length]).toEqual([0, 3]);
  });

  it.each([
    ["ends without a result", "process.exit(0)", {}, "it ended without a result"],
    ["throws", 'throw new Error("broken")', {}, "it ended without a result"],
    ["needs too much memory", "let all = null; while (true) all = { all };", {}, "it ended without a result"],
    ["takes too long", "while (true);", { timeoutMs: 500 }, "it took longer than 500 ms"],
  ])(
    "rejects with a code when a thread %s, and goes on with the next work",
    async (_, code, over, reason) => {
      const perform = createQueue(`if (work.name === "good") post("done"); else { ${code} }`, over);
      const [bad, good] = await Promise.allSettled([perform(work("bad")), perform(work("good"))]);
      expect(bad).toMatchObject({ status: "rejected", reason: { code: "thread_failed" } });
      expect(`${(bad as PromiseRejectedResult).reason.message}`).toContain(reason);
      expect(good).toEqual({ status: "fulfilled", value: "done" });
    },
  );

  it("refuses work while 256 MiB wait, and takes it afterwards", async () => {
    const large = () => ({ bytes: new Uint8Array(200 * 1024 * 1024), name: "" });
    const perform = createQueue("post(work.bytes.length)");
    const first = perform(large());
    await expect(perform(large())).rejects.toMatchObject({ code: "thread_failed" });
    await first;
    expect(await perform(large())).toBe(200 * 1024 * 1024);
  });
});
