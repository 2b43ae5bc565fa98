import { type RawBuilder, type Selectable, sql } from "kysely";
import { findRow, updateRows } from "./database/statements.ts";
import { isOutside, type Span } from "./span.ts";
import type { Db, Tables } from "./tables/tables.ts";

export type Repository = Selectable<Tables["repositories"]>;

/** What a read or an event says about a repository. Absent: it does not say. */
type RepositoryUpdate = Pick<Repository, "repository_id" | "installation_id" | "owner_login" | "name"> &
  Partial<Pick<Repository, "owner_id" | "figures" | "labels_at">>;

/** Whether the stated state is later than the known one, and whether it is not earlier. A state without a time is of any time. */
const LATER = sql<boolean>`coalesce(repositories.labels_at < excluded.labels_at, repositories.labels_at is null)`;
const NOT_EARLIER = sql<boolean>`coalesce(repositories.labels_at <= excluded.labels_at, repositories.labels_at is null)`;

/**
 * Saves the state of a repository as a read states it, unless a later one is known. The listing time stays unchanged. The installation
 * changes only with a later state: a lane that began through the former installation may read the same state.
 */
export const saveRepository = (
  db: Db,
  row: RepositoryUpdate & Pick<Repository, "owner_id">,
  now: Date,
): Promise<void> => saveLabels(db, row, { now, isSaved: NOT_EARLIER, isMoved: LATER });

/** The same as the list of an installation states it: the repository is in that installation now. */
export const saveListedRepository = (
  db: Db,
  row: RepositoryUpdate & Pick<Repository, "owner_id">,
  now: Date,
): Promise<void> => saveLabels(db, row, { now, isSaved: NOT_EARLIER, isMoved: NOT_EARLIER });

/**
 * Saves the names in an event, if it is of a later state than what is known. Of two events of one second none is the later: what differs
 * is read from GitHub.
 */
export const saveLabel = (db: Db, label: RepositoryUpdate, now: Date): Promise<void> =>
  saveLabels(db, label, { now, isSaved: LATER, isMoved: LATER });

/** `isSaved`: whether anything changes; `isMoved`: whether the installation does, too. */
async function saveLabels(
  db: Db,
  row: RepositoryUpdate,
  {
    now,
    isSaved,
    isMoved,
  }: { readonly now: Date; readonly isSaved: RawBuilder<boolean>; readonly isMoved: RawBuilder<boolean> },
): Promise<void> {
  const installation = sql<number>`case when ${isMoved} then excluded.installation_id else repositories.installation_id end`;
  await db
    .insertInto("repositories")
    .values({ owner_id: null, figures: null, labels_at: null, ...row, listed_at: null, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column("repository_id")
        .doUpdateSet({ ...row, installation_id: installation, updated_at: now })
        .where(isSaved),
    )
    .execute();
}

/** Hides the figures of a repository from its readers until it is read again. */
export async function hideFigures(db: Db, repositoryId: number): Promise<void> {
  await updateRows(db, "repositories", { repository_id: repositoryId }, { figures: false });
}

export async function removeRepository(db: Db, repositoryId: number): Promise<void> {
  await db.deleteFrom("repositories").where("repository_id", "=", repositoryId).execute();
}

export async function findRepository(db: Db, repositoryId: number): Promise<Repository | undefined> {
  return findRow(db, "repositories", { repository_id: repositoryId });
}

/**
 * Finds a repository by its label `owner/name`, without case as on GitHub. Of two with the same name, the one
 * seen last is returned.
 */
export async function findRepositoryByName(db: Db, fullName: string): Promise<Repository | undefined> {
  const [owner = "", name = "", rest] = fullName.toLowerCase().split("/");
  if (rest !== undefined) return undefined;
  return db
    .selectFrom("repositories")
    .selectAll()
    .where(sql`lower(owner_login)`, "=", owner)
    .where(sql`lower(name)`, "=", name)
    .orderBy("updated_at", "desc")
    .executeTakeFirst();
}

export async function listOwnerRepositories(db: Db, ownerId: number): Promise<readonly Repository[]> {
  return db.selectFrom("repositories").selectAll().where("owner_id", "=", ownerId).execute();
}

export async function listInstallationRepositories(
  db: Db,
  installationId: number,
): Promise<readonly Repository[]> {
  return db.selectFrom("repositories").selectAll().where("installation_id", "=", installationId).execute();
}

/** Returns repositories whose open pull requests were not listed within this span of time, longest unlisted first. */
export async function listUnlistedRepositories(
  db: Db,
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

export async function markListed(db: Db, repositoryId: number, now: Date): Promise<void> {
  await updateRows(db, "repositories", { repository_id: repositoryId }, { listed_at: now });
}

/** Returns the ids of repositories that have evaluations, as GitHub's numeric ids. */
export async function listEvaluatedRepositories(db: Db, limit: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("evaluations")
    .select("repository_id")
    .distinct()
    .orderBy("repository_id")
    .limit(limit)
    .execute();
  return rows.map(({ repository_id }) => repository_id);
}
