import {
  type CheckOutput,
  type CheckState,
  findOwnCheck,
  type KnownCheck,
} from "../github/checks/publish-check.ts";
import { GitHubError, isRefusal } from "../github/client/result.ts";
import { isPassing } from "../policy/decide-check.ts";
import { listEvaluatedPlans } from "../policy/evaluated-plans.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { CheckDecision } from "../policy/model/situation.ts";
import { formatLaneKey } from "../queue/names.ts";
import { keepCheckSignsTogether } from "../render/sign-joiners.ts";
import { listFormerNames } from "../store/check-runs.ts";
import { findCommentProblem } from "../store/comment-problems.ts";
import { findLastEntry } from "../store/database/lanes.ts";
import { computeDigest } from "../store/digest.ts";
import {
  type CheckEvaluation,
  formatDecision,
  hasUnevaluatedPull,
  listCheckEvaluations,
  type StoredEvaluation,
} from "../store/evaluations.ts";
import { type CheckContent, type CheckTarget, type TurnDeps, writeInTurn } from "./check-turn.ts";
import {
  buildLinks,
  buildPullUrl,
  computeShownDigest,
  findDetailsUrl,
  formatOneShotId,
} from "./comment-content.ts";
import { formatPlanDigests } from "./plan-digests.ts";
import { type CurrentHead, type EvaluationRun, findHeadEvaluation, type JobDeps } from "./run/deps.ts";

/** The check of a base branch under the name that its policy gives. */
export interface CurrentCheckTarget extends CheckTarget {
  readonly baseRef: string;
}

/** Dependencies of check writes. */
export type CheckDeps = TurnDeps &
  Pick<JobDeps, "renderer" | "githubPages" | "policyPage" | "buildPullPage" | "isOneShot">;

const RECHECK = {
  label: "Re-check",
  description: "Read everything again and decide again",
  identifier: "recheck",
} as const;
/** Worst first: pull requests with the same head and base show the worst decision. */
const WORST_FIRST = ["failure", "action_required", "in_progress", "neutral", "success"];

/**
 * Publishes the worst decision of the open pull requests with this head; writes only if GitHub shows something else. While another one of
 * them is evaluated, nothing that passes is written: `pending`. Its evaluation follows, or the sweep.
 *
 * @throws GitHubError, SupersededError
 */
export async function publishHeadCheck(
  deps: CheckDeps,
  target: CurrentCheckTarget,
): Promise<"published" | "pending"> {
  let isPending = false;
  await writeInTurn(deps, target, async (known) => {
    // Other open pull requests may share this head and check, so their evaluations are read from the store, with our own.
    const evaluations = await listCheckEvaluations(deps.db, target);
    const worst = selectWorst(evaluations);
    isPending =
      worst !== null &&
      isPassing(worst.evaluation.check) &&
      (await isOtherPending(deps, target, evaluations));
    return worst === null || isPending ? null : buildContent(deps, target, { stored: worst, known });
  });
  return isPending ? "pending" : "published";
}

/** Publishes the check as in progress before a verdict exists; `stored` states what it waits for. */
export const publishProgress = (
  deps: CheckDeps,
  target: CheckTarget,
  stored: StoredEvaluation,
): Promise<void> => writeInTurn(deps, target, (known) => buildContent(deps, target, { stored, known }));

/** Attempts of a job that retry, with the queue's short pauses, what GitHub refused without a known reason. */
export const QUICK_TRIES = 2;

/**
 * Performs a write of a check. What GitHub refuses is thrown in the first attempts of a job, because its error may be temporary; later it
 * is logged, and the sweep finds the unpublished check. Null then.
 */
export async function unlessRefused<T>(
  log: JobDeps["log"],
  attempt: number,
  write: () => Promise<T>,
): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof GitHubError) || !isRefusal(error.failure) || attempt <= QUICK_TRIES) throw error;
    log.warn({ status: error.failure.status }, "GitHub refuses the check");
    return null;
  }
}

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
    ...(isPassing(decision) && {
      checkEnd: formatPlanDigests(listEvaluatedPlans(evaluation).map(({ plan }) => plan)),
    }),
  };
  const isOther = known?.checkRunId === listedRun?.checkRunId && listedState !== formatDecision(decision);
  const output = keepCheckSignsTogether(deps.renderer.check(evaluation, links));
  const shown = computeShownDigest(evaluation.pull.headSha, decision, output);
  return {
    known: known !== null && isOther ? { ...known, digest: null } : known,
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
export function buildCheckTarget(
  { deps, client, fence, isCurrent, head }: CurrentHead,
  checkName: string,
): CurrentCheckTarget {
  const { repository, pull, checks } = head;
  const listedRun = findOwnCheck(checks, { appId: deps.ownAppId, name: checkName });
  const check = checks.find(({ id }) => id !== null && id === listedRun?.checkRunId);
  return {
    client,
    repositoryId: repository.id,
    repositoryNodeId: repository.nodeId,
    headSha: pull.headSha,
    checkName,
    baseRef: pull.baseRef,
    listedRun,
    listedState: check === undefined ? null : (check.conclusion ?? check.status),
    fence,
    isCurrent,
  };
}

/** Returns the check of a head that GitHub does not show now. */
export const buildUnlistedTarget = (
  { client, fence, isCurrent }: Pick<EvaluationRun<unknown>, "client" | "fence" | "isCurrent">,
  slot: Pick<CurrentCheckTarget, "repositoryId" | "headSha" | "checkName" | "baseRef">,
): CurrentCheckTarget => ({
  ...slot,
  client,
  fence,
  isCurrent,
  repositoryNodeId: null,
  listedRun: null,
  listedState: null,
});

/**
 * Fails the checks that this head has under former names, the one by which people let it pass for a base branch that the pull request has
 * left, and any other one that it left by a change of its stack. Their approvals and overrides end with that, so nobody may merge by them
 * after a way back. Fails them again where a late request may have changed them since.
 */
export async function retireFormerChecks(current: CurrentHead, checkName: string): Promise<void> {
  const { deps, key, head } = current;
  const { headSha, baseRef } = head.pull;
  const last = findHeadEvaluation(current)?.evaluation ?? null;
  const former = new Set(await listFormerNames(deps.db, { ...key, headSha, baseRef, checkName }));
  if (last !== null && last.checkName !== checkName && last.pull.baseRef === baseRef)
    former.add(last.checkName);
  for (const name of former) await retireOwnCheck(current, name, "renamed");
  if (last === null || last.pull.baseRef === baseRef || last.checkName === checkName) return;
  if (last.pull.stack !== undefined || head.pull.stack !== null)
    await retireOwnCheck(current, last.checkName, "restacked");
  else if (passesByPeople(last)) await retireOwnCheck(current, last.checkName, "retargeted");
}

/**
 * Fails the check of a closed pull request that people let pass. Nobody evaluates it while it is closed, so a revocation would not show
 * when it is opened again.
 */
export async function retireClosedCheck(current: CurrentHead): Promise<void> {
  const last = findHeadEvaluation(current)?.evaluation;
  if (last === undefined || !passesByPeople(last)) return;
  await retireOwnCheck(current, last.checkName, "closed");
}

const passesByPeople = ({ override, approvals }: Evaluation): boolean =>
  override !== undefined || approvals.live.length > 0;

async function retireOwnCheck(
  current: CurrentHead,
  checkName: string,
  because: RetirementReason,
): Promise<void> {
  const { deps, attempt, key, head } = current;
  const { owner, name } = head.repository;
  const target = buildCheckTarget(current, checkName);
  const detailsUrl = buildPullUrl(deps, { repository: `${owner}/${name}`, number: key.number });
  // What is saved later replaces the former name. Before that, the retirement is retried as often as the queue allows.
  await unlessRefused(deps.log, attempt.lastAttempt ? attempt.attempt : 1, () =>
    retireCheck(deps, target, { number: key.number, because, detailsUrl }),
  );
}

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
): Promise<void> {
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

/** Why a check counts no longer. */
type RetirementReason = keyof typeof RETIRED_OUTPUTS;

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
      "The approvals or the override that let it pass here ended with that. It is decided again if it comes back.",
    text: null,
  },
  restacked: {
    title: "The stack of the pull request changed",
    summary: "It is merged into another branch now, and its check for that branch counts.",
    text: null,
  },
  closed: {
    title: "The pull request is closed",
    summary: "Approvals or an override let it pass. It is decided again when it is opened again.",
    text: null,
  },
} as const satisfies Record<string, CheckOutput>;
