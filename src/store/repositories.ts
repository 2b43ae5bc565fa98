import { type Kysely, type Selectable, sql } from "kysely";
import { isOutside, type Span } from "./span.ts";
import type { Tables } from "./tables/tables.ts";

export type Repository = Selectable<Tables["repositories"]>;

/** What a read or an event says about a repository. Absent `figures`: it does not say. */
type RepositoryUpdate = Omit<Repository, "updated_at" | "listed_at" | "figures"> & {
  readonly figures?: boolean;
};

/** Saves the current state of a repository. Names are replaced; the listing time stays unchanged. */
export async function saveRepository(db: Kysely<Tables>, row: RepositoryUpdate, now: Date): Promise<void> {
  await db
    .insertInto("repositories")
    .values({ ...row, listed_at: null, updated_at: now })
    .onConflict((conflict) => conflict.column("repository_id").doUpdateSet({ ...row, updated_at: now }))
    .execute();
}

/** Saves the names in an event; the stored owner id stays unchanged. */
export async function saveLabel(
  db: Kysely<Tables>,
  label: Omit<RepositoryUpdate, "owner_id" | "figures">,
  now: Date,
): Promise<void> {
  await db
    .insertInto("repositories")
    .values({ ...label, owner_id: null, listed_at: null, updated_at: now })
    .onConflict((conflict) => conflict.column("repository_id").doUpdateSet({ ...label, updated_at: now }))
    .execute();
}

export async function removeRepository(db: Kysely<Tables>, repositoryId: number): Promise<void> {
  await db.deleteFrom("repositories").where("repository_id", "=", repositoryId).execute();
}

export async function findRepository(
  db: Kysely<Tables>,
  repositoryId: number,
): Promise<Repository | undefined> {
  return db
    .selectFrom("repositories")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
}

/**
 * Finds a repository by its label `owner/name`, without case as on GitHub. Of two with the same name, the one
 * seen last is returned.
 */
export async function findRepositoryByName(
  db: Kysely<Tables>,
  fullName: string,
): Promise<Repository | undefined> {
  const [owner = "", name = ""] = fullName.toLowerCase().split("/");
  return db
    .selectFrom("repositories")
    .selectAll()
    .where(sql`lower(owner_login)`, "=", owner)
    .where(sql`lower(name)`, "=", name)
    .orderBy("updated_at", "desc")
    .executeTakeFirst();
}

export async function listOwnerRepositories(
  db: Kysely<Tables>,
  ownerId: number,
): Promise<readonly Repository[]> {
  return db.selectFrom("repositories").selectAll().where("owner_id", "=", ownerId).execute();
}

export async function listInstallationRepositories(
  db: Kysely<Tables>,
  installationId: number,
): Promise<readonly Repository[]> {
  return db.selectFrom("repositories").selectAll().where("installation_id", "=", installationId).execute();
}

/** Returns repositories whose open pull requests were not listed within this span of time, longest unlisted first. */
export async function listUnlistedRepositories(
  db: Kysely<Tables>,
  outside: Span,
  limit: number,
): Promise<readonly Repository[]> {
  const longest = db
    .selectFrom("repositories")
    .selectAll()
    .where((where) => where.or([where("listed_at", "is", null), isOutside("listed_at", outside)]))
    .orderBy(sql`listed_at nulls first`)
    .limit(limit);
  // The index is in the order of the times alone, and those of equal times come in any order.
  return db
    .selectFrom(longest.as("longest"))
    .selectAll()
    .orderBy(sql`listed_at nulls first`)
    .orderBy("repository_id")
    .execute();
}

export async function markListed(db: Kysely<Tables>, repositoryId: number, now: Date): Promise<void> {
  await db
    .updateTable("repositories")
    .set({ listed_at: now })
    .where("repository_id", "=", repositoryId)
    .execute();
}

/** Returns the ids of repositories that have evaluations, as GitHub's numeric ids. */
export async function listEvaluatedRepositories(
  db: Kysely<Tables>,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("evaluations")
    .select("repository_id")
    .distinct()
    .orderBy("repository_id")
    .limit(limit)
    .execute();
  return rows.map(({ repository_id }) => repository_id);
}
