import { type PullKey, parseSha } from "../kernel/ids.ts";
import { decideCheck } from "../policy/decide-check.ts";
import { NO_APPROVALS } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS } from "../report/model/context.ts";
import { isFenceHeld } from "../store/database/lanes.ts";
import { findEvaluation, type StoredEvaluation, saveEvaluation } from "../store/evaluations.ts";
import { hasSeenPolicy } from "../store/known-policy-files.ts";
import { findPull, type PullRow } from "../store/pulls.ts";
import { findRepository, type Repository } from "../store/repositories.ts";
import { findPreviousHead, findStoredApprovable, getLastKnownTotals } from "./build-evaluation.ts";
import { buildUnlistedTarget, publishHeadCheck } from "./check.ts";
import { computeDigest } from "./comment-content.ts";
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
  const [pull, repository] = await Promise.all([
    findPull(deps.db, key),
    findRepository(deps.db, key.repositoryId),
  ]);
  if (pull === undefined || repository === undefined || pull.state === "closed") return;
  if (!(await hasPolicy(deps, pull))) return;
  const before = await findEvaluation(deps.db, key);
  const { repositoryId } = key;
  const last = { state: "not_read", repositoryId, baseRef: pull.base_ref, before } as const;
  const checkName = await findKnownCheckName(deps, last);
  const evaluation = buildFailedEvaluation({ pull, repository, checkName, before });
  if (evaluation === null) return;
  const digest = computeDigest([pull.head_sha, pull.base_ref, evaluation.situation]);
  const now = new Date(deps.clock.now());
  if (!(await saveEvaluation(deps.db, { evaluation, digest, policyBlobs: "" }, { fence, now }))) return;
  const client = deps.github(repository.installation_id);
  const run = { client, fence, isCurrent: () => isFenceHeld(deps.db, fence) };
  const slot = { repositoryId, headSha: pull.head_sha, checkName, baseRef: pull.base_ref };
  await publishHeadCheck(deps, buildUnlistedTarget(run, slot));
}

async function hasPolicy(
  { db }: JobDeps,
  { repository_id: repositoryId, base_ref: baseRef }: PullRow,
): Promise<boolean> {
  const knownLevels = await Promise.all(
    [baseRef, null].map((ref) => hasSeenPolicy(db, { repositoryId, baseRef: ref })),
  );
  return knownLevels.includes(true);
}

interface FailedEvaluationInput {
  readonly pull: PullRow;
  readonly repository: Repository;
  readonly checkName: string;
  readonly before: StoredEvaluation | null;
}

function buildFailedEvaluation({
  pull,
  repository,
  checkName,
  before,
}: FailedEvaluationInput): Evaluation | null {
  const headSha = parseSha(pull.head_sha);
  if (headSha === null) return null;
  const situation = { kind: "failed", cause: "own_error" } as const;
  return {
    pull: {
      repositoryId: pull.repository_id,
      number: pull.number,
      repository: `${repository.owner_login}/${repository.name}`,
      headSha,
      baseRef: pull.base_ref,
      figures: false,
      draft: false,
    },
    report: buildReport(NO_FACTS, { stages: [] }),
    context: {
      number: pull.number,
      author: null,
      labels: null,
      baseRef: pull.base_ref,
      draft: false,
      paths: [],
      pathsComplete: false,
      nowMs: 0,
      budgetUse: null,
    },
    situation,
    ...findStoredApprovable({ headSha, baseRef: pull.base_ref }, before),
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
