import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Evaluation } from "../policy/evaluation.ts";
import type { CheckDecision } from "../policy/situation.ts";
import { type Fence, holdsWithin } from "./lanes.ts";
import { transact } from "./one-connection.ts";
import type { Tables } from "./tables.ts";

/** The newest evaluation of one pull request. */
export interface KeptEvaluation {
  readonly evaluation: Evaluation;
  /** Digest of head, base branch, policy blobs and facts. */
  readonly digest: string;
  /** Blobs of the policy files in force, joined; the same text means the same policy. */
  readonly policyBlobs: string;
}

/** `in_progress`, `none` or a conclusion. */
export const decisionText = (check: CheckDecision): string =>
  check.status === "completed" ? check.conclusion : check.status;

/**
 * Makes an evaluation the newest of its pull request, if the run that made it is still the newest of its lane; else nothing
 * is written and the answer is false. It counts as settled once GitHub is known to show it.
 */
export function saveEvaluation(
  db: Kysely<Tables>,
  kept: KeptEvaluation,
  { fence, now }: { readonly fence: Fence; readonly now: Date },
): Promise<boolean> {
  return transact(db, async (trx) => {
    if (!(await holdsWithin(trx, fence))) return false;
    await write(trx, kept, now);
    return true;
  });
}

async function write(trx: Kysely<Tables>, kept: KeptEvaluation, now: Date): Promise<void> {
  const { pull, check, checkName } = kept.evaluation;
  const row = {
    repository_id: pull.repositoryId,
    number: pull.number,
    head_sha: pull.headSha,
    base_ref: pull.baseRef,
    check_name: checkName,
    digest: kept.digest,
    decision: decisionText(check),
    policy_blobs: kept.policyBlobs,
    settled: false,
    evaluation: JSON.stringify(kept.evaluation),
    created_at: now,
  };
  await trx
    .insertInto("evaluations")
    .values(row)
    .onConflict((conflict) => conflict.columns(["repository_id", "number"]).doUpdateSet(row))
    .execute();
}

/** GitHub shows this evaluation now. One that was replaced meanwhile stays as it is. */
export async function settleEvaluation(db: Kysely<Tables>, pull: PullKey, digest: string): Promise<void> {
  await db
    .updateTable("evaluations")
    .set({ settled: true })
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("digest", "=", digest)
    .execute();
}

interface EvaluationRow {
  readonly evaluation: unknown;
  readonly digest: string;
  readonly policy_blobs: string;
}

const kept = (row: EvaluationRow): KeptEvaluation => ({
  evaluation: row.evaluation as Evaluation, // this file alone writes the column, from a value of this type
  digest: row.digest,
  policyBlobs: row.policy_blobs,
});

export async function findEvaluation(db: Kysely<Tables>, pull: PullKey): Promise<KeptEvaluation | null> {
  const row = await db
    .selectFrom("evaluations")
    .select(["evaluation", "digest", "policy_blobs"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .executeTakeFirst();
  return row ? kept(row) : null;
}

/** The evaluations of every open pull request that shares this head and check name. */
export async function evaluationsOfCheck(
  db: Kysely<Tables>,
  check: { readonly repositoryId: number; readonly headSha: string; readonly checkName: string },
): Promise<readonly KeptEvaluation[]> {
  const rows = await db
    .selectFrom("evaluations")
    .innerJoin("pulls", (join) =>
      join
        .onRef("pulls.repository_id", "=", "evaluations.repository_id")
        .onRef("pulls.number", "=", "evaluations.number")
        .onRef("pulls.head_sha", "=", "evaluations.head_sha"),
    )
    .where("pulls.state", "=", "open")
    .where("evaluations.repository_id", "=", check.repositoryId)
    .where("evaluations.head_sha", "=", check.headSha)
    .where("evaluations.check_name", "=", check.checkName)
    .select(["evaluations.evaluation", "evaluations.digest", "evaluations.policy_blobs"])
    .orderBy("evaluations.number")
    .execute();
  return rows.map(kept);
}
