import type { Clock } from "../../src/kernel/clock.ts";

const HOUR_MS = 3_600_000;

/** An hour's budget of calls, as in the rate-limit headers. `reset` is in milliseconds. */
export interface RateBudget {
  readonly limit: number;
  readonly used: number;
  readonly reset: number;
}

export interface RateLimiter {
  /** Counts one call and returns the budget after it. */
  use(key: string): RateBudget;
  /** Refunds one call: answers "not modified" are free. */
  refund(key: string): RateBudget;
  peek(key: string): RateBudget;
}

/** Creates one budget per key (an installation or an App); it starts with the first call and lasts an hour by the clock. */
export function createRateLimiter(clock: Clock, limit: number): RateLimiter {
  const budgets = new Map<string, RateBudget>();
  const peek = (key: string): RateBudget => {
    const known = budgets.get(key);
    if (known !== undefined && known.reset > clock.now()) return known;
    return { limit, used: 0, reset: clock.now() + HOUR_MS };
  };
  const add = (key: string, calls: number): RateBudget => {
    const before = peek(key);
    const after = { ...before, used: before.used + calls };
    budgets.set(key, after);
    return after;
  };
  return { use: (key) => add(key, 1), refund: (key) => add(key, -1), peek };
}

export const isBudgetSpent = (budget: RateBudget): boolean => budget.used > budget.limit;

export const buildBudgetHeaders = (budget: RateBudget, resource: string): Record<string, string> => ({
  "x-ratelimit-limit": String(budget.limit),
  "x-ratelimit-remaining": String(Math.max(0, budget.limit - budget.used)),
  "x-ratelimit-used": String(budget.used),
  "x-ratelimit-reset": String(Math.ceil(budget.reset / 1000)),
  "x-ratelimit-resource": resource,
});
