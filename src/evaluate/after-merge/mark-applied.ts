import { toResult } from "../../github/client/read-answer.ts";
import { readCommitClaims } from "../../github/head/commit-claims.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Execution } from "../../platform/contract/executions.ts";
import { recordAuditEvent } from "../../platform/contract/executions.ts";
import type { Recommendation } from "../../platform/contract/recommendations.ts";
import { recommendations } from "../../platform/contract/recommendations.ts";
import type { Failure } from "../../platform/errors.ts";
import type { Saving } from "../../report/model/context.ts";
import { getFactValue } from "../../report/stages.ts";
import {
  type AppliedRecommendation,
  listAppliedRecommendations,
  saveAppliedRecommendations,
  setAppliedState,
} from "../../store/after-merge/applied-recommendations.ts";
import { listMergedStages, type MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { identifyExecution, readClaims } from "../facts/executions.ts";
import { canSeeProject, computeContextGrant, toGrantee } from "../facts/grants.ts";
import { MAX_ROWS, readRowPage, readRowPages } from "../facts/read-rows.ts";
import { type CurrentHead, findHeadEvaluation, type JobDeps } from "../run/deps.ts";
import { type AppliedExecution, isCarriedOut } from "./compare.ts";
import { readApplyPipelines, readExecutionCost, readExecutionsAfterMerge } from "./workspace-executions.ts";

/** Times after the merge, in ms, at which an applied execution is searched. */
const CHECK_TIMES_MS = [5, 30, 120, 360, 1_440, 2_880, 5_760, 10_080].map((minutes) => minutes * MINUTE_MS);

/**
 * Marks on the platform the recommendations that a merged pull request's apply carried out; a merge alone
 * marks nothing. They are saved before any call. Returns when to search for the apply again, in ms since
 * 1970; null: never.
 */
export async function markApplied(current: CurrentHead): Promise<number | null> {
  const { deps, key, head } = current;
  if (!deps.operator.markRecommendations || head.pull.mergeSha === null) return null;
  const savings = listSavings(current);
  if (savings.length === 0) return null;
  const stages = await listMergedStages(deps.db, key);
  const found = await findAppliedCandidates(current, { savings, stages });
  await saveAppliedRecommendations(deps.db, key, { found, now: new Date(deps.clock.now()) });
  const applied = await listAppliedRecommendations(deps.db, key);
  await reportAppliedRecommendations(current, applied);
  const done = new Set(applied.map(({ recommendation_id: id }) => id));
  if (savings.every(({ recommendationId }) => done.has(recommendationId))) return null;
  return findNextCheck(stages, deps.clock.now());
}

/** Returns when to search for the apply of a merge again, in ms since 1970; null: not any more. */
export function findNextCheck(stages: readonly MergedStageRow[], nowMs: number): number | null {
  const mergedMs = Math.min(...stages.map((stage) => stage.mergedMs));
  return CHECK_TIMES_MS.map((after) => mergedMs + after).find((at) => at > nowMs) ?? null;
}

function listSavings(current: CurrentHead): readonly Saving[] {
  const last = findHeadEvaluation(current);
  return last === null ? [] : (getFactValue(last.evaluation.report.context.savings)?.items ?? []);
}

type AppliedCandidate = Omit<AppliedRecommendation, "repository_id" | "number" | "state" | "updated_at">;

async function findAppliedCandidates(
  current: CurrentHead,
  { savings, stages }: { readonly savings: readonly Saving[]; readonly stages: readonly MergedStageRow[] },
): Promise<readonly AppliedCandidate[]> {
  const ofSavings = stages.filter(
    ({ workspace }) =>
      isOnlyStage(stages, workspace) && savings.some((saving) => saving.workspace === workspace),
  );
  const read = (await listApplies(current, ofSavings)).map(
    async ({ stage, applied }): Promise<readonly AppliedCandidate[]> => {
      const own = savings.filter(({ workspace }) => workspace === stage.workspace);
      const done = await readAppliedExecution(current.deps, applied);
      if (done === null) return [];
      const { org, project, pipeline_execution_id, pipeline_stage_id } = applied;
      const execution = { org, project, pipeline_execution_id, pipeline_stage_id };
      return own
        .filter((saving) => isCarriedOut(saving, done))
        .map(({ recommendationId, monthly }) => ({
          recommendation_id: recommendationId,
          ...execution,
          savings: monthly.amount,
          currency: monthly.currency,
        }));
    },
  );
  return (await Promise.all(read)).flat();
}

/** A merged stage, with the newest successful execution that applied the merged commit to its workspace. */
interface AppliedStage {
  readonly stage: MergedStageRow;
  readonly applied: Execution;
}

/** Returns the applies of these stages that are known, in projects that the repository may still see. */
export async function listApplies(
  current: CurrentHead,
  stages: readonly MergedStageRow[],
): Promise<readonly AppliedStage[]> {
  const ofMerge = stages.length === 0 ? new Set<string>() : await readMergeExecutions(current);
  if (ofMerge.size === 0) return [];
  const found = stages.map(async (stage) => {
    if (!(await canSeeProject(current.deps, current.head.repository, stage))) return [];
    const applied = await findApplyExecution(current.deps, stage, ofMerge);
    return applied === null ? [] : [{ stage, applied }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Whether only one stage has this workspace name. A saving states only the workspace, so with two projects
 * the match would be uncertain.
 */
const isOnlyStage = (stages: readonly MergedStageRow[], workspace: string): boolean =>
  stages.filter((stage) => stage.workspace === workspace).length === 1;

/**
 * Returns the executions of the pull request's merge commit. Never throws: executions that cannot be read are
 * left out.
 */
async function readMergeExecutions({ deps, client, head }: CurrentHead): Promise<ReadonlySet<string>> {
  const { repository, pull } = head;
  if (pull.mergeSha === null) return new Set();
  const { id: repositoryId, owner, name } = repository;
  const [claims, recorded] = await Promise.all([
    toResult(readCommitClaims(client, repository, pull.mergeSha)),
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
async function findApplyExecution(
  deps: JobDeps,
  stage: MergedStageRow,
  ofMerge: ReadonlySet<string>,
): Promise<Execution | null> {
  const { org, project } = stage;
  const executions = await readExecutionsAfterMerge(deps, stage);
  const own = executions.filter(({ pipeline_execution_id: executionId }) =>
    ofMerge.has(identifyExecution({ org, project, executionId })),
  );
  if (own.length === 0) return null;
  const applying = await readApplyPipelines(deps, stage);
  return own.find(({ pipeline }) => applying.has(pipeline ?? "")) ?? null;
}

/** Returns what an execution changed; null: a part of it cannot be read. */
async function readAppliedExecution(deps: JobDeps, execution: Execution): Promise<AppliedExecution | null> {
  const { org, project, pipeline_execution_id, pipeline_stage_id } = execution;
  const stage = { org, project, pipeline_execution_id, pipeline_stage_id };
  const category = "planned_changes";
  const first = await readRowPage(deps.platform, stage, { category, page: 1 });
  if (!first.ok || first.value.total > MAX_ROWS) return null;
  const { rows, complete } = await readRowPages(deps.platform, stage, { category, first: first.value });
  if (!complete) return null;
  const changes = new Map<string, Set<string>>();
  for (const { resource_address: address, change } of rows)
    if (address && change) changes.set(address, (changes.get(address) ?? new Set()).add(change));
  return { changes, cost: await readExecutionCost(deps, execution) };
}

/**
 * Marks the recommendations on the platform, one after the other: first the commit of the execution, then
 * that the recommendation is applied. Each step is saved when it is done, and the platform's state is read
 * first, so that a repetition changes nothing.
 *
 * @throws TollgateError `platform_failed`, retryable
 */
async function reportAppliedRecommendations(
  current: CurrentHead,
  applied: readonly AppliedRecommendation[],
): Promise<void> {
  const { deps } = current;
  const auditedStages = new Set<string>();
  const setState = (one: AppliedRecommendation, state: AppliedRecommendation["state"]) =>
    setAppliedState(deps.db, one, { state, now: new Date(deps.clock.now()) });
  for (const one of applied) {
    if (one.state === "marked" || one.state === "refused") continue;
    if (one.state === "found") {
      const key = JSON.stringify([one.org, one.project, one.pipeline_execution_id, one.pipeline_stage_id]);
      if (!auditedStages.has(key)) await sendGitAudit(current, one);
      auditedStages.add(key);
      await setState(one, "audited");
    }
    await setState(one, await markRecommendation(current, one));
  }
}

async function sendGitAudit({ deps, head }: CurrentHead, one: AppliedRecommendation): Promise<void> {
  const { repository, pull } = head;
  const { org, project, pipeline_execution_id, pipeline_stage_id } = one;
  const git_audit_data = {
    hash: pull.mergeSha ?? "",
    name: pull.baseRef,
    repo_url: `${deps.githubPages}/${repository.owner}/${repository.name}.git`,
    type: "branch",
  };
  const answer = await deps.platform.call(recordAuditEvent, {
    params: { org, project, pipeline_execution_id, pipeline_stage_id },
    body: { audit: { git_audit_data } },
  });
  if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
  if (!answer.ok) deps.log.warn({ failure: answer.failure.kind }, "the platform did not take an audit event");
}

async function markRecommendation(
  { deps, head }: CurrentHead,
  { recommendation_id: recommendationId, savings }: AppliedRecommendation,
): Promise<"marked" | "refused"> {
  const before = await findRecommendation(deps, recommendationId);
  const granted = computeContextGrant(deps.operator, toGrantee(head.repository)).cloudAccounts;
  if (before === null || before.cloudAccountId === null || !granted.includes(before.cloudAccountId))
    return "refused";
  if (before.recommendationState !== "APPLIED") {
    const answer = await deps.platform.call(recommendations.changeRecommendationState, {
      query: { recommendationId, state: "APPLIED" },
      body: { appliedSavings: Number(savings) },
    });
    if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
    const after = await findRecommendation(deps, recommendationId);
    if (after?.recommendationState !== "APPLIED") return "refused";
  }
  return before.verificationStatus === "INFERRED_PENDING_REVIEW"
    ? confirmRecommendation(deps, recommendationId)
    : "marked";
}

/** Confirms a recommendation that the platform itself had inferred to be applied. */
async function confirmRecommendation(deps: JobDeps, recommendationId: string): Promise<"marked"> {
  const answer = await deps.platform.call(recommendations.changeInferenceStatus, {
    body: { recommendationId, verificationStatus: "INFERRED_APPLIED", comment: "Carried out by an apply" },
  });
  if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
  return "marked";
}

async function findRecommendation(deps: JobDeps, id: string): Promise<Recommendation | null> {
  const answer = await deps.platform.call(recommendations.listRecommendations, {
    body: {
      baseRecommendationFilterPropertiesDTO: { id: [id] },
      includeIgnoredRecommendation: true,
      limit: 10,
    },
  });
  if (!answer.ok) throw createPlatformError(answer.failure);
  return answer.value.data.items.find((item) => item.id === id) ?? null;
}

/** Whether a failure is retried. */
export const isTransient = ({ kind }: Failure): boolean =>
  kind !== "not_found" && kind !== "rejected" && kind !== "forbidden";

export const createPlatformError = ({ kind }: Failure): TollgateError =>
  new TollgateError("platform_failed", `the platform did not take what was applied: ${kind}`, {
    retryable: true,
  });
