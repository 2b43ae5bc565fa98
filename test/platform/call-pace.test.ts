import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createCallPace } from "../../src/platform/client.ts";

const MINUTE = 60_000;

/** A clock that can be set, over time that passes. */
function settableClock() {
  const time = { passedMs: 0, setMs: 0 };
  const clock = { now: () => time.passedMs + time.setMs, monotonicMs: () => time.passedMs };
  return { time, clock };
}

it.each([-5, 5])("setting the clock by %i hours leaves calls of the platform their turns", (hours) => {
  const { time, clock } = settableClock();
  const pace = createCallPace(clock, 2);
  expect([pace.reserve(0), pace.reserve(0)]).toEqual([0, 0]);
  time.setMs = hours * 3_600_000;
  time.passedMs += 20_000;
  expect(pace.reserve(MINUTE)).toBe(40_000);
});

test("in any minute at most the allowed number of calls begin, in the order of their requests", () => {
  const asks = fc.array(fc.record({ afterMs: fc.nat(20_000), patienceMs: fc.nat(300_000) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), asks, (limit, all) => {
      const { time, clock } = settableClock();
      const pace = createCallPace(clock, limit);
      const begun: number[] = [];
      for (const { afterMs, patienceMs } of all) {
        time.passedMs += afterMs;
        const waitMs = pace.reserve(patienceMs);
        if (waitMs === null) continue;
        expect(waitMs).toBeLessThanOrEqual(patienceMs);
        begun.push(time.passedMs + waitMs);
      }
      expect(begun).toEqual(begun.toSorted((a, b) => a - b));
      for (const [index, at] of begun.entries())
        expect(at - (begun[index - limit] ?? -MINUTE)).toBeGreaterThanOrEqual(MINUTE);
    }),
  );
});

test("turns that were reserved under a lower limit come first", () => {
  const { clock } = settableClock();
  const pace = createCallPace(clock, 1);
  expect([pace.reserve(0), pace.reserve(MINUTE)]).toEqual([0, MINUTE]);
  pace.setLimit(10);
  expect(pace.reserve(MINUTE)).toBe(MINUTE);
});

describe("an evaluation", () => {
  test("begins while those that have begun leave it room, and is retried later otherwise", () => {
    const { clock } = settableClock();
    const pace = createCallPace(clock, 16);
    expect([pace.begin(), pace.begin()]).toEqual([null, null]);
    expect(pace.begin()).toBeGreaterThan(0);
    pace.end();
    expect(pace.begin()).toBeNull();
    pace.end();
    for (let call = 0; call < 8; call++) pace.reserve(0);
    expect(pace.begin()).toBeGreaterThan(0);
  });

  test("that waits is retried after those that waited before it, at the pace of the limit", () => {
    const { time, clock } = settableClock();
    const pace = createCallPace(clock, 80);
    for (let call = 0; call < 80; call++) pace.reserve(0);
    expect(Array.from({ length: 5 }, () => pace.begin())).toEqual([60_000, 66_000, 72_000, 78_000, 84_000]);
    time.passedMs += MINUTE;
    expect(pace.begin()).toBeNull();
  });

  test("is retried within ten minutes, however often others were retried before their time", () => {
    const { time, clock } = settableClock();
    const pace = createCallPace(clock, 80);
    for (let minute = 0; minute < 60; minute++) {
      for (let call = 0; call < 80; call++) pace.reserve(0);
      for (let lane = 0; lane < 60; lane++) expect(pace.begin()).toBeLessThanOrEqual(10 * MINUTE);
      time.passedMs += MINUTE;
    }
  });

  test("begins alone where the limit is lower than what it needs", () => {
    const { time, clock } = settableClock();
    const pace = createCallPace(clock, 2);
    expect(pace.begin()).toBeNull();
    expect(pace.begin()).toBeGreaterThan(0);
    expect([pace.reserve(0), pace.reserve(0), pace.reserve(MINUTE)]).toEqual([0, 0, MINUTE]);
    pace.end();
    time.passedMs += 2 * MINUTE;
    expect(pace.begin()).toBeNull();
  });
});
