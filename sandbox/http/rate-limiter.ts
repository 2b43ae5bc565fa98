import { type Clock, HOUR_MS } from "../../src/kernel/clock.ts";

/** An hour's budget of calls. `reset` is in milliseconds. */
interface RateBudget {
  readonly used: number;
  readonly reset: number;
}

/** One budget per key, a resource and a caller: "core:12". It starts with the first call and lasts an hour by the clock. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #budgets = new Map<string, RateBudget>();

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  count(key: string): void {
    const { used, reset } = this.#read(key);
    this.#budgets.set(key, { used: used + 1, reset });
  }

  isSpent(key: string): boolean {
    return this.#read(key).used > this.#limit;
  }

  /** Formats the budget for `/rate_limit`. */
  format(key: string): Readonly<Record<"limit" | "used" | "remaining" | "reset", number>> {
    const { used, reset } = this.#read(key);
    const remaining = Math.max(0, this.#limit - used);
    return { limit: this.#limit, used, remaining, reset: Math.ceil(reset / 1000) };
  }

  /** Formats the budget for the headers of an answer. */
  formatHeaders(key: string): Record<string, string> {
    const rows = Object.entries({ ...this.format(key), resource: key.split(":")[0] });
    return Object.fromEntries(rows.map(([name, value]) => [`x-ratelimit-${name}`, String(value)]));
  }

  #read(key: string): RateBudget {
    const known = this.#budgets.get(key);
    if (known !== undefined && known.reset > this.#clock.now()) return known;
    return { used: 0, reset: this.#clock.now() + HOUR_MS };
  }
}
