import type { Transaction } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { CostAfterMerge } from "../../policy/model/evaluation.ts";
import type { Tables } from "../tables/tables.ts";

/** Saves what a merged pull request was estimated to cost and what it costs, one row per currency. */
export async function saveComparison(
  trx: Transaction<Tables>,
  { repositoryId, number }: PullKey,
  { afterMerge, now }: { readonly afterMerge: CostAfterMerge; readonly now: Date },
): Promise<void> {
  const { days, compared, workspaces, totals } = afterMerge;
  const key = { repository_id: repositoryId, number };
  const rest = { days: Math.round(days), compared, workspaces, compared_at: now };
  if (totals.length === 0) return;
  await trx
    .insertInto("merge_comparisons")
    .values(
      totals.map(({ currency, estimated, actual }) => ({ ...key, currency, estimated, actual, ...rest })),
    )
    .onConflict((conflict) =>
      conflict.columns(["repository_id", "number", "currency"]).doUpdateSet((row) => ({
        estimated: row.ref("excluded.estimated"),
        actual: row.ref("excluded.actual"),
        ...rest,
      })),
    )
    .execute();
}
