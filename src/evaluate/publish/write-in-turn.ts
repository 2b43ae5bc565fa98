import { setTimeout as sleep } from "node:timers/promises";
import type { CheckOutcome, CheckWrite, KnownCheck } from "../../github/checks/check-write.ts";
import { endHiddenRun, listRuns, publishCheck } from "../../github/checks/publish-check.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import {
  createGitHubFailure,
  type GitHubResult,
  isOutcomeUnknown,
  succeeded,
} from "../../github/client/result.ts";
import type { CommentOutcome } from "../../github/comments/comment-write.ts";
import { classifyRefusal } from "../../github/comments/comment-write.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { CommentProblem } from "../../policy/news.ts";
import {
  type CheckTurn,
  type EndedTurn,
  type EndOfCheckTurn,
  endCheckTurn,
  interruptCheckTurns,
  renewCheckTurn,
  takeCheckTurn,
} from "../../store/check-runs.ts";
import type { Fence } from "../../store/database/lanes.ts";
import type { JobDeps } from "../run/deps.ts";
import { enqueueAfterLateRequests } from "./late-requests.ts";

/** The check of a base branch under the name that its policy gives. */
export interface CurrentCheckTarget extends CheckTarget {
  readonly baseRef: string;
}

/** Where a check is written, and for which evaluation. */
export interface CheckTarget {
  readonly client: InstallationClient;
  readonly repositoryId: number;
  /** The repository's global id; null: unknown, so this check is never sent together with others. */
  readonly repositoryNodeId: string | null;
  readonly headSha: string;
  readonly checkName: string;
  /** Null: the name is a former one for the base branch. */
  readonly baseRef: string | null;
  /** Our newest check run as GitHub lists it; updated when the store does not have it. */
  readonly listedRun: KnownCheck | null;
  /** Conclusion, else status, of that check run on GitHub; null: none is listed. */
  readonly listedState: string | null;
  readonly fence: Fence;
  readonly isCurrent: () => Promise<boolean>;
}

export type CheckContent = Pick<
  CheckWrite,
  "known" | "decision" | "output" | "externalId" | "detailsUrl" | "actions"
>;

export type TurnDeps = Pick<JobDeps, "db" | "clock"> & {
  readonly queue: Pick<JobDeps["queue"], "enqueue" | "setAlarm">;
};

/** Interval between two requests for the turn while another lane has it, in ms. */
const POLL_MS = 200;
/** Longest wait of a lane for its turn, in ms: a crashed one keeps its turn for 20 seconds. */
const LONGEST_WAIT_MS = 60_000;
/** A turn older than this is renewed before a request is sent, in ms. */
const FRESH_MS = 5_000;

/**
 * Writes a check while no other lane does. `choose` receives the newest check run of the slot, and returns what to write; null: nothing.
 * What `choose` reads of other lanes is complete: a lane saves its evaluation before its own turn. A run that wrote after a later run of
 * its lane had begun enqueues the lane, because its check may be the one that GitHub shows.
 */
export async function writeInTurn(
  deps: TurnDeps,
  target: CheckTarget,
  choose: (known: KnownCheck | null) => Promise<CheckContent | null>,
): Promise<PublishOutcome> {
  const beganMs = deps.clock.monotonicMs();
  let hasTried = false;
  while (deps.clock.monotonicMs() - beganMs < LONGEST_WAIT_MS) {
    const takenMs = deps.clock.monotonicMs();
    const taken = await takeCheckTurn(deps.db, target, { fence: target.fence, now: now(deps) });
    // After a write of its own in a turn that others interrupted, it does not know what GitHub shows.
    const turn: CheckTurn | null = taken && { ...taken, isUncertain: taken.isUncertain || hasTried };
    const outcome: PublishOutcome | null = turn && (await writeOnce(deps, target, { turn, takenMs, choose }));
    if (outcome !== null && outcome.state !== "superseded") return outcome;
    hasTried ||= outcome !== null;
    if (!(await target.isCurrent())) return { state: "superseded" };
    await sleep(POLL_MS);
  }
  return { state: "failed", failure: OTHERS_WRITE };
}

const OTHERS_WRITE = createGitHubFailure("unavailable", "other pull requests with this head write its check");

interface TakenTurn {
  readonly turn: CheckTurn;
  /** By the monotonic clock, in ms. */
  readonly takenMs: number;
  readonly choose: (known: KnownCheck | null) => Promise<CheckContent | null>;
}

/** `superseded`: this run of the lane is not the newest, or another writer wrote the check meanwhile. */
async function writeOnce(
  deps: TurnDeps,
  target: CheckTarget,
  { turn, takenMs, choose }: TakenTurn,
): Promise<PublishOutcome> {
  const { db, clock } = deps;
  const { fence } = target;
  const nothing = { turn, shown: null, isUnanswered: false, isEmpty: false };
  const runs = await findRuns(target, turn);
  if (!runs.ok) {
    await endTurn(deps, target, nothing);
    return { state: "failed", failure: runs.failure };
  }
  const content = await choose(runs.value.known);
  if (content === null) {
    await endTurn(deps, target, { ...nothing, isEmpty: runs.value.known === null });
    return { state: "published" };
  }
  const isCurrent = async (): Promise<boolean> =>
    (await target.isCurrent()) &&
    (clock.monotonicMs() - takenMs < FRESH_MS || (await renewCheckTurn(db, target, fence)));
  const { client, repositoryId, repositoryNodeId, headSha, checkName } = target;
  const write = { repositoryId, repositoryNodeId, headSha, checkName, ...content, isCurrent };
  const outcome = await publishCheck(client, write);
  for (const checkRunId of runs.value.hidden) await endHiddenRun(client, write, checkRunId);
  // When the result is unknown, the turn is not ended, so that the next writer reads GitHub.
  if ("failure" in outcome && isOutcomeUnknown(outcome.failure)) return toPublishOutcome(outcome);
  const shown = "known" in outcome ? outcome.known : null;
  const ended = await endTurn(deps, target, { ...nothing, shown, isUnanswered: outcome.isUnanswered });
  if (ended !== "overtaken" || (shown === null && !outcome.isUnanswered)) return toPublishOutcome(outcome);
  // Another writer wrote before or after this one, and may have known more.
  await interruptCheckTurns(db, target);
  if (!(await target.isCurrent())) await deps.queue.enqueue(fence.lane);
  return { state: "superseded" };
}

async function endTurn(
  deps: TurnDeps,
  target: CheckTarget,
  end: Omit<EndOfCheckTurn, "fence" | "now">,
): Promise<EndedTurn> {
  const { fence } = target;
  const ended = await endCheckTurn(deps.db, target, { ...end, fence, now: now(deps) });
  // Until then every turn reads GitHub.
  if (ended === "unanswered") await enqueueAfterLateRequests(deps, fence.lane, "late check");
  return ended;
}

interface SlotRuns {
  /** The check run to update: the newer one of the stored and the listed run, because GitHub counts the newest. */
  readonly known: KnownCheck | null;
  /** Ids of those that newer ones hide and that nobody ended, as far as GitHub was read. */
  readonly hidden: readonly number[];
}

async function findRuns(
  target: CheckTarget,
  { checkRunId, digest, completed, isUncertain }: CheckTurn,
): Promise<GitHubResult<SlotRuns>> {
  const answer = isUncertain
    ? await listRuns(target.client, target)
    : succeeded({ newest: target.listedRun, hidden: [] });
  if (!answer.ok) return answer;
  const { newest, hidden } = answer.value;
  const stored = checkRunId === null ? null : { checkRunId, digest: isUncertain ? "" : digest, completed };
  return succeeded({ known: selectNewer(stored, newest), hidden });
}

function selectNewer(stored: KnownCheck | null, listed: KnownCheck | null): KnownCheck | null {
  if (stored === null || listed === null) return stored ?? listed;
  if (listed.checkRunId !== stored.checkRunId) return listed.checkRunId > stored.checkRunId ? listed : stored;
  return { ...listed, ...stored, completed: stored.completed || listed.completed };
}

const now = ({ clock }: TurnDeps): Date => new Date(clock.now());

/** Result of a write, as the lane needs it. */
export type PublishOutcome =
  | { readonly state: "published" }
  /** A later evaluation of the lane has started: no further write is allowed. */
  | { readonly state: "superseded" }
  /** GitHub refuses the write and states why. */
  | { readonly state: "refused"; readonly problem: CommentProblem; readonly failure: GitHubFailure }
  | { readonly state: "failed"; readonly failure: GitHubFailure };

export function toPublishOutcome(outcome: CheckOutcome | CommentOutcome): PublishOutcome {
  switch (outcome.state) {
    case "written":
    case "unchanged":
    case "deleted":
      return { state: "published" };
    case "superseded":
      return { state: "superseded" };
    case "refused": {
      const problem = "reason" in outcome ? outcome.reason : "refused";
      return { state: "refused", problem, failure: outcome.failure };
    }
    case "failed":
      return { state: "failed", failure: outcome.failure };
  }
}

/** The outcome of a failure to read or to change a comment. */
export function toFailedOutcome(failure: GitHubFailure): PublishOutcome {
  const problem = classifyRefusal(failure);
  return problem === null ? { state: "failed", failure } : { state: "refused", problem, failure };
}

/** Attempts of a job that retry, with the queue's short pauses, what GitHub refused without a known reason. */
export const QUICK_TRIES = 2;

/**
 * Longest pause, in ms. A refused write appears at most this long after GitHub accepts it again, plus the
 * time until the next sweep.
 */
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/**
 * Pause before the second attempt, in ms; each further pause is twice as long. Settings made by people do not
 * change within minutes.
 */
const FIRST_PAUSE_MS: Readonly<Record<CommentProblem, number>> = {
  refused: 3 * MINUTE_MS,
  unavailable: 3 * MINUTE_MS,
  earlier: 3 * MINUTE_MS,
  limited: 10 * MINUTE_MS,
  locked: LONGEST_PAUSE_MS,
  blocked: LONGEST_PAUSE_MS,
  restricted: LONGEST_PAUSE_MS,
  disabled: LONGEST_PAUSE_MS,
  too_long: LONGEST_PAUSE_MS,
  contested: LONGEST_PAUSE_MS,
};

/** How long after the failed attempt number `tries` (from 1) the next one is due, in ms. */
export const computePause = (problem: CommentProblem, tries: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS[problem] * 2 ** (tries - 1));
