import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openInSteps } from "../../src/wiring/open-in-steps.ts";
import { repeat } from "../../src/wiring/repeat.ts";
import { eventually } from "../world/eventually.ts";

test("work that fails, also before it begins, is repeated", async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  const work = (): Promise<void> => {
    rounds += 1;
    if (rounds === 1) throw new Error("at once");
    return rounds === 2 ? Promise.reject(new Error("later")) : Promise.resolve();
  };
  const repeating = repeat(work, { everyMs: 1, onError: (error) => errors.push(error) });
  await eventually(() => expect(rounds).toBeGreaterThan(3));
  await repeating.stop();
  expect(errors.map(String)).toEqual(["Error: at once", "Error: later"]);
});

test("a stop aborts the round and waits for its end, whose failure nobody is told; no other one follows", async () => {
  const events: string[] = [];
  const work = async (signal: AbortSignal): Promise<void> => {
    events.push("began");
    await sleep(60_000, undefined, { signal }).catch(() => sleep(10));
    events.push("ended");
    throw new Error("aborted");
  };
  const repeating = repeat(work, { everyMs: 1, onError: (error) => events.push(String(error)) });
  await eventually(() => expect(events).toEqual(["began"]));
  await repeating.stop();
  await sleep(10);
  expect(events).toEqual(["began", "ended"]);
});

test("parts that are opened in steps are closed in reverse order, by their owner or when a later one fails", async () => {
  const closed: number[] = [];
  const open = (last: () => number) =>
    openInSteps(async (opening) => {
      for (const part of [1, 2]) opening.defer(async () => void closed.push(part));
      return { last: last(), close: () => opening.disposeAsync() };
    });
  const opened = await open(() => 3);
  expect(closed).toEqual([]);
  await opened.close();
  expect(closed.splice(0)).toEqual([2, 1]);
  const failing = open(() => {
    throw new Error("the last part");
  });
  await expect(failing).rejects.toThrow("the last part");
  expect(closed).toEqual([2, 1]);
});
