import { setTimeout as sleep } from "node:timers/promises";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { EvaluatedPull } from "../../policy/model/evaluation.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import { type Fence, isFenceHeld } from "../../store/database/lanes.ts";
import type { SavedEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "./deps.ts";

/** The dependencies of one evaluation of a pull request, for each of its steps. */
export interface PullRun {
  readonly deps: JobDeps;
  readonly key: PullKey;
  readonly fence: Fence;
  readonly attempt: JobAttempt;
  readonly client: InstallationClient;
  /** By the monotonic clock, in ms. */
  readonly startedMs: number;
  /** Whether this is still the newest evaluation of its lane; checked right before each write is sent. */
  readonly isCurrent: () => Promise<boolean>;
}

/** The start of an evaluation: a lane's subject, its fencing token, and the queue's attempt. */
export type LaneRun<Subject> = Pick<PullRun, "fence" | "attempt"> & { readonly key: Subject };

/** The head of a pull request on GitHub, with the store's data from before this evaluation. */
export interface CurrentHead {
  readonly run: PullRun;
  readonly head: HeadState;
  /** What is below it in its stack; absent: nothing is, or it is not read yet. */
  readonly stack?: NonNullable<EvaluatedPull["stack"]> & {
    /** Of the pull requests below; null: unknown. */
    readonly authors: readonly (string | null)[];
  };
  /** The pull request's newest stored evaluation, of any head; null: none yet. */
  readonly before: SavedEvaluation | null;
  /** When the head was first seen, in ms since 1970. */
  readonly sinceMs: number;
  /** True: a delivery announced another head than GitHub shows. GitHub's replicas may lag, so the head is read again soon. */
  readonly canLag: boolean;
}

/** Starts an evaluation of a pull request for one installation. */
export function startRun(
  deps: JobDeps,
  { key, fence, attempt }: LaneRun<PullKey>,
  installationId: number,
): PullRun {
  return {
    deps,
    key: { repositoryId: key.repositoryId, number: key.number },
    fence,
    attempt,
    client: deps.github(installationId),
    startedMs: deps.clock.monotonicMs(),
    isCurrent: async () => !attempt.signal.aborted && (await isFenceHeld(deps.db, fence)),
  };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {});
