import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { bumpBudgets, lockBudgets } from "./budget-use.ts";
import { transact } from "./one-connection.ts";
import type { Tables } from "./tables.ts";
import { type MergedStage, recordMergedStages } from "./workspace-costs.ts";

export interface Merge extends PullKey {
  readonly mergeSha: string | null;
  readonly baseRef: string;
  readonly mergedMs: number;
  /** When its estimate is to be compared with what came of it, ms since 1970; null: never. */
  readonly compareMs: number | null;
}

/** Keeps that a pull request was merged and what it then said it costs; false: that was kept before. */
export function recordMerge(
  db: Kysely<Tables>,
  merge: Merge,
  stages: readonly MergedStage[],
): Promise<boolean> {
  const { repositoryId, number, mergeSha, baseRef, mergedMs, compareMs } = merge;
  const mergedAt = new Date(mergedMs);
  return transact(db, async (trx) => {
    await lockBudgets(trx, repositoryId);
    const inserted = await trx
      .insertInto("merged_pulls")
      .values({
        repository_id: repositoryId,
        number,
        merge_sha: mergeSha,
        base_ref: baseRef,
        merged_at: mergedAt,
        compare_at: compareMs === null ? null : new Date(compareMs),
        compared_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("number")
      .executeTakeFirst();
    if (inserted === undefined) return false;
    await recordMergedStages(trx, { repositoryId, number, mergedAt }, stages);
    await bumpBudgets(trx, repositoryId);
    return true;
  });
}
