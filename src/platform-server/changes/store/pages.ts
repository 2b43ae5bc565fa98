import type { Kysely, Selectable } from "kysely";
import { pickSnapshotKey, type SnapshotKey } from "../../area/keys.ts";
import type { ChangeTables, PlatformPagesTable } from "./tables.ts";

export type PageRow = Selectable<PlatformPagesTable>;
export type PageKey = SnapshotKey & Pick<PageRow, "category" | "change" | "page">;

/** Returns an earlier upload of a page, or null. */
export async function findPage(
  trx: Kysely<ChangeTables>,
  key: PageKey,
): Promise<Pick<PageRow, "digest" | "elements"> | null> {
  const row = await trx
    .selectFrom("platform_pages")
    .select(["digest", "elements"])
    .where((eb) =>
      eb.and({ ...pickSnapshotKey(key), category: key.category, change: key.change, page: key.page }),
    )
    .executeTakeFirst();
  return row ?? null;
}

/** Stores a page; replaces an earlier upload of the same page. */
export async function savePage(trx: Kysely<ChangeTables>, row: PageRow): Promise<void> {
  const { bytes, digest, elements } = row;
  await trx
    .insertInto("platform_pages")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account", "snapshot_id", "category", "change", "page"])
        .doUpdateSet({ bytes, digest, elements }),
    )
    .execute();
}

export type UploadedPage = Pick<PageRow, "category" | "change" | "page" | "elements">;

/**
 * Returns the pages of a snapshot in order: per category first those of the whole category, then those of one
 * change type.
 */
export function listUploadedPages(trx: Kysely<ChangeTables>, key: SnapshotKey): Promise<UploadedPage[]> {
  return trx
    .selectFrom("platform_pages")
    .select(["category", "change", "page", "elements"])
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .orderBy("category")
    .orderBy("change")
    .orderBy("page")
    .execute();
}
