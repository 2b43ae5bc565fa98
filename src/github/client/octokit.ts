import { AsyncResource } from "node:async_hooks";
import { Octokit } from "@octokit/rest";
import type { OctokitResponse } from "@octokit/types";
import type { Logger } from "pino";
import { z } from "zod";
import { HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { refuseLimit } from "./graphql.ts";
import { createGuardedFetch, type Fetch } from "./guarded-fetch.ts";
import { describeForeignBody } from "./read-answer.ts";
import {
  createGitHubFailure,
  describeRoute,
  type FailureKind,
  GitHubError,
  type GitHubFailure,
  type OnGitHubCall,
  readRateLimit,
  redactMessage,
  SupersededError,
} from "./result.ts";
import { createCheckBatch, createWriteLane, type WriteLaneOptions, type WriteOptions } from "./write-lane.ts";

declare module "@octokit/types" {
  interface RequestRequestOptions {
    /** How the write lane treats this call. A write without it goes after the checks and is never dropped. */
    write?: WriteOptions;
  }
}

type Send = () => Promise<OctokitResponse<unknown>>;

/** Pauses before the second and the third try of a read, in milliseconds. */
const READ_PAUSES = [300, 1_200] as const;
const UNTAGGED: WriteOptions = { priority: "comment", isCurrent: async () => true };

interface PaceOptions extends WriteLaneOptions {
  readonly onCall?: OnGitHubCall;
  /** False: every write is a request of its own. Absent: checks that wait at the same time are sent together. */
  readonly batchesChecks?: boolean;
}

/**
 * Hooks every request of an Octokit, however it is made. Reads are retried twice after a temporary failure. Writes start at least
 * `writeSpacingMs` apart, checks first; a write is never repeated, because only its caller can find out whether it happened. After a
 * rate limit every call fails with `rate_limited` at once, without a request, until the time that GitHub named is over.
 * A failed call throws `GitHubError`, a dropped write `SupersededError`.
 */
function paceRequests(octokit: Octokit, options: PaceOptions): void {
  const pause = createRateLimitPause(options);
  const lane = createWriteLane(options, createCheckBatch(octokit, pause, options.clock));
  octokit.hook.wrap("request", (request, call) => {
    const { url = "", method, query, request: { write = UNTAGGED } = {} } = call;
    const isGraphql = url.endsWith("/graphql");
    const isRead = isGraphql ? /^\s*(query\b|\{)/.test(String(query)) : ["GET", "HEAD"].includes(method);
    const sendOnce: Send = async () => checkResponse(await request(call), isGraphql);
    const send: Send = () => pause.send(measureCall(sendOnce, describeRoute(call), options));
    if (isRead) return sendWithRetries(send, options.wait);
    if (write.isPaced === true) return send();
    const mutation = options.batchesChecks === false ? undefined : write.mutation;
    return enterLane(lane, { send, write: { ...write, mutation }, pause });
  });
}

function measureCall(send: Send, route: string, { onCall, clock }: PaceOptions): Send {
  if (onCall === undefined) return send;
  return async () => {
    const beganMs = clock.monotonicMs();
    const measure = () => ({ route, seconds: (clock.monotonicMs() - beganMs) / 1_000 });
    try {
      const answer = await send();
      onCall({ ...measure(), outcome: "ok", rateLimit: readRateLimit(answer.headers), pauseMs: null });
      return answer;
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      const { kind: outcome, retryAfterMs: pauseMs } = classifyError(error, clock.now());
      onCall({ ...measure(), outcome, rateLimit: null, pauseMs });
      throw error;
    }
  };
}

/** The pause of one Octokit after a rate limit, by the monotonic clock. Processes that share a database share their pauses. */
function createRateLimitPause({ clock, pace }: Pick<PaceOptions, "clock" | "pace">) {
  let until = Number.NEGATIVE_INFINITY;
  const getRemainingMs = () => until - clock.monotonicMs();
  const extend = (ms: number) => {
    until = Math.max(until, clock.monotonicMs() + ms);
  };
  pace?.onPause(extend);
  return {
    isOver: () => getRemainingMs() <= 0,
    async send(send: Send): ReturnType<Send> {
      if (getRemainingMs() > 0) throw new GitHubError(rateLimited(getRemainingMs()));
      try {
        return await send();
      } catch (error) {
        if (error instanceof SupersededError) throw error;
        const failure = classifyError(error, clock.now());
        if (failure.retryAfterMs !== null) {
          extend(failure.retryAfterMs);
          await pace?.savePause(failure.retryAfterMs);
        }
        throw new GitHubError(failure, error);
      }
    },
  };
}

const rateLimited = (retryAfterMs: number) => ({
  ...createGitHubFailure("rate_limited", "waiting for the end of a rate limit"),
  retryAfterMs,
});

/** Octokit accepts a redirect that was not followed, and a limit of GraphQL inside an answer with status 200. */
function checkResponse<T>(response: OctokitResponse<T>, isGraphql: boolean): OctokitResponse<T> {
  if (response.status >= 300)
    throw new GitHubError(createGitHubFailure("moved", "a redirect", response.status));
  if (isGraphql) refuseLimit(response.data);
  return response;
}

async function sendWithRetries(send: Send, wait: (ms: number) => Promise<void>): ReturnType<Send> {
  for (const pauseMs of READ_PAUSES) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof GitHubError) || error.failure.kind !== "unavailable") throw error;
    }
    await wait(pauseMs);
  }
  return send();
}

interface PacedWrite {
  readonly send: Send;
  readonly write: WriteOptions;
  readonly pause: ReturnType<typeof createRateLimitPause>;
}

/** Only a write that was sent keeps the next one waiting. */
function enterLane(
  lane: ReturnType<typeof createWriteLane>,
  { send, write, pause }: PacedWrite,
): ReturnType<Send> {
  return new Promise((resolve, reject) => {
    const isCurrent = async (): Promise<boolean> => {
      try {
        if (await write.isCurrent()) return true;
        reject(new SupersededError("a newer evaluation took its place"));
      } catch (error) {
        reject(error);
      }
      return false;
    };
    const run = async (): Promise<boolean> => {
      if (!(await isCurrent())) return false;
      const isSent = pause.isOver();
      await send().then(resolve, reject);
      return isSent;
    };
    const { priority, mutation } = write;
    // The lane runs it later, in a call chain of another job.
    const bound = { isCurrent: AsyncResource.bind(isCurrent), run: AsyncResource.bind(run) };
    lane.enter({ priority, mutation, resolve, reject, ...bound });
  });
}

const HttpError = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()), data: z.unknown() }).optional(),
});

type Headers = Readonly<Record<string, unknown>>;

/** Classifies an error from Octokit. `nowMs` converts GitHub's times into delays. */
function classifyError(error: unknown, nowMs: number): GitHubFailure {
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

export interface OctokitSettings extends PaceOptions {
  /** Where REST is answered: see `resolveGitHubApiUrl`; for a sandbox its loopback address with or without `/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  /** Absent: nothing is logged. */
  readonly log?: Logger;
  /** For one call, in milliseconds; at most and by default 10,000. */
  readonly timeoutMs?: number;
}

/** An authentication strategy of Octokit with its options; without one, calls are anonymous. */
interface Authentication {
  readonly authStrategy?: object;
  readonly auth?: object | string;
}

const TIMEOUT_MS = 10_000;
/** A page of 100 comments of GitHub's largest size still fits. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Makes an Octokit: the only way in which GitHub's API is called. Each has a write lane and a rate limit pause of its own, and its
 * requests keep to GitHub's origin, to a time and to a size.
 */
export function createOctokit(settings: OctokitSettings, authentication: Authentication = {}): Octokit {
  const { origin, pathname } = new URL(settings.apiUrl);
  const timeoutMs = Math.min(settings.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
  const fetch = createGuardedFetch({ fetch: settings.fetch, origin, timeoutMs, maxBytes: MAX_BYTES });
  const log = requestLog(settings.log);
  const octokit = new Octokit({
    ...authentication,
    baseUrl: `${origin}${pathname.replace(/\/+$/, "")}`,
    request: { fetch, log },
    log,
  });
  paceRequests(octokit, settings);
  return octokit;
}

/** Octokit logs each request and its options: method, path and status are for `debug`, and nothing else is logged. */
function requestLog(log: Logger | undefined) {
  const debug = (message: string): void => log?.debug(message);
  return { debug: () => {}, info: debug, warn: (message: string) => log?.warn(message), error: debug };
}
