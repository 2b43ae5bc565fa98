import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginCalls } from "../../src/evaluate/facts/platform/begin-calls.ts";
import { PlatformBusyError } from "../../src/platform/busy.ts";
import { CallPace } from "../../src/platform/call-pace.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import { listStageCosts } from "../../src/platform/contract/cost-changes.ts";
import { createFailure } from "../../src/platform/errors.ts";

const MINUTE = 60_000;
const PER_MINUTE = 2;
const EXECUTION = { params: { org: "o", project: "p", pipeline_execution_id: "e" } };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An evaluation that makes so many calls at the same time; each may wait two minutes for its turn. */
function evaluation(calls: number) {
  const pace = new CallPace({ now: Date.now, monotonicMs: Date.now }, PER_MINUTE);
  let made = 0;
  const platform: PlatformClient = {
    call: async () => {
      const waitMs = pace.reserve(2 * MINUTE);
      if (waitMs === null) throw new PlatformBusyError(30_000);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      made += 1;
      return { ok: false, failure: createFailure("not_found", "no costs") };
    },
    close: async () => {},
  };
  const begun = beginCalls({ platform, platformPace: pace });
  const start = () =>
    Promise.allSettled(Array.from({ length: calls }, () => begun.platform.call(listStageCosts, EXECUTION)));
  return { pace, start, made: () => made };
}

it("an evaluation that makes more calls at once than three minutes allow makes them all, one minute after the other", async () => {
  const { start, made } = evaluation(20);
  const ended = start();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(made()).toBe(20);
  expect((await ended).map(({ status }) => status)).not.toContain("rejected");
});

it("an evaluation that got no turn for a call makes no further one", async () => {
  const { pace, start, made } = evaluation(20);
  const ended = start();
  for (let call = 0; call < 8; call++) pace.reserve(10 * MINUTE); // those of other evaluations
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect((await ended).map(({ status }) => status)).toContain("rejected");
  expect(made()).toBe(PER_MINUTE);
});
