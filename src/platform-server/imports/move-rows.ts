import type { Kysely, Transaction } from "kysely";
import { type Clock, DAY_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { transact } from "../../store/database/transaction.ts";
import { type ImportedTables, KINDS } from "./kinds.ts";
import { buildRows } from "./read-lines.ts";
import type { ImportTables } from "./store/uploads.ts";
import {
  deleteImportPage,
  deleteUploadsBefore,
  importPagePart,
  listMovingUploads,
  lockUpload,
  type Upload,
  type UploadKey,
  updateUpload,
} from "./store/uploads.ts";

/**
 * Moves a complete upload's rows to their tables, one page per transaction: a single transaction would occupy
 * the embedded database's only connection for seconds. Continues while `isTime`, and returns the number of
 * remaining pages. It resumes after an interruption, and may be called concurrently.
 */
export async function moveRows(
  db: Kysely<ImportedTables>,
  key: UploadKey,
  isTime: () => boolean = () => true,
): Promise<number> {
  let left = await moveOnePage(db, key);
  while (left > 0 && isTime()) left = await moveOnePage(db, key);
  return left;
}

/** How many pages are left to move then. */
const moveOnePage = (db: Kysely<ImportedTables>, key: UploadKey): Promise<number> =>
  transact(db, async (trx) => {
    const uploads = trx.$pickTables<keyof ImportTables>();
    const upload = await lockUpload(uploads, key);
    if (upload?.state !== "moving") return 0;
    const page = upload.moved + 1;
    await writePage(trx, upload, page);
    await deleteImportPage(uploads, { ...key, page });
    const isLast = page >= upload.pages;
    await updateUpload(uploads, key, { moved: page, ...(isLast ? { state: "imported" as const } : {}) });
    return Math.max(0, upload.pages - page);
  });

async function writePage(trx: Transaction<ImportedTables>, upload: Upload, page: number): Promise<void> {
  const lines = await importPagePart(trx.$pickTables<keyof ImportTables>(), { ...upload, page }, "lines");
  const kind = KINDS[upload.kind as keyof typeof KINDS]; // kept under the name that it has in the table
  if (kind === undefined || lines === null)
    throw new TollgateError("internal", `page ${page} of an import of ${upload.kind} cannot be moved`);
  await kind.write(trx, upload.account, buildRows(kind, lines));
}

/** At start: completes interrupted imports, and deletes uploads that were not committed within a day. */
export async function tidyImports(db: Kysely<ImportedTables>, clock: Clock): Promise<void> {
  await dropAbandoned(db, clock);
  for (const key of await listMovingUploads(db)) await moveRows(db, key);
}

export const dropAbandoned = (db: Kysely<ImportedTables>, clock: Clock): Promise<void> =>
  deleteUploadsBefore(db, clock.now() - DAY_MS);
