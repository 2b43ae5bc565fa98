import { z } from "zod";
import { HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { describeForeignBody } from "./guarded-fetch.ts";
import {
  createGitHubFailure,
  type FailureKind,
  GitHubError,
  type GitHubFailure,
  redactMessage,
} from "./result.ts";

const HttpError = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()), data: z.unknown() }).optional(),
});

type Headers = Readonly<Record<string, unknown>>;

/** Classifies an error from Octokit. `nowMs` converts GitHub's times into delays. */
export function classifyError(error: unknown, nowMs: number): GitHubFailure {
  if (error instanceof GitHubError) return error.failure;
  if (error instanceof Error && error.cause instanceof GitHubError) return error.cause.failure; // of the fetch
  const parsed = HttpError.safeParse(error);
  if (!parsed.success)
    return createGitHubFailure("unavailable", error instanceof Error ? error.message : "no answer");
  const { status, message, response } = parsed.data;
  if (response === undefined) return createGitHubFailure("unavailable", message);
  if (isRateLimit(status, message, response.headers)) {
    const retryAfterMs = computeWaitingTime(response.headers, nowMs);
    return { kind: "rate_limited", status, message: redactMessage(message), retryAfterMs };
  }
  return createGitHubFailure(
    toFailureKind(status, message),
    describeForeignBody(response.data, status) ?? message,
    status,
  );
}

/**
 * How long to pause, in milliseconds: `retry-after` (seconds or a date), else the reset of an exhausted quota, else a minute.
 * An unusable value counts as a minute; a longer pause than an hour is cut to an hour.
 */
function computeWaitingTime(headers: Headers, ownNowMs: number): number {
  const nowMs = parseServerTime(headers) ?? ownNowMs;
  const after = toText(headers["retry-after"]);
  if (after !== null)
    return clampPause(/^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - nowMs);
  const reset = toText(headers["x-ratelimit-reset"]);
  if (toText(headers["x-ratelimit-remaining"]) === "0" && reset !== null && /^\d+$/.test(reset)) {
    return clampPause(Number(reset) * 1000 - nowMs);
  }
  return MINUTE_MS;
}

/** GitHub's times are by its own clock, which it states with each answer; ours may differ by hours. */
function parseServerTime(headers: Headers): number | null {
  const stated = Date.parse(toText(headers["date"]) ?? "");
  return Number.isNaN(stated) ? null : stated;
}

const clampPause = (ms: number): number =>
  Number.isFinite(ms) && ms > 0 ? Math.min(ms, HOUR_MS) : MINUTE_MS;

function isRateLimit(status: number, message: string, headers: Headers): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  if (toText(headers["retry-after"]) !== null || toText(headers["x-ratelimit-remaining"]) === "0")
    return true;
  return /rate limit|abuse detection/i.test(message); // a secondary limit without headers is known by its words only
}

function toFailureKind(status: number, message: string): FailureKind {
  if (status === 401) return "unauthorised";
  if (status === 403) return /suspended/i.test(message) ? "suspended" : "forbidden"; // GitHub has no code for it
  if (status === 404) return "not_found";
  if (status === 410 || status === 451) return "gone";
  if (status === 408 || status >= 500) return "unavailable";
  return status < 400 ? "moved" : "rejected";
}

const toText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;
