import { type Kysely, sql } from "kysely";
import type { Decimal } from "../../kernel/money.ts";
import type { Tables } from "../tables/tables.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** A span of time: its first moment, and the first moment after it. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** What was merged in one week into one stage, in one currency. Per month, as estimated. */
export interface MergedChange {
  /** The first moment of the week, a Monday in UTC. */
  readonly week: Date;
  /** The stage's name in the policy at that time, else the workspace. */
  readonly stage: string;
  /** Null: the changes are unknown, so all amounts are zero. */
  readonly currency: string | null;
  readonly change: Decimal;
  /** The parts of the change that raise and that lower the cost. */
  readonly increases: Decimal;
  readonly decreases: Decimal;
  /** Number of changes of a workspace by a pull request, and of those whose amount is unknown. */
  readonly changes: number;
  readonly unknown: number;
}

/**
 * Sums up what was merged, by week, stage and currency, oldest first; repositories whose readers may not see figures are not in it.
 */
export async function sumMergedChanges(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  { from, to }: TimeSpan,
): Promise<readonly MergedChange[]> {
  return db
    .selectFrom("merged_stages as merged")
    .innerJoin("repositories", "repositories.repository_id", "merged.repository_id")
    .where(isReadable("merged.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("merged.merged_at", ">=", from)
    .where("merged.merged_at", "<", to)
    .select([WEEK.as("week"), STAGE.as("stage"), "merged.currency"])
    .select([sumWhere(sql`true`).as("change"), sumWhere(sql`merged.change::numeric > 0`).as("increases")])
    .select(sumWhere(sql`merged.change::numeric < 0`).as("decreases"))
    .select(({ fn }) => fn.countAll<number>().as("changes"))
    .select(sql<number>`count(*) filter (where merged.change is null)`.as("unknown"))
    .groupBy([WEEK, STAGE, "merged.currency"])
    .orderBy("week")
    .orderBy("stage")
    .orderBy("merged.currency")
    .execute();
}

const WEEK = sql<Date>`date_trunc('week', merged.merged_at, 'UTC')`;
const STAGE = sql<string>`merged.stage`;

const sumWhere = (condition: ReturnType<typeof sql>) =>
  sql<Decimal>`trim_scale(coalesce(sum(merged.change::numeric) filter (where ${condition}), 0))::text`;
