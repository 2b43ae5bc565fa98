import type { Kysely, Selectable } from "kysely";
import type { ImportTables } from "./tables.ts";
import type { UploadKey } from "./uploads.ts";

export type ImportPage = Selectable<ImportTables["platform_import_pages"]>;

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
