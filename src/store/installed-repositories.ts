import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/tables.ts";

/** A repository with its newest names. */
export interface InstalledRepository {
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
}

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom("repositories")
    .select(["repository_id as repositoryId", "owner_login as owner", "name"])
    .orderBy(sql`lower(owner_login)`)
    .orderBy(sql`lower(name)`);

/** Finds a repository by its names, in any case; after a rename, the one that was seen last. Null: none is known. */
export async function findRepositoryByName(
  db: Kysely<Tables>,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<InstalledRepository | null> {
  const found = await select(db)
    .clearOrderBy()
    .where(sql`lower(owner_login)`, "=", owner.toLowerCase())
    .where(sql`lower(name)`, "=", name.toLowerCase())
    .orderBy("updated_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

/** Lists the repositories with these ids, by their names; `owner`: only those of one owner. */
export async function listInstalledRepositories(
  db: Kysely<Tables>,
  ids: ReadonlySet<number>,
  owner?: string,
): Promise<readonly InstalledRepository[]> {
  if (ids.size === 0) return [];
  const query = select(db).where("repository_id", "in", [...ids]);
  return owner === undefined
    ? query.execute()
    : query.where(sql`lower(owner_login)`, "=", owner.toLowerCase()).execute();
}

/** Whether the readers of a repository may see figures; false while that is not known. */
export async function hasShownFigures(db: Kysely<Tables>, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom("repositories")
    .select("figures")
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
  return row?.figures === true;
}
