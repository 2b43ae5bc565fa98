import { describe, expect, it, onTestFinished } from "vitest";
import { createThreadFunction, ThreadPool } from "../../src/wiring/thread-pool.ts";

/** A module whose threads execute `code` for each piece of work; it knows `post` and `work`. */
const moduleOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from "node:worker_threads";
      const post = (result) => parentPort.postMessage({ state: "done", result });
      parentPort.on("message", (work) => { ${code} });
      post(null);`,
    )}`,
  );

const openPool = (code: string, over: { threads?: number; uses?: number } = {}) => {
  const pool = new ThreadPool<unknown, unknown>({
    ...{ file: moduleOf(code), threads: 2, heapMb: 64, uses: 100 },
    ...over,
  });
  onTestFinished(() => pool.close());
  return pool;
};
const LIMITS = { timeoutMs: 20_000 };

describe("a pool of threads", () => {
  it("does as much work at a time as it has threads, and keeps them for later work", async () => {
    const pool = openPool("globalThis.count = (globalThis.count ?? 0) + 1; post([work, globalThis.count]);", {
      threads: 1,
    });
    const ends = await Promise.all(["a", "b", "c"].map((work) => pool.run(work, LIMITS)));
    expect(ends.map((end) => end.state === "done" && end.result)).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
  });

  it("replaces a thread after its uses", async () => {
    const pool = openPool("globalThis.count = (globalThis.count ?? 0) + 1; post(globalThis.count);", {
      ...{ threads: 1, uses: 2 },
    });
    const ends = await Promise.all([1, 2, 3].map((work) => pool.run(work, LIMITS)));
    expect(ends.map((end) => end.state === "done" && end.result)).toEqual([1, 2, 1]);
  });

  it("leaves a thread free of work that has patience, and refuses it when the patience ends", async () => {
    const pool = openPool("if (work !== 'endless') post(work);");
    const endless = pool.run("endless", { timeoutMs: 2_000, patienceMs: 100 });
    expect(await pool.run("edit", { ...LIMITS, patienceMs: 50 })).toEqual({ state: "busy" });
    expect(await pool.run("in force", LIMITS)).toEqual({ state: "done", result: "in force" });
    const late = pool.run("edit", { ...LIMITS, patienceMs: 20_000 });
    expect(await endless).toEqual({ state: "too_slow" });
    expect(await late).toEqual({ state: "done", result: "edit" });
  });

  it("refuses work that cannot be handed over, and does the next one", async () => {
    const pool = openPool("post(work);");
    await expect(pool.run(() => {}, LIMITS)).rejects.toThrow(/could not be cloned/);
    expect(await pool.run("next", LIMITS)).toEqual({ state: "done", result: "next" });
  });

  it.each([
    ["ends without a result", "process.exit(0)", {}, "the thread ended with 0"],
    ["throws", 'throw new Error("broken")', {}, "broken"],
    ["needs too much memory", "let all = null; while (true) all = { all };", {}, "too large"],
    ["takes too long", "while (true);", { timeoutMs: 500 }, "too slow"],
  ])(
    "rejects large work with a code when its thread %s, and goes on with the next one",
    async (_, code, over, reason) => {
      const file = moduleOf(`if (work === "good") post("done"); else { ${code} }`);
      const perform = createThreadFunction<string, unknown>({ file, heapMb: 64, timeoutMs: 20_000, ...over });
      const [bad, good] = await Promise.allSettled([perform("bad"), perform("good")]);
      expect(bad).toMatchObject({ status: "rejected", reason: { code: "thread_failed" } });
      expect(`${(bad as PromiseRejectedResult).reason.message}`).toContain(reason);
      expect(good).toEqual({ status: "fulfilled", value: "done" });
    },
  );
});
