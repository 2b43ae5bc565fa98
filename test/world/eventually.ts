import { setTimeout as sleep } from "node:timers/promises";

/** In ms; outside of a test, as in a benchmark, four minutes. */
let readRemainingMs = (): number => 240_000;

/** `remainingMs`: how long the running test or hook may still last. */
export function limitEventually(remainingMs: () => number): void {
  readRemainingMs = remainingMs;
}

/** In ms: what is left of a test's time when `eventually` fails, so that the failure says what did not hold. */
const MARGIN_MS = 5_000;

/** Tries until the expectation holds, as long as the running test may last; its last failure is the test's failure. */
export async function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + readRemainingMs() - MARGIN_MS;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(20);
    }
  }
}
