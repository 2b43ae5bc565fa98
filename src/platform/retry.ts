import { DAY_MS } from "../kernel/clock.ts";
import type { Failure } from "./errors.ts";

export interface RetryRules {
  /** Attempts of one read, the first included. */
  readonly tries: number;
  /** The pause before attempt n is drawn from 0 to `baseMs` · 2^(n-1) ms, at most `maxMs`. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** The longest accepted `Retry-After`, in ms; beyond it the call fails, and the failure states the requested pause. */
  readonly maxRetryAfterMs: number;
}

const RETRIED_STATUSES: readonly number[] = [408, 429];
const RETRIED_CODES: readonly string[] = [
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
];

/** Whether the same read may succeed at the next attempt: 408, 429, 5xx, broken connections. */
const isRetryable = ({ status, code }: Failure): boolean =>
  status === null
    ? code !== null && RETRIED_CODES.includes(code)
    : status >= 500 || RETRIED_STATUSES.includes(status);

/**
 * Returns the pause before attempt `next` (2 is the first repetition), in ms; null: no further attempt. The
 * service's `Retry-After` is a minimum; a random addition spreads clients. `random` is between 0 and 1.
 */
export function computeRetryPause(
  next: number,
  last: Failure,
  { rules, random }: { rules: RetryRules; random: number },
): number | null {
  if (next > rules.tries || !isRetryable(last)) return null;
  const retryAfterMs = last.retryAfterMs ?? 0;
  if (retryAfterMs > rules.maxRetryAfterMs) return null;
  return retryAfterMs + random * Math.min(rules.maxMs, rules.baseMs * 2 ** (next - 2));
}

/** Upper bound of a plausible pause: one day, in ms. */
const LONGEST = DAY_MS;
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .{10,40}$/;

/** `Retry-After` in ms: seconds or an HTTP date, between 0 and one day; null when absent or neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  const words = value?.trim() ?? "";
  const pauseMs = /^\d+$/.test(words)
    ? Number(words) * 1000
    : HTTP_DATE.test(words)
      ? Date.parse(words) - nowMs
      : Number.NaN;
  return Number.isNaN(pauseMs) ? null : Math.min(Math.max(pauseMs, 0), LONGEST);
}
