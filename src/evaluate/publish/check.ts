import type { CheckOutput, CheckState, CheckWrite, KnownCheck } from "../../github/checks/check-write.ts";
import { publishCheck as writeCheck } from "../../github/checks/publish-check.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import type { EvaluatedPull } from "../../policy/model/evaluation.ts";
import type { CheckDecision } from "../../policy/model/situation.ts";
import { keepCheckSignsTogether } from "../../render/sign-joiners.ts";
import { findCheckRun, saveCheckRun, touchSlot } from "../../store/check-runs.ts";
import { findCommentProblem } from "../../store/comment-problems.ts";
import { listCheckEvaluations, type StoredEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "../run/deps.ts";
import { buildPullUrl, findDetailsUrl } from "./details.ts";
import { computeDigest } from "./digest.ts";
import { buildLinks } from "./links.ts";
import { formatOneShotId } from "./one-shot-id.ts";
import { type PublishOutcome, toPublishOutcome } from "./outcome.ts";

/** Dependencies of check writes. */
export type CheckDeps = Pick<
  JobDeps,
  "db" | "clock" | "renderer" | "githubPages" | "policyPage" | "buildPullPage" | "isOneShot"
>;

/** Where a check is written, and for which evaluation. */
export interface CheckTarget {
  readonly client: InstallationClient;
  readonly repositoryId: number;
  /** The repository's global id; null: unknown, so this check is never sent together with others. */
  readonly repositoryNodeId: string | null;
  readonly headSha: string;
  readonly checkName: string;
  /** Our newest check run as GitHub lists it; updated when the store does not have it. */
  readonly listedRun: KnownCheck | null;
  /** Conclusion, else status, of that check run on GitHub; null: none is listed. */
  readonly listedState: string | null;
  readonly isCurrent: () => Promise<boolean>;
}

const RECHECK = {
  label: "Re-check",
  description: "Read everything again and decide anew",
  identifier: "recheck",
} as const;
/**
 * Most writes of a check in one call, because other pull requests with this head may write it at the same
 * time.
 */
const ROUNDS = 5;
/** Worst first: pull requests with the same head and base show the worst decision. */
const WORST_FIRST = ["failure", "action_required", "in_progress", "neutral", "success"];

/** Publishes the worst decision of the open pull requests with this head; writes only if GitHub shows something else. */
export async function publishHeadCheck(deps: CheckDeps, target: CheckTarget): Promise<PublishOutcome> {
  for (let round = 1; ; round++) {
    const version = await touchSlot(deps.db, target, now(deps));
    // Other open pull requests may share this head and check, so their evaluations are read from the store, with our own.
    const worst = selectWorst(await listCheckEvaluations(deps.db, target));
    if (worst === null) return { state: "published" };
    // If another pull request wrote meanwhile, either write may be the last one, so the check is written again.
    const published = await writeDecision(deps, target, { ...worst, isRewrite: round > 1 });
    if (published.state !== "published") return published;
    // The version is read back because those pull requests write the same check in lanes of their own.
    if ((await findCheckRun(deps.db, target))?.version === version) return published;
    if (round === ROUNDS) return { state: "failed", failure: UNSETTLED_FAILURE };
  }
}

const UNSETTLED_FAILURE: GitHubFailure = {
  kind: "unavailable",
  status: null,
  message: "pull requests with one head write its check again and again",
  retryAfterMs: null,
};

/** Why a check counts no longer. */
export type RetirementReason = keyof typeof RETIRED_OUTPUTS;

interface Retirement {
  readonly pull: EvaluatedPull;
  readonly because: RetirementReason;
}

/** Fails the check under a name that `pull` no longer uses, unless another pull request with this head does. */
export async function retireCheck(
  deps: CheckDeps,
  target: CheckTarget,
  { pull, because }: Retirement,
): Promise<PublishOutcome> {
  const evaluations = await listCheckEvaluations(deps.db, target);
  const others = evaluations.filter(({ evaluation }) => evaluation.pull.number !== pull.number);
  const known = await findKnownCheck(deps, target);
  if (others.length > 0 || known === null) return { state: "published" };
  return sendCheck(deps, target, {
    known,
    decision: { status: "completed", conclusion: "failure" },
    output: RETIRED_OUTPUTS[because],
    detailsUrl: buildPullUrl(deps, pull),
    externalId: computeDigest([target.headSha, target.checkName, "retired"]),
    actions: [],
  });
}

const RETIRED_OUTPUTS = {
  renamed: {
    title: "The policy gave this check another name",
    summary: "Tollgate no longer updates this check. Require the one that the policy names now.",
    text: null,
  },
  retargeted: {
    title: "The pull request has another base branch",
    summary:
      "The approvals or the override that let it pass here ended with that. It is decided anew if it comes back.",
    text: null,
  },
  closed: {
    title: "The pull request is closed",
    summary: "Approvals or an override let it pass. It is decided anew when it is opened again.",
    text: null,
  },
} as const satisfies Record<string, CheckOutput>;

/** Publishes the check as in progress before a verdict exists; `stored` states what it waits for. */
export async function publishProgress(
  deps: CheckDeps,
  target: CheckTarget,
  stored: StoredEvaluation,
): Promise<PublishOutcome> {
  await touchSlot(deps.db, target, now(deps));
  return writeDecision(deps, target, { ...stored, isRewrite: false });
}

function selectWorst(evaluations: readonly StoredEvaluation[]): StoredEvaluation | null {
  const ranked = evaluations
    .filter(({ evaluation }) => evaluation.check.status !== "none")
    .sort((a, b) => rankDecision(a.evaluation.check) - rankDecision(b.evaluation.check));
  return ranked[0] ?? null;
}

const rankDecision = (check: CheckDecision): number =>
  WORST_FIRST.indexOf(check.status === "completed" ? check.conclusion : check.status);

async function writeDecision(
  deps: CheckDeps,
  target: CheckTarget,
  { isRewrite, ...stored }: StoredEvaluation & { readonly isRewrite: boolean },
): Promise<PublishOutcome> {
  const { evaluation, digest } = stored;
  const decision = toCheckState(evaluation.check);
  if (decision === null) return { state: "published" };
  const [run, detailsUrl, known] = await Promise.all([
    findKnownCheck(deps, target),
    findDetailsUrl(deps, evaluation),
    findCommentProblem(deps.db, evaluation.pull),
  ]);
  const links = {
    ...buildLinks(deps, evaluation.pull),
    ...(known !== null && { commentProblem: known.problem }),
  };
  const isOther =
    run?.checkRunId === target.listedRun?.checkRunId && target.listedState !== formatState(decision);
  return sendCheck(deps, target, {
    known: run === null || !(isRewrite || isOther) ? run : { ...run, digest: "" },
    decision,
    output: keepCheckSignsTogether(deps.renderer.check(evaluation, links)),
    externalId: deps.isOneShot ? formatOneShotId(stored) : digest,
    detailsUrl,
    actions: isRecheckOffered(deps, decision) ? [RECHECK] : [],
  });
}

/** GitHub tells only the check's own App of a pressed button, and a CI job listens to nothing. */
const isRecheckOffered = ({ isOneShot }: CheckDeps, decision: CheckState): boolean =>
  !isOneShot && decision.status === "completed" && decision.conclusion !== "success";

/** The check run to update: the newer one of the stored and the listed run, because GitHub counts the newest. */
async function findKnownCheck(deps: CheckDeps, target: CheckTarget): Promise<KnownCheck | null> {
  const run = await findCheckRun(deps.db, target);
  const { listedRun: listed } = target;
  if (run === null || run.checkRunId === null) return listed;
  const { checkRunId, digest, completed } = run;
  if (listed === null || listed.checkRunId < checkRunId) return { checkRunId, digest, completed };
  if (listed.checkRunId > checkRunId) return listed;
  return { ...listed, digest, completed: completed || listed.completed };
}

type CheckContent = Pick<
  CheckWrite,
  "known" | "decision" | "output" | "externalId" | "detailsUrl" | "actions"
>;

async function sendCheck(
  deps: CheckDeps,
  target: CheckTarget,
  content: CheckContent,
): Promise<PublishOutcome> {
  const { client, repositoryId, repositoryNodeId, headSha, checkName, isCurrent } = target;
  const write = { repositoryId, repositoryNodeId, headSha, checkName, isCurrent, ...content };
  const outcome = await writeCheck(client, write);
  if (outcome.state === "written" || outcome.state === "unchanged")
    await saveCheckRun(deps.db, { repositoryId, headSha, checkName, ...outcome.known }, now(deps));
  return toPublishOutcome(outcome);
}

const formatState = (state: CheckState): string =>
  state.status === "completed" ? state.conclusion : state.status;

function toCheckState(check: CheckDecision): CheckState | null {
  if (check.status === "none") return null;
  return check.status === "completed"
    ? { status: "completed", conclusion: check.conclusion }
    : { status: "in_progress" };
}

const now = ({ clock }: CheckDeps): Date => new Date(clock.now());
