import { readCommitClaims } from "../../github/head/commit-claims.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import type { Execution } from "../../platform/contract/executions.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { identifyExecution, readClaims } from "../facts/executions/claims.ts";
import { listPageNumbers, MAX_ROWS, readPage, readPages } from "../facts/platform/read-rows.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { AppliedExecution } from "./applied-execution.ts";
import { readApplyPipelines, readExecutionCost, readExecutionsAfterMerge } from "./workspace-executions.ts";

/**
 * Returns the executions of the pull request's merge commit. Never throws: executions that cannot be read are
 * left out.
 */
export async function readMergeExecutions(
  run: PullRun,
  { repository, pull }: HeadState,
): Promise<ReadonlySet<string>> {
  const { deps, client } = run;
  if (pull.mergeSha === null) return new Set();
  const { id: repositoryId, owner, name } = repository;
  const [claims, recorded] = await Promise.all([
    readCommitClaims(client, repository, pull.mergeSha),
    deps.findByCommit?.({ repositoryId, repository: `${owner}/${name}`, sha: pull.mergeSha }) ?? [],
  ]);
  const claimed = claims.ok
    ? readClaims(claims.value.statuses, claims.value.checks, deps.operator).candidates
    : [];
  return new Set([...recorded, ...claimed.filter(({ proven }) => proven)].map(identifyExecution));
}

/**
 * Returns the newest successful execution that applied the merged commit to a workspace; null: none is known.
 */
export async function findApplyExecution(
  { deps }: PullRun,
  stage: MergedStageRow,
  ofMerge: ReadonlySet<string>,
): Promise<Execution | null> {
  const { org, project } = stage;
  const runs = await readExecutionsAfterMerge(deps, stage);
  const own = runs.filter(({ pipeline_execution_id: executionId }) =>
    ofMerge.has(identifyExecution({ org, project, executionId })),
  );
  if (own.length === 0) return null;
  const applying = await readApplyPipelines(deps, stage);
  return own.find(({ pipeline }) => applying.has(pipeline ?? "")) ?? null;
}

/** Returns what an execution changed; null: a part of it cannot be read. */
export async function readAppliedExecution(
  { deps }: PullRun,
  run: Execution,
): Promise<AppliedExecution | null> {
  const { org, project, pipeline_execution_id, pipeline_stage_id } = run;
  const stage = { org, project, pipeline_execution_id, pipeline_stage_id };
  const category = "planned_changes";
  const first = await readPage(deps.platform, stage, { category, page: 1 });
  if (!first.ok || first.value.total > MAX_ROWS) return null;
  const pages = listPageNumbers(0, first.value.total, first.value.paging);
  const more = await readPages(deps.platform, stage, { category, pages, first: first.value });
  if (!more.complete) return null;
  const changes = new Map<string, Set<string>>();
  for (const { resource_address: address, change } of [...first.value.rows, ...more.rows])
    if (address && change) changes.set(address, (changes.get(address) ?? new Set()).add(change));
  return { changes, cost: await readExecutionCost(deps, run) };
}
