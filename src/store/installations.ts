import type { Kysely, Selectable } from "kysely";
import type { InstallationsTable, Tables } from "./tables/tables.ts";

export type Installation = Selectable<InstallationsTable>;

export async function saveInstallation(
  db: Kysely<Tables>,
  row: Omit<Installation, "updated_at">,
  now: Date,
): Promise<void> {
  const values = { ...row, updated_at: now };
  await db
    .insertInto("installations")
    .values(values)
    .onConflict((conflict) => conflict.column("installation_id").doUpdateSet(values))
    .execute();
}

/** Removes an installation and the link of its repositories to it; evaluations and decisions stay. */
export async function removeInstallation(db: Kysely<Tables>, installationId: number): Promise<void> {
  await db.deleteFrom("repositories").where("installation_id", "=", installationId).execute();
  await db.deleteFrom("installations").where("installation_id", "=", installationId).execute();
}

export async function setSuspended(
  db: Kysely<Tables>,
  installationId: number,
  suspended: boolean,
): Promise<void> {
  await db
    .updateTable("installations")
    .set({ suspended })
    .where("installation_id", "=", installationId)
    .execute();
}

export async function findInstallation(
  db: Kysely<Tables>,
  installationId: number,
): Promise<Installation | undefined> {
  return db
    .selectFrom("installations")
    .selectAll()
    .where("installation_id", "=", installationId)
    .executeTakeFirst();
}

/** Counts the installations that GitHub suspended. */
export async function countSuspended(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom("installations")
    .where("suspended", "=", true)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
