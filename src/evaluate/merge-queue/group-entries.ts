import type { QueuedPull } from "../../github/head/merge-group.ts";
import { isPassing } from "../../policy/check/decide-check.ts";
import type { GroupEntry } from "../../policy/merge-queue/evaluate-sum.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import { joinPolicyBlobs } from "../../policy/model/loaded-policy.ts";
import { findEvaluation, type StoredEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "../run/deps.ts";

/** The queued pull requests that may merge alone, and the numbers of the others. */
export interface GroupEntries {
  readonly passed: readonly StoredEvaluation[];
  /** Numbers of the pull requests that only an override lets merge, where the group has others too. */
  readonly overridden: readonly number[];
  /** Numbers of the pull requests that may not merge. */
  readonly blocked: readonly number[];
  /** Numbers of those without a verdict on exactly their queued head under the current policy. */
  readonly unevaluated: readonly number[];
}

export interface EntryQuery {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly policy: LoadedPolicy;
}

/**
 * Finds each queued pull request's verdict. Only a verdict on exactly its queued head under the current
 * policy counts.
 */
export async function readGroupEntries(
  deps: Pick<JobDeps, "db" | "clock">,
  pulls: readonly QueuedPull[],
  query: EntryQuery,
): Promise<GroupEntries> {
  const passed: StoredEvaluation[] = [];
  const others = createNumberLists();
  for (const { number, headSha } of pulls) {
    const stored = await findEvaluation(deps.db, { repositoryId: query.repositoryId, number });
    if (stored === null || !isOfToday(stored, { ...query, headSha })) others.unevaluated.push(number);
    else if (!hasPassed(stored, deps.clock.now())) others.blocked.push(number);
    else if (isOverriddenAmong(stored, pulls)) others.overridden.push(number);
    else passed.push(stored);
  }
  return { passed, ...others };
}

const createNumberLists = (): Record<Exclude<keyof GroupEntries, "passed">, number[]> => ({
  overridden: [],
  blocked: [],
  unevaluated: [],
});

/** An override counts for one head alone, and a group of several merges something else. */
const isOverriddenAmong = ({ evaluation }: StoredEvaluation, pulls: readonly QueuedPull[]): boolean =>
  evaluation.override !== undefined && pulls.length > 1;

export const isOfToday = (
  { evaluation: { pull }, policyBlobs }: StoredEvaluation,
  { headSha, baseRef, policy }: EntryQuery & { readonly headSha: string },
): boolean => pull.headSha === headSha && pull.baseRef === baseRef && policyBlobs === joinPolicyBlobs(policy);

/** Whether a verdict lets a pull request merge now: a waiver may have expired since. */
export const hasPassed = (stored: StoredEvaluation, nowMs: number): boolean =>
  isPassing(stored.evaluation.check) &&
  getFindings(stored).every(({ waiver }) => waiver === null || nowMs < waiver.untilMs);

const getFindings = ({ evaluation: { situation } }: StoredEvaluation) =>
  situation.kind === "evaluated" ? situation.verdict.findings : [];

export const toEntry = (stored: StoredEvaluation): GroupEntry => ({
  number: stored.evaluation.pull.number,
  report: stored.evaluation.report,
  context: stored.evaluation.context,
  findings: getFindings(stored),
});
