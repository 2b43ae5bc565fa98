import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { watchSaturation } from "../../src/queue/queue.ts";

const WINDOW_MS = 1_000;
const BLOCK_MS = 400;

/** One computation after the other. */
async function works(ms: number): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < ms) {
    const blockBegan = performance.now();
    while (performance.now() - blockBegan < BLOCK_MS) Math.sqrt(began);
    await turn();
  }
}

it("a process whose event loop is late is saturated, and one that waits is not", async () => {
  const isSaturated = watchSaturation();
  await sleep(WINDOW_MS);
  expect(isSaturated()).toBe(false);
  await works(WINDOW_MS);
  expect(isSaturated()).toBe(true);
  await sleep(WINDOW_MS);
  expect(isSaturated()).toBe(false);
});
