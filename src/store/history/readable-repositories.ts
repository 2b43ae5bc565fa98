import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** How many of a reader's repositories have figures for their readers. */
export interface RepositoryCounts {
  readonly all: number;
  /** Number of repositories whose readers may not see figures: a page shows their counts, and no amount of them. */
  readonly hidden: number;
}

/** Counts these repositories. */
export async function countReadableRepositories(
  db: Kysely<Tables>,
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
