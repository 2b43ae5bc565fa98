import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import { toStorableJson } from "../../kernel/storable.ts";
import type { CostAfterMerge } from "../../policy/model/evaluation.ts";
import type { PartComparison } from "../../report/accuracy.ts";
import { isOf } from "../database/statements.ts";
import { toIndexText } from "../index-text.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Trx } from "../tables/tables.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

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
    group by kind, name, currency having sum(estimated) <> 0`.execute(trx);
}

/** How estimated changes of a module of one repository, or of a resource type, came out, in one currency. */
export type PartAccuracy = Awaited<ReturnType<typeof listPartAccuracy>>[number];

/**
 * Sums up the comparisons since a moment, of modules by repository, and of resource types over all of these repositories; those whose
 * readers may not see figures are not in it. Percentages are of the estimated change; `low` and `high` are the 10th and the 90th percentile.
 */
export const listPartAccuracy = (db: Db, repositoryIds: RepositoryIds, from: Date) =>
  db
    .selectFrom("part_comparisons as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .where(isReadable("repositories.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("own.compared_at", ">=", from)
    .select(["own.kind", "own.name", "own.currency"])
    .select(
      sql<string | null>`case own.kind when 'module' then owner_login || '/' || repositories.name end`.as(
        "repository",
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("compared"))
    .select(sql<number>`count(*) filter (where own.actual > own.estimated)`.as("over"))
    .select(sql<number>`count(*) filter (where own.actual < own.estimated)`.as("under"))
    .select([
      round(sql`avg(abs(${PERCENT}))`).as("mean_percent"),
      round(sql`avg(${PERCENT})`).as("bias_percent"),
    ])
    .select(round(percentile(0.5, sql`abs(${PERCENT})`)).as("median_percent"))
    .select([round(percentile(0.1, PERCENT), 0).as("low"), round(percentile(0.9, PERCENT), 0).as("high")])
    .groupBy(["own.kind", "repository", "own.name", "own.currency"])
    .orderBy("own.name")
    .orderBy("repository")
    .orderBy("own.currency")
    .execute();

type Sql = ReturnType<typeof sql>;

const PERCENT: Sql = sql`((own.actual - own.estimated) * 100 / abs(own.estimated))`;

const percentile = (share: number, value: Sql) =>
  sql`percentile_disc(${sql.lit(share)}) within group (order by ${value})`;
const round = (value: Sql, places = 1) => sql<Decimal>`trim_scale(round(${value}, ${sql.lit(places)}))::text`;
