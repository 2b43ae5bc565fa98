import { GitHubError } from "../github/client/result.ts";
import { type MergeGroupState, type QueuedPull, readMergeGroup } from "../github/head/merge-group.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { isPassing } from "../policy/decide-check.ts";
import type { GroupEntry } from "../policy/evaluate-sum.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { combineFindings, decideEffect, type Verdict } from "../policy/model/finding.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { joinPolicyBlobs } from "../policy/model/loaded-policy.ts";
import type { CombinedEvaluation, GroupVerdict } from "../render/render-group.ts";
import { joinReports } from "../report/join.ts";
import type { Report } from "../report/model/report.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { findEvaluation } from "../store/evaluations.ts";
import type { MergeGroup } from "../store/merge-groups.ts";
import type { Repository } from "../store/repositories.ts";
import { findKnownCheckName, loadBranchPolicy } from "./load-policy.ts";
import type { EvaluationRun, JobDeps } from "./run/deps.ts";

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

/** One evaluation of a merge group. */
export interface GroupRun extends EvaluationRun<{ readonly repositoryId: number; readonly headSha: string }> {
  readonly repository: Repository;
  readonly group: MergeGroup;
}

export interface GroupEvaluation {
  readonly verdict: GroupVerdict;
  /** Null: the policy could not be read. */
  readonly policy: LoadedPolicy | null;
  readonly checkName: string;
  /** The pull request to link to: one that blocks the group, else its first one; null: unknown. */
  readonly first: number | null;
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

async function evaluateFoundGroup(
  { deps, client, group }: GroupRun,
  found: MergeGroupState,
): Promise<GroupEvaluation> {
  const { repository, policy: files } = found;
  const { base_ref: baseRef } = group;
  const branch = { client, repository, baseRef, files, before: null };
  const { policy, checkName } = await loadBranchPolicy(deps, branch);
  const decided = { policy, first: found.pulls[0]?.number ?? null, checkName };
  if (policy.state === "none") return { verdict: { kind: "no_policy" }, ...decided };
  if (policy.state !== "found") return { verdict: { kind: "policy_unusable" }, ...decided };
  const query = { repositoryId: repository.id, baseRef, policy };
  const entries = await readGroupEntries(deps, found.pulls, query);
  const obstacle = findObstacle(entries);
  if (obstacle !== null) return { verdict: obstacle, ...decided, first: obstacle.pulls[0] ?? decided.first };
  const { passed } = entries;
  const last = passed.at(-1)?.evaluation;
  const queued = passed.filter(({ evaluation }) => !isIncluded(evaluation.pull, passed)).map(toEntry);
  const sum = await deps.policies.inForce({
    kind: "group",
    input: { policy: policy.policy, entries: queued, nowMs: deps.clock.now() },
    owner: String(repository.id),
  });
  if (last === undefined || sum.kind === "single")
    return { verdict: { kind: "passed", sum: null }, ...decided };
  if (sum.kind === "overlap") return { verdict: sum, ...decided };
  const findings = sum.kind === "exceeded" ? sum.findings : [];
  const together = buildGroupTogether(passed, last, {
    report: joinReports(queued.map(({ report }) => report)),
    verdict: combineFindings(findings),
  });
  return { verdict: { kind: sum.kind === "exceeded" ? "exceeded" : "passed", sum: together }, ...decided };
}

/** Returns the verdict of a group with entries that do not pass; null: all entries pass. */
function findObstacle({
  blocked,
  unevaluated,
  overridden,
}: GroupEntries): Extract<GroupVerdict, { pulls: readonly number[] }> | null {
  const pulls = [...blocked, ...unevaluated];
  if (pulls.length === 0) return overridden.length > 0 ? { kind: "overridden", pulls: overridden } : null;
  return { kind: blocked.length > 0 ? "not_passed" : "behind", pulls };
}

/** Whether the figures of another pull request of the group include this one: it is below that in a stack. */
const isIncluded = ({ number }: Evaluation["pull"], passed: readonly StoredEvaluation[]): boolean =>
  passed.some(({ evaluation }) => evaluation.pull.stack?.below.some((one) => one.number === number) ?? false);

/** Joins the evaluations of the group to one, for rendering. */
function buildGroupTogether(
  passed: readonly StoredEvaluation[],
  last: Evaluation,
  { report, verdict }: { readonly report: Report; readonly verdict: Verdict },
): CombinedEvaluation {
  const figures = passed.every(({ evaluation }) => evaluation.pull.figures);
  const situation = { kind: "evaluated", verdict } as const;
  return {
    pulls: passed.map(({ evaluation }) => evaluation.pull.number),
    evaluation: { ...last, pull: { ...last.pull, figures }, report, situation },
  };
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

interface EntryQuery {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly policy: LoadedPolicy;
}

/**
 * Finds each queued pull request's verdict. Only a verdict on exactly its queued head under the current
 * policy counts.
 */
async function readGroupEntries(
  deps: Pick<JobDeps, "db" | "clock">,
  pulls: readonly QueuedPull[],
  query: EntryQuery,
): Promise<GroupEntries> {
  const passed: StoredEvaluation[] = [];
  const others = { overridden: [] as number[], blocked: [] as number[], unevaluated: [] as number[] };
  for (const { number, headSha } of pulls) {
    const stored = await findEvaluation(deps.db, { repositoryId: query.repositoryId, number });
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

/** Whether an evaluation is one of exactly this head under the current policy. */
export const isUpToDate = (
  { evaluation: { pull }, policyBlobs }: StoredEvaluation,
  { headSha, baseRef, policy }: EntryQuery & { readonly headSha: string },
): boolean => pull.headSha === headSha && pull.baseRef === baseRef && policyBlobs === joinPolicyBlobs(policy);

/** Whether a verdict lets a pull request merge now: a waiver or an approval may have ended since, or a rule that only warned may block. */
export const hasPassed = (stored: StoredEvaluation, nowMs: number): boolean =>
  isPassing(stored.evaluation.check) &&
  getFindings(stored).every(
    (finding) =>
      (finding.waiver === null || nowMs < finding.waiver.untilMs) &&
      (decideEffect(finding) === "pass" || nowMs < (finding.enforceFromMs ?? Number.POSITIVE_INFINITY)),
  ) &&
  stored.evaluation.approvals.live.every(({ untilMs = nowMs + 1 }) => nowMs < untilMs);

const getFindings = ({ evaluation: { situation } }: StoredEvaluation) =>
  situation.kind === "evaluated" ? situation.verdict.findings : [];

const toEntry = (stored: StoredEvaluation): GroupEntry => ({
  number: stored.evaluation.pull.number,
  report: stored.evaluation.report,
  context: stored.evaluation.context,
  findings: getFindings(stored),
});
