import type { CheckOutput, CheckState, KnownCheck } from "../../github/checks/check-write.ts";
import { findOwnCheck } from "../../github/checks/own-check.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import { isPassing } from "../../policy/decide-check.ts";
import type { CheckDecision } from "../../policy/model/situation.ts";
import { formatLaneKey } from "../../queue/names.ts";
import { keepCheckSignsTogether } from "../../render/sign-joiners.ts";
import { findCommentProblem } from "../../store/comment-problems.ts";
import { findLastEntry } from "../../store/database/lanes.ts";
import {
  type CheckEvaluation,
  formatDecision,
  hasUnevaluatedPull,
  listCheckEvaluations,
  type StoredEvaluation,
} from "../../store/evaluations.ts";
import type { JobDeps, PullRun } from "../run/deps.ts";
import {
  buildLinks,
  computeDigest,
  computeShownDigest,
  findDetailsUrl,
  formatOneShotId,
} from "./comment-content.ts";
import type { PublishOutcome } from "./write-in-turn.ts";
import {
  type CheckContent,
  type CheckTarget,
  type CurrentCheckTarget,
  type TurnDeps,
  writeInTurn,
} from "./write-in-turn.ts";

/** Dependencies of check writes. */
export type CheckDeps = TurnDeps &
  Pick<JobDeps, "renderer" | "githubPages" | "policyPage" | "buildPullPage" | "isOneShot">;

const RECHECK = {
  label: "Re-check",
  description: "Read everything again and decide anew",
  identifier: "recheck",
} as const;
/** Worst first: pull requests with the same head and base show the worst decision. */
const WORST_FIRST = ["failure", "action_required", "in_progress", "neutral", "success"];

/**
 * Publishes the worst decision of the open pull requests with this head; writes only if GitHub shows something else. While another one of
 * them is evaluated, nothing that passes is written: `pending`.
 */
export async function publishHeadCheck(
  deps: CheckDeps,
  target: CurrentCheckTarget,
): Promise<HeadCheckOutcome> {
  let isPending = false;
  const outcome = await writeInTurn(deps, target, async (known) => {
    // Other open pull requests may share this head and check, so their evaluations are read from the store, with our own.
    const evaluations = await listCheckEvaluations(deps.db, target);
    const worst = selectWorst(evaluations);
    isPending =
      worst !== null &&
      isPassing(worst.evaluation.check) &&
      (await isOtherPending(deps, target, evaluations));
    return worst === null || isPending ? null : buildContent(deps, target, { stored: worst, known });
  });
  return isPending && outcome.state === "published" ? { state: "pending" } : outcome;
}

/** `pending`: nothing was written, because another pull request with this head is not evaluated. Its evaluation follows, or the sweep. */
export type HeadCheckOutcome = PublishOutcome | { readonly state: "pending" };

/** Whether another pull request with this head has no evaluation of it, or a run of its lane began after it and saved none yet. */
async function isOtherPending(
  { db }: CheckDeps,
  target: CurrentCheckTarget,
  evaluations: readonly CheckEvaluation[],
): Promise<boolean> {
  for (const { evaluation, savedMs } of evaluations) {
    const { repositoryId, number } = evaluation.pull;
    const lane = formatLaneKey({ kind: "pull", repositoryId, number });
    const beganMs = lane === target.fence.lane ? null : await findLastEntry(db, lane);
    if (beganMs !== null && beganMs > savedMs) return true;
  }
  return hasUnevaluatedPull(db, target);
}

/** Why a check counts no longer. */
export type RetirementReason = keyof typeof RETIRED_OUTPUTS;

interface Retirement {
  /** The pull request that no longer uses the name; null for a merge group. */
  readonly number: number | null;
  readonly because: RetirementReason;
  readonly detailsUrl: string;
}

/** Fails the check under a name that a pull request or a merge group no longer uses, unless another pull request with this head does. */
export function retireCheck(
  deps: CheckDeps,
  target: CheckTarget,
  { number, because, detailsUrl }: Retirement,
): Promise<PublishOutcome> {
  return writeInTurn(deps, { ...target, baseRef: null }, async (known) => {
    const evaluations = await listCheckEvaluations(deps.db, target);
    if (known === null || evaluations.some(({ evaluation }) => evaluation.pull.number !== number))
      return null;
    return {
      known,
      decision: { status: "completed", conclusion: "failure" },
      output: RETIRED_OUTPUTS[because],
      detailsUrl,
      externalId: computeDigest([target.headSha, target.checkName, "retired"]),
      actions: [],
    };
  });
}

const RETIRED_OUTPUTS = {
  renamed: {
    title: "This check has another name now",
    summary:
      "Tollgate no longer updates this check: the policy gives it another name, or GitHub does not require this name on the base branch.",
    text: null,
  },
  retargeted: {
    title: "The pull request has another base branch",
    summary:
      "The approvals or the override that let it pass here ended with that. It is decided anew if it comes back.",
    text: null,
  },
  restacked: {
    title: "The stack of the pull request changed",
    summary: "It is merged into another branch now, and its check for that branch counts.",
    text: null,
  },
  closed: {
    title: "The pull request is closed",
    summary: "Approvals or an override let it pass. It is decided anew when it is opened again.",
    text: null,
  },
} as const satisfies Record<string, CheckOutput>;

/** Publishes the check as in progress before a verdict exists; `stored` states what it waits for. */
export function publishProgress(
  deps: CheckDeps,
  target: CheckTarget,
  stored: StoredEvaluation,
): Promise<PublishOutcome> {
  return writeInTurn(deps, target, (known) => buildContent(deps, target, { stored, known }));
}

function selectWorst(evaluations: readonly StoredEvaluation[]): StoredEvaluation | null {
  const ranked = evaluations
    .filter(({ evaluation }) => evaluation.check.status !== "none")
    .sort((a, b) => rankDecision(a.evaluation.check) - rankDecision(b.evaluation.check));
  return ranked[0] ?? null;
}

const rankDecision = (check: CheckDecision): number => WORST_FIRST.indexOf(formatDecision(check));

/** Returns what the check shows of an evaluation; null: it needs no check. */
async function buildContent(
  deps: CheckDeps,
  { listedRun, listedState }: CheckTarget,
  { stored, known }: { readonly stored: StoredEvaluation; readonly known: KnownCheck | null },
): Promise<CheckContent | null> {
  const { evaluation } = stored;
  const decision = evaluation.check;
  if (decision.status === "none") return null;
  const [detailsUrl, problem] = await Promise.all([
    findDetailsUrl(deps, evaluation),
    findCommentProblem(deps.db, evaluation.pull),
  ]);
  const links = {
    ...buildLinks(deps, evaluation.pull),
    ...(problem !== null && { commentProblem: problem.problem }),
  };
  const isOther = known?.checkRunId === listedRun?.checkRunId && listedState !== formatDecision(decision);
  const output = keepCheckSignsTogether(deps.renderer.check(evaluation, links));
  const shown = computeShownDigest(evaluation.pull.headSha, decision, output);
  return {
    known: known !== null && isOther ? { ...known, digest: "" } : known,
    decision,
    output,
    externalId: deps.isOneShot ? formatOneShotId(shown, evaluation) : shown,
    detailsUrl,
    actions: isRecheckOffered(deps, decision) ? [RECHECK] : [],
  };
}

/** GitHub notifies only the check's own App of a pressed button, and a CI job receives no deliveries. */
const isRecheckOffered = ({ isOneShot }: CheckDeps, decision: CheckState): boolean =>
  !isOneShot && decision.status === "completed" && decision.conclusion !== "success";

/** Returns the check of this head under this name, with its check run on GitHub. */
export function buildCheckTarget(run: PullRun, head: HeadState, checkName: string): CurrentCheckTarget {
  const { repository, pull, checks } = head;
  const listedRun = findOwnCheck(checks, { appId: run.deps.ownAppId, name: checkName });
  const check = checks.find(({ id }) => id !== null && id === listedRun?.checkRunId);
  return {
    client: run.client,
    repositoryId: repository.id,
    repositoryNodeId: repository.nodeId,
    headSha: pull.headSha,
    checkName,
    baseRef: pull.baseRef,
    listedRun,
    listedState: check === undefined ? null : (check.conclusion ?? check.status),
    fence: run.fence,
    isCurrent: run.isCurrent,
  };
}
