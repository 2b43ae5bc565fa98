import { expect, it } from "vitest";
import { createBearerLimiter } from "../../src/web/bearer-limiter.ts";

/** A clock that can be set, over time that passes. */
function settableClock() {
  const time = { passedMs: 0, setMs: 0 };
  const clock = { now: () => time.passedMs + time.setMs, monotonicMs: () => time.passedMs };
  return { time, clock };
}

it.each([-5, 5])("setting the clock by %i hours neither shuts out nor lets in a bearer", (hours) => {
  const { time, clock } = settableClock();
  const isWithinRate = createBearerLimiter(clock, 2);
  expect([1, 2, 3].map(() => isWithinRate("a"))).toEqual([true, true, false]);
  time.setMs = hours * 3_600_000;
  expect(isWithinRate("a")).toBe(false);
  time.passedMs += 60_000;
  expect(isWithinRate("a")).toBe(true);
});
