import { createGitHubFailure, GitHubError } from "../github/client/result.ts";
import { readCommitClaims } from "../github/head/commit-claims.ts";
import { type MergeGroupState, type QueuedPull, readMergeGroup } from "../github/head/merge-group.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { parseSha } from "../kernel/ids.ts";
import { canBeDecidedLater } from "../policy/decide/situation.ts";
import type { GroupEntry, GroupSum } from "../policy/evaluate-sum.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { combineFindings } from "../policy/model/finding.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { chooseReportOptions, type Policy } from "../policy/model/policy.ts";
import type { CombinedEvaluation, GroupVerdict } from "../render/render-group.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS, type PullFacts } from "../report/model/context.ts";
import type { StageFacts } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import { UNREAD_ATTRIBUTES } from "../report/model/resource-attributes.ts";
import { computeDigest } from "../store/digest.ts";
import { findEvaluation, type StoredEvaluation } from "../store/evaluations.ts";
import { addCodeOwners } from "./code-owners.ts";
import { parseOneShotBase } from "./comment-content.ts";
import { readConsents } from "./consent.ts";
import { readFacts } from "./facts/read-facts.ts";
import { type CheckPolicy, findKnownCheckName, loadBranchPolicy } from "./load-policy.ts";
import { makeDecision } from "./make-decision.ts";
import { type MergedSince, readMergedSince, withoutContained } from "./merged-since.ts";
import { refreshHead } from "./refresh-head.ts";
import type { GroupRun, JobDeps } from "./run/deps.ts";
import { type EntryQuery, getFindings, hasPassed, isUpToDate } from "./stored-verdict.ts";

/**
 * Most attempts, and longest time in ms, before unreadable facts fail a group: the merge queue needs an
 * answer.
 */
const TRIES = 3;
/** Attempts while pull requests are being evaluated again. */
const TRIES_FOR_OTHERS = 4;
const PATIENCE_MS = 6_000;
/** In ms. After this time a group is evaluated for another reason, so only its attempts count. */
const LATER_MS = MINUTE_MS;
/** How long a group waits for executions of its own commit, in ms since it was made: a merge queue gives up after an hour unless it is set otherwise. */
const RUNNING_MS = 50 * MINUTE_MS;
/** The same, where none is known and only one can decide. */
const ANNOUNCED_MS = 10 * MINUTE_MS;

export interface GroupEvaluation {
  readonly verdict: GroupVerdict;
  /** Null: the policy could not be read. */
  readonly policy: LoadedPolicy | null;
  readonly checkName: string;
  /** The pull request to link to: one that blocks the group, else its first one; null: unknown. */
  readonly first: number | null;
  /** When the wait for executions ends, ms since 1970; absent: the group does not wait for any. */
  readonly waitsUntilMs?: number;
}

/** Decides a merge group; null: it is gone. Throws when the queue should retry and there is time. */
export async function decideMergeGroup(run: GroupRun): Promise<GroupEvaluation | null> {
  const { deps, client, key, repository, group } = run;
  const { repositoryId } = key;
  const baseRef = group.base_ref;
  try {
    const found = await readMergeGroup(client, {
      owner: repository.owner_login,
      name: repository.name,
      repositoryId,
      baseRef,
      headSha: group.head_sha,
      headRef: group.head_ref,
      organisationPolicy: deps.operator.orgPolicy(repository.owner_login),
    });
    if (found === null) return null;
    const evaluation = await evaluateFoundGroup(run, found);
    return canWait(run, TRIES_FOR_OTHERS) ? evaluation : endWait(evaluation);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (error.failure.kind === "suspended") return null;
    if (canWait(run, TRIES)) throw error;
  }
  const last = { state: "not_read", repositoryId, baseRef, before: null } as const;
  const checkName = await findKnownCheckName(deps, last);
  return { verdict: { kind: "unreadable" }, policy: null, first: null, checkName };
}

/** Whether another attempt may be in time for the merge queue. */
function canWait({ deps, group, attempt }: GroupRun, tries: number): boolean {
  const waitedMs = deps.clock.now() - group.created_at.getTime();
  return attempt.attempt < tries && (waitedMs < PATIENCE_MS || waitedMs > LATER_MS);
}

/** A group whose pull requests have no verdict in time does not pass. */
const endWait = (evaluation: GroupEvaluation): GroupEvaluation =>
  evaluation.verdict.kind === "behind"
    ? { ...evaluation, verdict: { kind: "not_passed", pulls: evaluation.verdict.pulls } }
    : evaluation;

async function evaluateFoundGroup(run: GroupRun, found: MergeGroupState): Promise<GroupEvaluation> {
  const { deps, client, group } = run;
  const { repository, policy: files } = found;
  const { base_ref: baseRef } = group;
  const branch = { client, repository, baseRef, files, before: null };
  const { policy, checkName } = await loadBranchPolicy(deps, branch);
  const decided = { policy, first: found.pulls[0]?.number ?? null, checkName };
  if (policy.state === "none") return { verdict: { kind: "no_policy" }, ...decided };
  if (policy.state !== "found") return { verdict: { kind: "policy_unusable" }, ...decided };
  const executions = await readGroupExecutions(run, found, policy);
  const query = { repositoryId: repository.id, baseRef, policy };
  const entries = await readGroupEntries(run, found.pulls, { ...query, checkName, executions });
  const obstacle = findObstacle(entries, deps);
  if (obstacle !== null) return { verdict: obstacle, ...decided, first: obstacle.pulls[0] ?? decided.first };
  // It is the only pull request, and its override counts whatever is planned.
  if (entries.passed.some(({ evaluation }) => evaluation.override !== undefined))
    return { verdict: { kind: "passed", sum: null }, ...decided };
  return {
    ...decided,
    ...(await evaluateTogether(run, entries.passed, { policy: policy.policy, executions })),
  };
}

type GroupDecision = Pick<GroupEvaluation, "verdict" | "waitsUntilMs">;

/** Evaluates pull requests that pass alone: by the executions of the group's commit, else by the sum of what they change. */
async function evaluateTogether(
  run: GroupRun,
  passed: readonly StoredEvaluation[],
  { policy, executions }: { readonly policy: Policy; readonly executions: GroupExecutions },
): Promise<GroupDecision> {
  const { deps } = run;
  const { kind } = executions;
  if (kind === "failed") return { verdict: { kind: "plan_failed", workspaces: executions.workspaces } };
  if (kind === "running") return awaitPlans(run, executions.workspaces, RUNNING_MS);
  // A CI job knows nothing of the single plans.
  if (kind === "none" && deps.isOneShot && passed.length > 1)
    return { verdict: { kind: "not_planned", workspaces: [] } };
  const planned = kind === "ended" ? executions.report : null;
  const last = passed.at(-1)?.evaluation;
  const { sum, merged } = await evaluateQueued(run, passed, { policy, planned });
  if (sum.kind === "overlap") {
    const workspaces = sum.overlaps.map(({ workspace }) => workspace);
    const wait = awaitPlans(run, workspaces, ANNOUNCED_MS);
    return wait.waitsUntilMs === undefined ? { verdict: sum } : wait;
  }
  const findings = sum.kind === "exceeded" ? sum.findings : [];
  if (planned !== null && canBeDecidedLater({ kind: "undecided", findings })) {
    const workspaces = planned.stages.map(({ workspace }) => workspace);
    const wait = awaitPlans(run, workspaces, RUNNING_MS);
    if (wait.waitsUntilMs !== undefined) return wait;
  }
  if (last === undefined || sum.kind === "single") return { verdict: { kind: "passed", sum: null } };
  const figures = passed.every(({ evaluation }) => evaluation.pull.figures);
  const situation = { kind: "evaluated", verdict: combineFindings(findings) } as const;
  const together: CombinedEvaluation = {
    isPlanned: planned !== null,
    merged: merged.map(({ number }) => number),
    pulls: passed.map(({ evaluation }) => evaluation.pull.number),
    evaluation: { ...last, pull: { ...last.pull, figures }, report: sum.report, situation },
  };
  return { verdict: { kind: sum.kind, sum: together } };
}

/** Evaluates the sum of the queued pull requests, after what was merged since they were planned. */
async function evaluateQueued(
  run: GroupRun,
  passed: readonly StoredEvaluation[],
  { policy, planned }: { readonly policy: Policy; readonly planned: Report | null },
): Promise<{ readonly sum: GroupSum; readonly merged: readonly MergedSince[] }> {
  const { deps, key } = run;
  const queued = passed.filter(({ evaluation }) => !isIncluded(evaluation.pull, passed));
  const evaluate = async (merged: readonly MergedSince[]) => {
    const sum = await deps.policies.inForce({
      kind: "group",
      input: { policy, entries: queued.map(toEntry), planned, merged, nowMs: deps.clock.now() },
      owner: String(key.repositoryId),
    });
    return { sum, merged };
  };
  const first = await evaluate(await readMergedSince(run, queued));
  const { sum, merged } = first;
  return sum.kind === "overlap" && sum.overlaps.some((overlap) => overlap.merged.length > 0)
    ? evaluate(await withoutContained(run, merged, { queued, overlaps: sum.overlaps }))
    : first;
}

/** The verdict while executions of the group's commit are awaited, and after that. A CI job waits for nothing. */
function awaitPlans(
  { deps, group }: GroupRun,
  workspaces: readonly string[],
  patienceMs: number,
): GroupDecision {
  const endMs = group.created_at.getTime() + patienceMs;
  return deps.isOneShot || deps.clock.now() >= endMs
    ? { verdict: { kind: "not_planned", workspaces } }
    : { verdict: { kind: "planning", workspaces }, waitsUntilMs: endMs };
}

/** Returns the verdict of a group with entries that do not pass; null: all entries pass. */
function findObstacle(
  { blocked, unevaluated, overridden }: GroupEntries,
  { isOneShot }: Pick<JobDeps, "isOneShot">,
): Extract<GroupVerdict, { pulls: readonly number[] }> | null {
  const pulls = [...blocked, ...unevaluated];
  if (pulls.length === 0) return overridden.length > 0 ? { kind: "overridden", pulls: overridden } : null;
  return { kind: blocked.length > 0 || isOneShot ? "not_passed" : "behind", pulls };
}

/** Whether the figures of another pull request of the group include this one: it is below that in a stack. */
const isIncluded = ({ number }: Evaluation["pull"], passed: readonly StoredEvaluation[]): boolean =>
  passed.some(({ evaluation }) => evaluation.pull.stack?.below.some((one) => one.number === number) ?? false);

interface GroupQuery extends EntryQuery, CheckPolicy {
  readonly executions: GroupExecutions;
}

/** The queued pull requests that may merge alone, and the numbers of the others. */
interface GroupEntries {
  readonly passed: readonly StoredEvaluation[];
  /** Numbers of the pull requests that only an override lets merge, where the group has others too. */
  readonly overridden: readonly number[];
  /** Numbers of the pull requests that may not merge. */
  readonly blocked: readonly number[];
  /** Numbers of those without a verdict on exactly their queued head under the current policy. */
  readonly unevaluated: readonly number[];
}

/**
 * Finds each queued pull request's verdict. Only a verdict on exactly its queued head under the current
 * policy counts.
 */
async function readGroupEntries(
  run: GroupRun,
  pulls: readonly QueuedPull[],
  query: GroupQuery,
): Promise<GroupEntries> {
  const { deps } = run;
  const passed: StoredEvaluation[] = [];
  const others = { overridden: [] as number[], blocked: [] as number[], unevaluated: [] as number[] };
  for (const { number, headSha } of pulls) {
    const stored = deps.isOneShot
      ? await evaluateJobEntry(run, { ...query, number, headSha })
      : await findEvaluation(deps.db, { repositoryId: query.repositoryId, number });
    if (stored === null || !isUpToDate(stored, { ...query, headSha })) others.unevaluated.push(number);
    else if (!hasPassed(stored, deps.clock.now())) others.blocked.push(number);
    else if (isOverriddenAmong(stored, pulls)) others.overridden.push(number);
    else passed.push(stored);
  }
  return { passed, ...others };
}

/** An override counts for one head alone, and a group of several merges something else. */
const isOverriddenAmong = ({ evaluation }: StoredEvaluation, pulls: readonly QueuedPull[]): boolean =>
  evaluation.override !== undefined && pulls.length > 1;

const toEntry = (stored: StoredEvaluation): GroupEntry => ({
  number: stored.evaluation.pull.number,
  report: stored.evaluation.report,
  context: stored.evaluation.context,
  findings: getFindings(stored),
  approvals: stored.evaluation.approvals.live,
});

/** The executions of a merge group's own commit: those that only an untrusted poster names are none. */
type GroupExecutions =
  | { readonly kind: "none" }
  /** Some run, or could not be read yet. `workspaces`: of these. */
  | { readonly kind: "running" | "failed"; readonly workspaces: readonly string[] }
  /** All have ended; `report`: what they say of their workspaces. */
  | { readonly kind: "ended"; readonly report: Report; readonly facts: PullFacts };

/**
 * Reads the executions that statuses and checks of the group's commit name, or that are known to belong to it.
 *
 * @throws GitHubError
 */
async function readGroupExecutions(
  { deps, client, group }: Pick<GroupRun, "deps" | "client" | "group">,
  { repository }: MergeGroupState,
  policy: Extract<LoadedPolicy, { state: "found" }>,
): Promise<GroupExecutions> {
  const headSha = parseSha(group.head_sha);
  if (headSha === null) return { kind: "none" };
  // A CI job's executions are its own files.
  const claims = deps.isOneShot
    ? { statuses: [], checks: [], complete: true }
    : await readCommitClaims(client, repository, headSha);
  if (!claims.complete)
    throw new GitHubError(createGitHubFailure("too_large", "the commit has more statuses than are read"));
  const head = { repository, ...claims, pull: { headSha, testMergeSha: null } };
  const { facts } = await readFacts({ deps, client, head }, policy, { isShown: false });
  const stages = facts.stages.filter(({ proven }) => proven);
  const failed = stages.filter(({ status }) => status === "failed");
  if (failed.length > 0) return { kind: "failed", workspaces: listWorkspaces(failed) };
  const running = stages.filter(({ status, isUnread }) => status !== "succeeded" || isUnread === true);
  if (running.length > 0) return { kind: "running", workspaces: listWorkspaces(running) };
  if (stages.length === 0) return { kind: "none" };
  const own = { ...facts, stages };
  return { kind: "ended", facts: own, report: buildReport(own, chooseReportOptions(policy.policy)) };
}

const listWorkspaces = (stages: readonly StageFacts[]): readonly string[] => [
  ...new Set(stages.map(({ workspace }) => workspace)),
];

/**
 * Evaluates a queued pull request in a CI job, which has no evaluation of it: by the executions of the group, with its own approvals. It
 * passes where the check of exactly its queued head does, which another job wrote, no expected workspace is missing, and nobody objects to what
 * the group plans. Null: there is no such check.
 *
 * @throws TollgateError `github_failed`
 */
async function evaluateJobEntry(
  { deps, key: { repositoryId }, fence, attempt, group }: GroupRun,
  { number, headSha, executions, checkName, ...query }: GroupQuery & QueuedPull,
): Promise<StoredEvaluation | null> {
  const current = await refreshHead(deps, { key: { repositoryId, number }, fence, attempt });
  const check = current?.head.checks.find(
    ({ name, externalId }) =>
      name === checkName && parseOneShotBase(externalId) === computeDigest(group.base_ref),
  );
  if (current?.head.pull.headSha !== headSha || check?.status !== "completed") return null;
  const ended = executions.kind === "ended" ? executions : null;
  const { policy } = await addCodeOwners(current, { checkName, ...query });
  const { stored } = await makeDecision(current, {
    policy,
    checkName,
    facts: ended?.facts ?? NO_FACTS,
    report: ended?.report ?? buildReport(NO_FACTS, { stages: [] }),
    attributes: UNREAD_ATTRIBUTES,
    consents: await readConsents(current, policy),
    shownFacts: null,
    attempts: new Map(),
    policyEdit: null,
  });
  const { situation } = stored.evaluation;
  const isPlanned = ended === null || situation.kind === "evaluated" || situation.kind === "nothing_expected";
  const isHeld = getFindings(stored).some(({ objections }) => objections !== undefined);
  const isPassing = check.conclusion === "success" || check.conclusion === "neutral";
  const conclusion = isPassing && isPlanned && !isHeld ? "success" : "failure";
  return { ...stored, evaluation: { ...stored.evaluation, check: { status: "completed", conclusion } } };
}
