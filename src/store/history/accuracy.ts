import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import { toStorableJson } from "../../kernel/storable.ts";
import type { CostAfterMerge } from "../../policy/model/evaluation.ts";
import type { PartComparison } from "../../report/accuracy.ts";
import type { ModuleRange } from "../../report/model/context.ts";
import { ROUNDING } from "../../report/totals.ts";
import { isOf } from "../database/statements.ts";
import { toIndexText } from "../index-text.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Trx } from "../tables/tables.ts";

/** A comparison of a merged pull request; `parts`: of the modules and resource types of its workspaces, as far as they are known. */
export interface MergeComparison {
  readonly afterMerge: CostAfterMerge;
  readonly parts?: readonly PartComparison[];
  readonly now: Date;
}

/** Saves a comparison, one row per currency and part, in place of an earlier one of the same pull request. */
export async function saveComparison(
  trx: Trx,
  pull: PullKey,
  { afterMerge: { totals, units: _, ...counts }, parts = [], now }: MergeComparison,
): Promise<void> {
  for (const table of ["merge_comparisons", "part_comparisons"] as const)
    await trx.deleteFrom(table).where(isOf(pull)).execute();
  const rest = { ...toPullColumns(pull), ...counts, compared_at: now };
  for (const { before, ...total } of totals)
    if (before !== undefined)
      await trx
        .insertInto("merge_comparisons")
        .values({ before, ...total, ...rest })
        .execute();
  const named = parts.map((part) => ({ ...part, name: toIndexText(part.name) }));
  await sql`insert into part_comparisons
    (repository_id, number, kind, name, currency, estimated, actual, compared_at)
    select ${pull.repositoryId}, ${pull.number}, kind, name, currency, sum(estimated), sum(actual), ${now}
    from jsonb_to_recordset(${toStorableJson(named)}::jsonb)
      as part (kind text, name text, currency text, estimated numeric, actual numeric)
    group by kind, name, currency having abs(sum(estimated)) > ${ROUNDING}::numeric`.execute(trx);
}

/**
 * Returns how past changes of modules of a repository came out, of those with this many comparisons: the 10th and the 90th percentile of
 * the misses, in whole percent of the estimated change.
 */
export const listModuleRanges = (
  db: Db,
  repositoryId: number,
  { modules, least }: { readonly modules: readonly string[]; readonly least: number },
): Promise<readonly ModuleRange[]> =>
  db
    .selectFrom("part_comparisons as own")
    .where("own.repository_id", "=", repositoryId)
    .where("own.kind", "=", "module")
    .where("own.name", "in", modules)
    .select(["own.name as module", "own.currency", LOW, HIGH])
    .select(({ fn }) => fn.countAll<number>().as("compared"))
    .groupBy(["own.name", "own.currency"])
    .having(({ fn }) => fn.countAll<number>(), ">=", least)
    .orderBy("own.name")
    .orderBy("own.currency")
    .execute();

type Sql = ReturnType<typeof sql>;

/** What a comparison `own` missed, in percent of the estimated change. */
export const MISS_PERCENT: Sql = sql`((own.actual - own.estimated) * 100 / abs(own.estimated))`;

export const percentile = (share: number, value: Sql) =>
  sql`percentile_disc(${sql.lit(share)}) within group (order by ${value})`;
export const round = (value: Sql, places = 1) =>
  sql<Decimal>`trim_scale(round(${value}, ${sql.lit(places)}))::text`;

export const LOW = round(percentile(0.1, MISS_PERCENT), 0).as("low");
export const HIGH = round(percentile(0.9, MISS_PERCENT), 0).as("high");
