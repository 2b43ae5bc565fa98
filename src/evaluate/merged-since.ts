import { isContained } from "../github/people/update-merges.ts";
import type { MergedEntry, Overlap } from "../policy/evaluate-sum.ts";
import type { Report } from "../report/model/report.ts";
import { buildStageKey } from "../report/model/stage-label.ts";
import { listStagesMergedAfter } from "../store/after-merge/merged-pulls.ts";
import { findEvaluation, type StoredEvaluation } from "../store/evaluations.ts";
import type { GroupRun } from "./run/deps.ts";

/** A pull request that was merged after a plan of the merge group was made. */
export interface MergedSince extends MergedEntry {
  readonly headSha: string;
}

/**
 * Returns the pull requests that were merged into the group's base branch after a plan of one of their workspaces was made. A CI job knows
 * none.
 */
export async function readMergedSince(
  { deps, key: { repositoryId }, group }: GroupRun,
  queued: readonly StoredEvaluation[],
): Promise<readonly MergedSince[]> {
  if (deps.isOneShot) return [];
  const stages = queued.flatMap(({ evaluation }) => evaluation.report.stages);
  const planned = Map.groupBy(stages, buildStageKey);
  const plannedMs = (own: Report["stages"]) => Math.min(...own.map(({ createdMs }) => createdMs ?? 0));
  if (stages.length === 0) return [];
  const base = { repositoryId, baseRef: group.base_ref };
  const since = (await listStagesMergedAfter(deps.db, base, plannedMs(stages))).filter(
    (stage) => stage.mergedMs > plannedMs(planned.get(buildStageKey(stage)) ?? []),
  );
  const pulls = new Map(since.map((one) => [one.number, one]));
  const found: MergedSince[] = [];
  for (const { number, headSha, mergedMs } of pulls.values()) {
    const evaluation = (await findEvaluation(deps.db, { repositoryId, number }))?.evaluation;
    if (evaluation === undefined) continue;
    const { pull, report } = evaluation;
    found.push({
      ...{ number, headSha, mergedMs },
      report: pull.headSha === headSha ? report : toUnknownChanges(report),
    });
  }
  return found;
}

/** Returns the report with unknown changes: the evaluation of another head does not say what was merged. */
const toUnknownChanges = (report: Report): Report => ({
  ...report,
  stages: report.stages.map((stage) => ({
    ...stage,
    ...({ state: "unknown", because: ["not_read"], counts: null, rowsBecause: "not_read" } as const),
  })),
});

/**
 * Returns the merged pull requests without those that are part of the overlapping plans: a head that contains another one, as in a stack,
 * was planned with its changes.
 *
 * @throws GitHubError
 */
export async function withoutContained(
  { client, key: { repositoryId } }: GroupRun,
  merged: readonly MergedSince[],
  plans: { readonly queued: readonly StoredEvaluation[]; readonly overlaps: readonly Overlap[] },
): Promise<readonly MergedSince[]> {
  const found: MergedSince[] = [];
  for (const one of merged) {
    const own = plans.overlaps.filter((overlap) => overlap.merged.includes(one.number));
    const pulls = plans.queued.flatMap(({ evaluation: { pull } }) =>
      own.some((overlap) => overlap.pulls.includes(pull.number)) ? [pull] : [],
    );
    const contained = await Promise.all(
      pulls.map(({ headSha: head }) => isContained(client, repositoryId, { commit: one.headSha, head })),
    );
    if (pulls.length === 0 || contained.includes(false)) found.push(one);
  }
  return found;
}
