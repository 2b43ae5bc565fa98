import type { HeadState } from "../../github/head/head-state.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { recordAuditEvent } from "../../platform/contract/executions.ts";
import { recommendations } from "../../platform/contract/recommendations.ts";
import type { Recommendation } from "../../platform/contract/shapes/recommendation-item.ts";
import type { Failure } from "../../platform/errors.ts";
import {
  type AppliedRecommendation,
  setAppliedState,
} from "../../store/after-merge/applied-recommendations.ts";
import { computeContextGrant } from "../facts/context/grant.ts";
import type { PullRun } from "../run/pull-run.ts";
import { toGrantee } from "./can-see-project.ts";

/**
 * Marks the recommendations on the platform, one after the other: first the commit of the execution, then
 * that the recommendation is applied. Each step is saved when it is done, and the platform's state is read
 * first, so that a repetition changes nothing.
 *
 * @throws TollgateError `platform_failed`, retryable
 */
export async function reportAppliedRecommendations(
  run: PullRun,
  head: HeadState,
  applied: readonly AppliedRecommendation[],
): Promise<void> {
  const { deps } = run;
  const auditedStages = new Set<string>();
  const setState = (one: AppliedRecommendation, state: AppliedRecommendation["state"]) =>
    setAppliedState(deps.db, one, { state, now: new Date(deps.clock.now()) });
  for (const one of applied) {
    if (one.state === "marked" || one.state === "refused") continue;
    if (one.state === "found") {
      const key = JSON.stringify([one.org, one.project, one.pipeline_execution_id, one.pipeline_stage_id]);
      if (!auditedStages.has(key)) await sendGitAudit(run, head, one);
      auditedStages.add(key);
      await setState(one, "audited");
    }
    await setState(one, await markRecommendation(run, head, one));
  }
}

async function sendGitAudit(
  { deps }: PullRun,
  { repository, pull }: HeadState,
  one: AppliedRecommendation,
): Promise<void> {
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
  run: PullRun,
  head: HeadState,
  { recommendation_id: recommendationId, savings }: AppliedRecommendation,
): Promise<"marked" | "refused"> {
  const { deps } = run;
  const before = await findRecommendation(run, recommendationId);
  const granted = computeContextGrant(deps.operator, toGrantee(head.repository)).cloudAccounts;
  if (before === null || before.cloudAccountId === null || !granted.includes(before.cloudAccountId))
    return "refused";
  if (before.recommendationState !== "APPLIED") {
    const answer = await deps.platform.call(recommendations.changeRecommendationState, {
      query: { recommendationId, state: "APPLIED" },
      body: { appliedSavings: Number(savings) },
    });
    if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
    const after = await findRecommendation(run, recommendationId);
    if (after?.recommendationState !== "APPLIED") return "refused";
  }
  return before.verificationStatus === "INFERRED_PENDING_REVIEW"
    ? confirmRecommendation(run, recommendationId)
    : "marked";
}

/** Confirms a recommendation that the platform itself had inferred to be applied. */
async function confirmRecommendation({ deps }: PullRun, recommendationId: string): Promise<"marked"> {
  const answer = await deps.platform.call(recommendations.changeInferenceStatus, {
    body: { recommendationId, verificationStatus: "INFERRED_APPLIED", comment: "Carried out by an apply" },
  });
  if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
  return "marked";
}

async function findRecommendation({ deps }: PullRun, id: string): Promise<Recommendation | null> {
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
const isTransient = ({ kind }: Failure): boolean =>
  kind !== "not_found" && kind !== "rejected" && kind !== "forbidden";

const createPlatformError = ({ kind }: Failure): TollgateError =>
  new TollgateError("platform_failed", `the platform did not take what was applied: ${kind}`, {
    retryable: true,
  });
