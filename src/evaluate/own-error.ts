import { type PullKey, parseSha, type Sha } from "../kernel/ids.ts";
import { decideCheck } from "../policy/decide-check.ts";
import { NO_APPROVALS } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS } from "../report/model/context.ts";
import { isFenceHeld } from "../store/database/lanes.ts";
import { computeDigest } from "../store/digest.ts";
import { findEvaluation, type StoredEvaluation, saveEvaluation } from "../store/evaluations.ts";
import { hasSeenPolicy } from "../store/known-policy-files.ts";
import { findPull } from "../store/pulls.ts";
import { findRepository, type Repository } from "../store/repositories.ts";
import { findPreviousHead, findStoredApprovable, getLastKnownTotals } from "./build-evaluation.ts";
import { buildUnlistedTarget, publishHeadCheck } from "./check.ts";
import { findKnownCheckName } from "./load-policy.ts";
import type { JobDeps, LaneRun } from "./run/deps.ts";

/**
 * Shows on the check that the evaluation failed, so that a head with a policy always has a check. It never counts as settled: the
 * sweep enqueues it again.
 */
export async function publishOwnError(
  deps: JobDeps,
  { key, fence }: Pick<LaneRun<PullKey>, "key" | "fence">,
): Promise<void> {
  const [pull, repository, before] = await Promise.all([
    findPull(deps.db, key),
    findRepository(deps.db, key.repositoryId),
    findEvaluation(deps.db, key),
  ]);
  const headSha = parseSha(pull?.head_sha ?? "");
  if (pull === undefined || repository === undefined || pull.state === "closed" || headSha === null) return;
  const place = { repositoryId: key.repositoryId, baseRef: pull.base_ref };
  if (!(await hasPolicy(deps, place))) return;
  const checkName = await findKnownCheckName(deps, { state: "not_read", ...place, before });
  const failed: FailedHead = { ...key, headSha, baseRef: pull.base_ref, repository, checkName, before };
  const evaluation = buildFailedEvaluation(failed);
  const digest = computeDigest([headSha, pull.base_ref, evaluation.situation]);
  const now = new Date(deps.clock.now());
  if (!(await saveEvaluation(deps.db, { evaluation, digest, policyBlobs: "" }, { fence, now }))) return;
  const client = deps.github(repository.installation_id);
  const run = { client, fence, isCurrent: () => isFenceHeld(deps.db, fence) };
  await publishHeadCheck(deps, buildUnlistedTarget(run, { ...place, headSha, checkName }));
}

async function hasPolicy(
  { db }: JobDeps,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
): Promise<boolean> {
  const seen = await Promise.all(
    [baseRef, null].map((ref) => hasSeenPolicy(db, { repositoryId, baseRef: ref })),
  );
  return seen.includes(true);
}

/** A head whose evaluation failed, as it was stored before. */
interface FailedHead extends PullKey {
  readonly headSha: Sha;
  readonly baseRef: string;
  readonly repository: Repository;
  readonly checkName: string;
  readonly before: StoredEvaluation | null;
}

function buildFailedEvaluation(failed: FailedHead): Evaluation {
  const { repositoryId, number, headSha, baseRef, repository, checkName, before } = failed;
  const situation = { kind: "failed", cause: "own_error" } as const;
  return {
    pull: {
      repositoryId,
      number,
      repository: `${repository.owner_login}/${repository.name}`,
      headSha,
      baseRef,
      figures: false,
      draft: false,
    },
    report: buildReport(NO_FACTS, { stages: [] }),
    context: {
      number,
      author: null,
      labels: null,
      baseRef,
      draft: false,
      paths: [],
      pathsComplete: false,
      nowMs: 0,
      budgetUse: null,
    },
    situation,
    ...findStoredApprovable({ headSha, baseRef }, before),
    ...(before?.evaluation.firstEvaluated && { firstEvaluated: before.evaluation.firstEvaluated }),
    approvals: NO_APPROVALS,
    check: decideCheck(situation, NO_APPROVALS),
    checkName,
    policySources: [],
    policyEdit: null,
    ...getLastCommentSettings(before),
    foreignChecks: [],
    previous: findPreviousHead(headSha, before),
    ...getLastKnownTotals(headSha, before),
  };
}

/** Returns the last known comment settings: other settings could delete earlier comments. */
function getLastCommentSettings(
  before: StoredEvaluation | null,
): Pick<Evaluation, "quiet" | "smallChange" | "commentMode" | "sections"> {
  if (before === null) return { quiet: false, commentMode: "update", sections: null };
  const { quiet, smallChange, commentMode, sections } = before.evaluation;
  return { quiet, commentMode, sections, ...(smallChange && { smallChange }) };
}
