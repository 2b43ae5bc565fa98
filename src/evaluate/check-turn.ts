import { setTimeout as sleep } from "node:timers/promises";
import {
  type CheckWrite,
  endHiddenRun,
  type KnownCheck,
  listRuns,
  type OwnRuns,
  publishCheck,
} from "../github/checks/publish-check.ts";
import type { InstallationClient } from "../github/client/installation-client.ts";
import {
  createGitHubFailure,
  GitHubError,
  isOutcomeUnknown,
  SupersededError,
} from "../github/client/result.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import {
  type CheckTurn,
  type EndedTurn,
  type EndOfCheckTurn,
  endCheckTurn,
  interruptCheckTurns,
  LATE_REQUESTS_END_MS,
  renewCheckTurn,
  takeCheckTurn,
} from "../store/check-runs.ts";
import type { Fence } from "../store/database/lanes.ts";
import type { JobDeps } from "./run/deps.ts";

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

/** What a check shows, and the check run that it updates. */
export type CheckContent = Pick<
  CheckWrite,
  "known" | "decision" | "output" | "externalId" | "detailsUrl" | "actions"
>;

export type TurnDeps = Pick<JobDeps, "db" | "clock"> & {
  readonly queue: Pick<JobDeps["queue"], "enqueue" | "setAlarm">;
};

type ChooseContent = (known: KnownCheck | null) => Promise<CheckContent | null>;

/** Interval between two requests for the turn while another lane has it, in ms. */
const POLL_MS = 200;
/** Longest wait of a lane for its turn, in ms: a crashed one keeps its turn for 20 seconds. */
const LONGEST_WAIT_MS = MINUTE_MS;
/** A turn older than this is renewed before a request is sent, in ms. */
const FRESH_MS = 5_000;

/**
 * Writes a check while no other lane does. `choose` receives the newest check run of the slot, and returns what to write; null: nothing.
 * What `choose` reads of other lanes is complete: a lane saves its evaluation before its own turn. A run that wrote after a later run of
 * its lane had begun enqueues the lane, because its check may be the one that GitHub shows.
 *
 * @throws GitHubError, SupersededError
 */
export async function writeInTurn(deps: TurnDeps, target: CheckTarget, choose: ChooseContent): Promise<void> {
  const { db, clock } = deps;
  const beganMs = clock.monotonicMs();
  let hasTried = false;
  while (clock.monotonicMs() - beganMs < LONGEST_WAIT_MS) {
    const takenMs = clock.monotonicMs();
    const turn = await takeCheckTurn(db, target, { fence: target.fence, now: new Date(clock.now()) });
    if (turn !== null) {
      // After a write of its own in a turn that others interrupted, it does not know what GitHub shows.
      const isUncertain = turn.isUncertain || hasTried;
      if (await writeOnce(deps, target, { turn: { ...turn, isUncertain }, takenMs, choose })) return;
      hasTried = true;
    }
    if (!(await target.isCurrent())) throw new SupersededError("a later evaluation writes the check");
    await sleep(POLL_MS);
  }
  throw new GitHubError(
    createGitHubFailure("unavailable", "other pull requests with this head write its check"),
  );
}

interface TakenTurn {
  readonly turn: CheckTurn;
  /** By the monotonic clock, in ms. */
  readonly takenMs: number;
  readonly choose: ChooseContent;
}

/** False: this run of the lane is not the newest, or another writer wrote the check meanwhile. */
async function writeOnce(
  deps: TurnDeps,
  target: CheckTarget,
  { turn, takenMs, choose }: TakenTurn,
): Promise<boolean> {
  const { db, clock } = deps;
  const { client, repositoryId, repositoryNodeId, headSha, checkName, fence } = target;
  const end = (ended: Pick<EndOfCheckTurn, "shown" | "isEmpty">) => endTurn(deps, target, { turn, ...ended });
  try {
    const { newest, hidden } = await findRuns(target, turn);
    const content = await choose(newest);
    if (content === null) {
      await end({ shown: null, isEmpty: newest === null });
      return true;
    }
    const isCurrent = async (): Promise<boolean> =>
      (await target.isCurrent()) &&
      (clock.monotonicMs() - takenMs < FRESH_MS || (await renewCheckTurn(db, target, fence)));
    const { isUncertain } = turn;
    const slot = { repositoryId, repositoryNodeId, headSha, checkName };
    const write = { ...slot, ...content, isUncertain, isCurrent };
    const shown = await publishCheck(client, write);
    const { known } = content;
    const isReplaced = known?.completed === false && known.checkRunId !== shown.checkRunId;
    for (const checkRunId of isReplaced ? [known.checkRunId, ...hidden] : hidden)
      await endHiddenRun(client, write, checkRunId);
    if ((await end({ shown, isEmpty: false })) !== "overtaken") return true;
  } catch (error) {
    const isSuperseded = error instanceof SupersededError;
    // When the outcome is unknown, the turn is not ended: the next writer reads GitHub, and the lane runs once more.
    if (isSuperseded || (error instanceof GitHubError && !isOutcomeUnknown(error.failure)))
      await end({ shown: null, isEmpty: false });
    if (isSuperseded) return false;
    throw error;
  }
  // Another writer wrote before or after this one, and may have known more.
  await interruptCheckTurns(db, target);
  if (!(await target.isCurrent())) await deps.queue.enqueue(fence.lane);
  return false;
}

async function endTurn(
  { db, clock, queue }: TurnDeps,
  target: CheckTarget,
  end: Omit<EndOfCheckTurn, "fence" | "now">,
): Promise<EndedTurn> {
  const { fence } = target;
  const ended = await endCheckTurn(db, target, { ...end, fence, now: new Date(clock.now()) });
  // Until then every turn reads GitHub.
  if (ended === "unanswered")
    await queue.setAlarm(fence.lane, clock.now() + LATE_REQUESTS_END_MS, "late check");
  return ended;
}

/** The check run to update: the newer one of the stored and the listed run, because GitHub counts the newest. */
async function findRuns(
  target: CheckTarget,
  { checkRunId, digest, completed, annotations, isUncertain }: CheckTurn,
): Promise<OwnRuns> {
  const { newest: listed, hidden } = isUncertain
    ? await listRuns(target.client, target)
    : { newest: target.listedRun, hidden: [] };
  if (checkRunId === null) return { newest: listed, hidden };
  const stored = isUncertain
    ? { checkRunId, digest: null, completed, annotations: null }
    : { checkRunId, digest, completed, annotations };
  if (listed === null || listed.checkRunId < checkRunId) return { newest: stored, hidden };
  if (listed.checkRunId > checkRunId) return { newest: listed, hidden };
  const same = {
    completed: completed || listed.completed,
    annotations: stored.annotations ?? listed.annotations,
  };
  return { newest: { ...listed, ...stored, ...same }, hidden };
}
