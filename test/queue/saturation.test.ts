import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { watchSaturation } from "../../src/queue/saturation.ts";

const WINDOW_MS = 600;

it("a process that works all the time is saturated, and one that waits is not", async () => {
  const isSaturated = watchSaturation();
  await sleep(WINDOW_MS);
  expect(isSaturated()).toBe(false);
  const began = performance.now();
  while (performance.now() - began < WINDOW_MS) Math.sqrt(began);
  expect(isSaturated()).toBe(true);
  await sleep(WINDOW_MS);
  expect(isSaturated()).toBe(false);
});
