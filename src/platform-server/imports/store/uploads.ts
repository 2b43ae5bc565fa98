import { type Kysely, type Selectable, sql } from "kysely";
import { bigint, defineTable, integer, type TablesOf, text } from "../../../store/tables/define-table.ts";

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

type ImportPage = Selectable<ImportTables["platform_import_pages"]>;

/** Stores a page; replaces an earlier one with its number. */
export async function saveImportPage(trx: Kysely<ImportTables>, row: ImportPage): Promise<void> {
  const { lines, keys, problems } = row;
  await trx
    .insertInto("platform_import_pages")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["account", "upload", "page"]).doUpdateSet({ lines, keys, problems }),
    )
    .execute();
}

/** Returns number and problems of each page, in order. */
export function importPages(
  db: Kysely<ImportTables>,
  { account, upload }: UploadKey,
): Promise<Pick<ImportPage, "page" | "problems">[]> {
  return db
    .selectFrom("platform_import_pages")
    .select(["page", "problems"])
    .where((eb) => eb.and({ account, upload }))
    .orderBy("page")
    .execute();
}

/** Returns the keys of one page (JSON text), or its lines; null: there is no such page. */
export async function importPagePart(
  db: Kysely<ImportTables>,
  { account, upload, page }: UploadKey & Pick<ImportPage, "page">,
  part: "keys" | "lines",
): Promise<string | null> {
  const row = await db
    .selectFrom("platform_import_pages")
    .select(part)
    .where((eb) => eb.and({ account, upload, page }))
    .executeTakeFirst();
  return row?.[part] ?? null;
}

export async function deleteImportPage(
  trx: Kysely<ImportTables>,
  { account, upload, page }: UploadKey & Pick<ImportPage, "page">,
): Promise<void> {
  await trx
    .deleteFrom("platform_import_pages")
    .where((eb) => eb.and({ account, upload, page }))
    .execute();
}

const uploadColumns = {
  account: text(),
  /** Made by the caller. */
  upload: text(),
};

/** Imports in progress; rows are keyed by account id. */
export const importTables = {
  platform_imports: defineTable({
    columns: {
      ...uploadColumns,
      kind: text(),
      /**
       * `open`: pages are being uploaded. `moving`: complete; its rows are being moved to their tables.
       * `imported`: all rows are moved.
       */
      state: text<"open" | "moving" | "imported">(),
      /** Number of pages; 0 while open. */
      pages: integer(),
      /** Number of moved pages. */
      moved: integer(),
      /** Number of rows; 0 while open. */
      rows: integer(),
      /** Time of the first page, ms since 1970. */
      created_ms: bigint(),
    },
    primaryKey: ["account", "upload"],
    indexes: { by_age: "(created_ms)" },
  }),
  platform_import_pages: defineTable({
    columns: {
      ...uploadColumns,
      page: integer(),
      /** The valid lines in order, without blank ones. */
      lines: text(),
      /** JSON array of [line number, digest of the key]. */
      keys: text(),
      /** Number of problems of its lines. */
      problems: integer(),
    },
    primaryKey: ["account", "upload", "page"],
  }),
};

export type ImportTables = TablesOf<typeof importTables>;
