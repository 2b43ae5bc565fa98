import { type RawBuilder, sql } from "kysely";
import type { Decimal } from "../../kernel/money.ts";
import type { CostState, TagLabel } from "../../report/model/report.ts";
import type { Db } from "../tables/tables.ts";

/** The repositories that a reader may see, by GitHub's ids. Nothing of another repository is read. */
export type RepositoryIds = ReadonlySet<number> | readonly number[];

/** Whether a column is the id of one of these repositories. The ids are one parameter, however many there are. */
export const isReadable = (column: string, repositoryIds: RepositoryIds): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${`{${[...repositoryIds].join(",")}}`}::bigint[])`;

/** A cost per month in one currency; null: unknown. See `CostLine` for the state. */
export interface CostFigures {
  readonly currency: string;
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
  readonly state: CostState;
}

/**
 * The totals of an evaluation as one value, one per currency, the largest change first. Empty where the table `repositories` of
 * the query says that readers may not see figures: a repository may have become public since the evaluation.
 */
export const selectTotals = (evaluationId: string): RawBuilder<readonly CostFigures[]> =>
  sql<readonly CostFigures[]>`(select coalesce(json_agg(json_build_object('currency', total.currency,
      'before', total.before::text, 'after', total.after::text, 'change', total.change::text, 'state', total.state)
      order by abs(total.change) desc nulls last, total.currency), '[]')
    from evaluation_totals as total
    where total.evaluation_id = ${sql.ref(evaluationId)} and repositories.figures)`;

/** What an evaluation changes of the cost by tag, in one currency. Key and value are not escaped. */
export interface TagChange extends TagLabel {
  readonly key: string;
  readonly currency: string;
  /** Null: unknown. */
  readonly change: Decimal | null;
  readonly state: CostState;
}

/** What the newest evaluation changes of the cost by tag, as `selectTotals` does. */
export const selectTagChanges = (evaluationId: string): RawBuilder<readonly TagChange[]> =>
  sql<readonly TagChange[]>`(select coalesce(json_agg(json_build_object('key', tag.key, 'kind', tag.kind,
      'value', tag.value, 'currency', tag.currency, 'change', tag.change::text, 'state', tag.state)
      order by tag.position), '[]')
    from evaluation_tags as tag
    where tag.evaluation_id = ${sql.ref(evaluationId)} and repositories.figures)`;

/** An exact sum in canonical form, of type `Decimal`. */
export const selectExactSum = (amount: string): RawBuilder<Decimal> =>
  sql<Decimal>`trim_scale(sum(${sql.ref(amount)}))::text`;

interface RepositoryCounts {
  readonly all: number;
  /** Number of repositories whose readers may not see figures: a page shows their counts, and no amount of them. */
  readonly hidden: number;
}

export async function countReadableRepositories(
  db: Db,
  repositoryIds: RepositoryIds,
): Promise<RepositoryCounts> {
  const row = await db
    .selectFrom("repositories")
    .where(isReadable("repository_id", repositoryIds))
    .select(sql<number>`count(*)`.as("all"))
    .select(sql<number>`count(*) filter (where figures = false)`.as("hidden"))
    .executeTakeFirst();
  return row ?? { all: 0, hidden: 0 };
}

/** Returns the ids of known repositories: one, those of an owner, or all. Ids are GitHub's; null: not restricted by it. */
export async function listReadableBy(
  db: Db,
  { repositoryId, ownerId }: { readonly repositoryId: number | null; readonly ownerId: number | null },
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("repositories")
    .select("repository_id")
    .$if(repositoryId !== null, (query) => query.where("repository_id", "=", repositoryId))
    .$if(ownerId !== null, (query) => query.where("owner_id", "=", ownerId))
    .execute();
  return new Set(rows.map(({ repository_id }) => repository_id));
}

/** Lists those of these repositories whose readers may see figures, with the ids of their owners. */
export async function listFigureRepositories(
  db: Db,
  repositoryIds: RepositoryIds,
): Promise<readonly { readonly repositoryId: number; readonly ownerId: number }[]> {
  const rows = await db
    .selectFrom("repositories")
    .select(["repository_id as repositoryId", "owner_id as ownerId"])
    .where(isReadable("repository_id", repositoryIds))
    .where("figures", "=", true)
    .execute();
  return rows.flatMap(({ repositoryId, ownerId }) => (ownerId === null ? [] : [{ repositoryId, ownerId }]));
}
