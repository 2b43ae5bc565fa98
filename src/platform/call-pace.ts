import type { Clock } from "../kernel/clock.ts";

const MINUTE_MS = 60_000;
/** Calls that an evaluation of a new execution usually makes. */
const CALLS_EACH = 8;
/** Longest time until a retry, in ms: deliveries and the sweep retry many evaluations earlier, and each of these moves the next retries back. */
const LONGEST_RETRY_MS = 10 * MINUTE_MS;
/** Old turns are removed when there are this many. */
const OLD_TURNS = 1_000;

/** Allows at most `perMinute` calls in any 60 seconds, in the order of their requests; below the limit nothing waits. */
export class CallPace {
  readonly #clock: Clock;
  #perMinute: number;
  /** When calls began or will begin, by the monotonic clock, oldest first; those before `#first` are over a minute old. */
  #turns: number[] = [];
  #first = 0;
  #evaluations = 0;
  #lastRetryMs = 0;

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  /** Allows another number of calls from now on; turns that are reserved stay. */
  setLimit(perMinute: number): void {
    this.#perMinute = perMinute;
  }

  /** Reserves the turn of one call; returns the wait until then in ms, or null when it exceeds `patienceMs`. */
  reserve(patienceMs: number): number | null {
    const waitMs = this.#computeWait(1);
    if (waitMs > patienceMs) return null;
    this.#turns.push(this.#clock.monotonicMs() + waitMs);
    return waitMs;
  }

  /**
   * Begins the calls of an evaluation, until `end`. Null: it may call. Otherwise it makes no call, and is retried after the returned time
   * in ms, ten minutes at most. Retries are spaced at the pace of the limit.
   */
  begin(): number | null {
    const waitMs = this.#computeWaitForRoom();
    if (waitMs === 0) {
      this.#evaluations += 1;
      return null;
    }
    const nowMs = this.#clock.monotonicMs();
    const nextMs = Math.max(nowMs + waitMs, this.#lastRetryMs + this.#spacingMs);
    this.#lastRetryMs = nextMs > nowMs + LONGEST_RETRY_MS ? nowMs + waitMs : nextMs;
    return this.#lastRetryMs - nowMs;
  }

  /** Ends the calls of an evaluation that `begin` allowed. */
  end(): void {
    this.#evaluations -= 1;
  }

  get #spacingMs(): number {
    return (CALLS_EACH * MINUTE_MS) / this.#perMinute;
  }

  /** Returns the time until one more evaluation has room, in ms. Those that have begun may still make all of their calls. */
  #computeWaitForRoom(): number {
    const calls = CALLS_EACH * (this.#evaluations + 1);
    if (this.#evaluations > 0 && calls > this.#perMinute) return this.#spacingMs;
    return this.#computeWait(Math.min(calls, this.#perMinute));
  }

  /** Returns the time until this many calls may begin at once, in ms. */
  #computeWait(calls: number): number {
    const nowMs = this.#clock.monotonicMs();
    this.#forgetBefore(nowMs - MINUTE_MS);
    // Turns that were reserved under a lower limit keep their order.
    const lastMs = this.#turns.at(-1) ?? nowMs;
    const index = this.#turns.length - 1 - (this.#perMinute - calls);
    const blocking = index < this.#first ? undefined : this.#turns[index];
    return Math.max(0, lastMs - nowMs, blocking === undefined ? 0 : blocking + MINUTE_MS - nowMs);
  }

  #forgetBefore(timeMs: number): void {
    while ((this.#turns[this.#first] ?? Number.POSITIVE_INFINITY) <= timeMs) this.#first += 1;
    if (this.#first < OLD_TURNS) return;
    this.#turns = this.#turns.slice(this.#first);
    this.#first = 0;
  }
}
