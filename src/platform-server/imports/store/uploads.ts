import { type Kysely, type Selectable, sql } from "kysely";
import type { ImportTables } from "./tables.ts";

export type Upload = Selectable<ImportTables["platform_imports"]>;
export type UploadKey = Pick<Upload, "account" | "upload">;

const pickUploadKey = ({ account, upload }: UploadKey): UploadKey => ({ account, upload });

/** Begins an upload if there is none, and returns it. */
export async function beginUpload(
  trx: Kysely<ImportTables>,
  row: UploadKey & Pick<Upload, "kind" | "created_ms">,
): Promise<Upload> {
  await trx
    .insertInto("platform_imports")
    .values({ ...row, state: "open", pages: 0, moved: 0, rows: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return lockedBy(trx, row).executeTakeFirstOrThrow();
}

/** Locks an upload until the transaction ends; null: there is none. */
export async function lockUpload(trx: Kysely<ImportTables>, key: UploadKey): Promise<Upload | null> {
  return (await lockedBy(trx, key).executeTakeFirst()) ?? null;
}

const lockedBy = (trx: Kysely<ImportTables>, key: UploadKey) =>
  trx
    .selectFrom("platform_imports")
    .selectAll()
    .where((eb) => eb.and(pickUploadKey(key)))
    .forUpdate();

export async function updateUpload(
  trx: Kysely<ImportTables>,
  key: UploadKey,
  change: Partial<Pick<Upload, "state" | "pages" | "moved" | "rows">>,
): Promise<void> {
  await trx
    .updateTable("platform_imports")
    .set(change)
    .where((eb) => eb.and(pickUploadKey(key)))
    .execute();
}

/** Deletes an upload with its pages. */
export async function deleteUpload(trx: Kysely<ImportTables>, key: UploadKey): Promise<void> {
  for (const table of ["platform_import_pages", "platform_imports"] as const) {
    await trx
      .deleteFrom(table)
      .where((eb) => eb.and(pickUploadKey(key)))
      .execute();
  }
}

/** Returns the uploads of all accounts whose moves were interrupted. */
export function listMovingUploads(db: Kysely<ImportTables>): Promise<UploadKey[]> {
  return db
    .selectFrom("platform_imports")
    .select(["account", "upload"])
    .where("state", "=", "moving")
    .orderBy("created_ms")
    .execute();
}

/** Deletes uploads of all accounts that were begun before a time and are not being moved. */
export async function deleteUploadsBefore(db: Kysely<ImportTables>, beforeMs: number): Promise<void> {
  await sql`with old as (
      delete from platform_imports where created_ms < ${beforeMs} and state <> 'moving' returning account, upload)
    delete from platform_import_pages pages using old
      where pages.account = old.account and pages.upload = old.upload`.execute(db);
}
