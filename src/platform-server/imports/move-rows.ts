import { sql } from "kysely";
import { type Clock, DAY_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { has, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Db, Row } from "../tables/tables.ts";
import { KINDS } from "./kinds.ts";
import { buildRows } from "./read-lines.ts";

type Upload = Row<"platform_imports">;
export type UploadKey = Pick<Upload, "account" | "upload">;

/**
 * Moves a complete upload's rows to their tables, one page per transaction: a single transaction would occupy
 * the embedded database's only connection for seconds. Continues while `isTime`, and returns the number of
 * remaining pages. It resumes after an interruption, and may be called concurrently.
 */
export async function moveRows(db: Db, key: UploadKey, isTime: () => boolean = () => true): Promise<number> {
  let left = await moveOnePage(db, key);
  while (left > 0 && isTime()) left = await moveOnePage(db, key);
  return left;
}

/** How many pages are left to move then. */
const moveOnePage = (db: Db, key: UploadKey): Promise<number> =>
  transact(db, async (trx) => {
    const upload = await lockUpload(trx, key);
    if (upload?.state !== "moving") return 0;
    const page = upload.moved + 1;
    const { account } = upload;
    const stored = await trx
      .deleteFrom("platform_import_pages")
      .where(has({ ...key, page }))
      .returning("lines")
      .executeTakeFirst();
    const kind = KINDS[upload.kind as keyof typeof KINDS]; // kept under the name that it has in the table
    if (kind === undefined || stored === undefined)
      throw new TollgateError("internal", `page ${page} of an import of ${upload.kind} cannot be moved`);
    await kind.write(trx, account, buildRows(kind, stored.lines));
    const isLast = page >= upload.pages;
    await updateRows(trx, "platform_imports", key, { moved: page, state: isLast ? "imported" : "moving" });
    return Math.max(0, upload.pages - page);
  });

/** Locks an upload until the transaction ends; null: there is none. */
export async function lockUpload(trx: Db, key: UploadKey): Promise<Upload | null> {
  const row = await trx
    .selectFrom("platform_imports")
    .selectAll()
    .where(has(key))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** At start: completes interrupted imports, and deletes uploads that were not committed within a day. */
export async function tidyImports(db: Db, clock: Clock): Promise<void> {
  await dropAbandoned(db, clock);
  const moving = await db
    .selectFrom("platform_imports")
    .select(["account", "upload"])
    .where("state", "=", "moving")
    .orderBy("created_ms")
    .execute();
  for (const key of moving) await moveRows(db, key);
}

export async function dropAbandoned(db: Db, clock: Clock): Promise<void> {
  await sql`with old as (
      delete from platform_imports where created_ms < ${clock.now() - DAY_MS} and state <> 'moving'
      returning account, upload)
    delete from platform_import_pages pages using old
      where pages.account = old.account and pages.upload = old.upload`.execute(db);
}
