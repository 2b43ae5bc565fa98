import { type Selectable, sql } from "kysely";
import { findRow, updateRows, upsert } from "./database/statements.ts";
import type { Span } from "./span.ts";
import type { Db, Tables } from "./tables/tables.ts";

export type Installation = Selectable<Tables["installations"]>;

export async function saveInstallation(
  db: Db,
  row: Omit<Installation, "updated_at">,
  now: Date,
): Promise<void> {
  await upsert(db, "installations", { ...row, updated_at: now });
}

/** Returns those of the installations that were saved within the span, by id. */
export async function listRecentInstallations(
  db: Db,
  ids: readonly number[],
  { after, now }: Span,
): Promise<ReadonlyMap<number, Installation>> {
  const rows = await db
    .selectFrom("installations")
    .selectAll()
    .where("installation_id", "=", sql<number>`any(${ids})`)
    .where("updated_at", ">=", after)
    .where("updated_at", "<=", now)
    .execute();
  return new Map(rows.map((row) => [row.installation_id, row]));
}

/** Removes an installation and the link of its repositories to it; evaluations and decisions stay. */
export async function removeInstallation(db: Db, installationId: number): Promise<void> {
  await db.deleteFrom("repositories").where("installation_id", "=", installationId).execute();
  await db.deleteFrom("installations").where("installation_id", "=", installationId).execute();
  await db.deleteFrom("shared_installations").where("installation_id", "=", installationId).execute();
}

export async function setSuspended(db: Db, installationId: number, suspended: boolean): Promise<void> {
  await updateRows(db, "installations", { installation_id: installationId }, { suspended });
}

export async function findInstallation(db: Db, installationId: number): Promise<Installation | undefined> {
  return findRow(db, "installations", { installation_id: installationId });
}

export interface ListedInstallation extends Installation {
  readonly repositories: number;
}

/** Returns all installations by the names of their owners. */
export async function listInstallations(db: Db): Promise<readonly ListedInstallation[]> {
  const rows = await db
    .selectFrom("installations")
    .selectAll("installations")
    .select((from) =>
      from
        .selectFrom("repositories")
        .whereRef("repositories.installation_id", "=", "installations.installation_id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("repositories"),
    )
    .orderBy("owner_login")
    .execute();
  return rows.map(({ repositories, ...row }) => ({ ...row, repositories: Number(repositories) }));
}

export async function countSuspended(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("installations")
    .where("suspended", "=", true)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the numeric id of an owner that the App is installed on; `owner`: login or numeric id. Null: it is not known. */
export async function findOwnerId(db: Db, owner: string): Promise<number | null> {
  const isId = /^[1-9]\d{0,15}$/.test(owner);
  const row = await db
    .selectFrom("installations")
    .select("owner_id")
    .where(isId ? sql`owner_id` : sql`lower(owner_login)`, "=", isId ? Number(owner) : owner.toLowerCase())
    .executeTakeFirst();
  return row?.owner_id ?? null;
}

/** Returns the installation of an account with its present login; undefined: the App is not installed there, or suspended. */
export const findOwnerInstallation = (db: Db, ownerId: number) =>
  db
    .selectFrom("installations")
    .select(["installation_id as id", "owner_login as login"])
    .where("owner_id", "=", ownerId)
    .where("suspended", "=", false)
    .executeTakeFirst();

export interface InstalledRepository {
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
}

/** Lists the repositories with these ids, by their names; `owner`: only those of one owner. */
export async function listInstalledRepositories(
  db: Db,
  ids: ReadonlySet<number>,
  owner?: string,
): Promise<readonly InstalledRepository[]> {
  if (ids.size === 0) return [];
  return db
    .selectFrom("repositories")
    .select(["repository_id as repositoryId", "owner_login as owner", "name"])
    .where("repository_id", "in", [...ids])
    .$if(owner !== undefined, (query) =>
      query.where(sql`lower(owner_login)`, "=", (owner ?? "").toLowerCase()),
    )
    .orderBy(sql`lower(owner_login)`)
    .orderBy(sql`lower(name)`)
    .execute();
}
