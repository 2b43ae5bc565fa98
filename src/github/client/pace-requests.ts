import { AsyncResource } from "node:async_hooks";
import type { Octokit } from "@octokit/rest";
import type { OctokitResponse } from "@octokit/types";
import type { Clock } from "../../kernel/clock.ts";
import { CheckBatch } from "./check-batch.ts";
import { classifyError } from "./classify-error.ts";
import { refuseLimit } from "./graphql.ts";
import {
  createGitHubFailure,
  describeRoute,
  GitHubError,
  type OnGitHubCall,
  readRateLimit,
  SupersededError,
} from "./result.ts";
import type { WritePace } from "./shared-installation.ts";
import { WriteLane, type WriteLaneOptions, type WriteOptions } from "./write-lane.ts";

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

export interface PaceOptions extends WriteLaneOptions {
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
export function paceRequests(octokit: Octokit, options: PaceOptions): void {
  const pause = new RateLimitPause(options);
  const lane = new WriteLane(options, new CheckBatch(octokit, pause, options.clock));
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

/** The pause of one Octokit after a rate limit, by the monotonic clock; other processes are told of it, and tell of theirs. */
class RateLimitPause {
  readonly #clock: Clock;
  readonly #pace: WritePace | null;
  #until = Number.NEGATIVE_INFINITY;

  constructor({ clock, pace }: Pick<PaceOptions, "clock" | "pace">) {
    this.#clock = clock;
    this.#pace = pace ?? null;
    pace?.onPause((ms) => this.#extend(ms));
  }

  isOver(): boolean {
    return this.#remainingMs() <= 0;
  }

  async send(send: Send): ReturnType<Send> {
    if (!this.isOver()) throw new GitHubError(rateLimited(this.#remainingMs()));
    try {
      return await send();
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      const failure = classifyError(error, this.#clock.now());
      if (failure.retryAfterMs !== null) {
        this.#extend(failure.retryAfterMs);
        await this.#pace?.savePause(failure.retryAfterMs);
      }
      throw new GitHubError(failure, error);
    }
  }

  #extend(ms: number): void {
    this.#until = Math.max(this.#until, this.#clock.monotonicMs() + ms);
  }

  #remainingMs(): number {
    return this.#until - this.#clock.monotonicMs();
  }
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
  readonly pause: RateLimitPause;
}

/** Only a write that was sent keeps the next one waiting. */
function enterLane(lane: WriteLane, { send, write, pause }: PacedWrite): ReturnType<Send> {
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
