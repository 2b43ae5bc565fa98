import { describe, expect, it } from "vitest";
import type { Filled, WordingTask } from "../../src/render/custom/fill.ts";
import { fillInThread } from "../../src/wiring/wording/fill-in-thread.ts";

const task = (text: string, more: Partial<WordingTask> = {}): WordingTask => ({
  name: "next-step",
  text,
  view: { base: "<code>main</code>", rules: 2 },
  amounts: [],
  ...more,
});

/** A thread that answers its first task and then does this. */
const thread = (then: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads";
    parentPort.postMessage({ kind: "ready" });
    parentPort.postMessage({ kind: "filled", filled: { state: "filled", text: "first" } });
    ${then}`)}`,
  );

const said = (filled: readonly Filled[]): readonly string[] =>
  filled.map((one) =>
    one.state === "filled" ? one.text : one.problems.map(({ message }) => message).join(),
  );

describe("partials filled in a thread", () => {
  it("are filled one by one, and what is wrong with one is told of that one", async () => {
    const filled = await fillInThread()([
      task("{{number rules}} rules on {{base}}, {{number broken}} broken"),
      task("{{> headline}}"),
      task("{{whatever}}", { view: null }),
    ]);
    expect(said(filled)).toEqual([
      "2 rules on <code>main</code>, unknown broken",
      "other templates cannot be included; write the words here",
      expect.stringContaining("there is no field whatever"),
    ]);
  });

  it("start no thread when there is nothing to fill", async () => {
    expect(await fillInThread({ thread: new URL("file:///nowhere.js") })([])).toEqual([]);
  });

  it("are given up after the time that there is, whoever hangs", async () => {
    const started = performance.now();
    const filled = await fillInThread({ timeoutMs: 200, thread: thread("for (;;);") })([
      task(""),
      task(""),
      task(""),
    ]);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(said(filled)).toEqual([
      "first",
      "takes too long to fill; make it shorter, with fewer loops",
      "was not filled, because of the file named before",
    ]);
  });

  it("are given up when they take too much memory, and nobody else ends with them", async () => {
    const filled = await fillInThread({
      timeoutMs: 20_000,
      thread: thread("const all = []; for (;;) all.push(Array.from({ length: 1000 }, () => ({})));"),
    })([task(""), task("")]);
    expect(said(filled)).toEqual([
      "first",
      "takes too much memory to fill; make it shorter, with fewer loops",
    ]);
  });

  it("are not filled where the thread ends, throws or is not there", async () => {
    const failed = "could not be filled; make it shorter, with fewer loops";
    for (const then of ["setTimeout(() => process.exit(3), 50);", "throw new Error('x');"])
      expect(said(await fillInThread({ thread: thread(then) })([task(""), task("")]))).toEqual([
        "first",
        failed,
      ]);
    expect(said(await fillInThread({ thread: new URL("file:///nowhere.js") })([task("")]))).toEqual([failed]);
  });

  it("see nothing of the process that fills them", async () => {
    const env = thread(
      "parentPort.postMessage({ kind: 'filled', filled: { state: 'filled', text: JSON.stringify(process.env) } });",
    );
    expect(said(await fillInThread({ thread: env })([task(""), task("")]))).toEqual(["first", "{}"]);
  });
});
