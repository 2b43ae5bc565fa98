import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { createDamageError } from "./damage.ts";

const PAGE_BYTES = 8192;
/** PostgreSQL begins another file after so many pages. */
const MOST_PAGES = 131_072;
/** Place of the root's page number in the first page of an index, in bytes. */
const ROOT = { from: 32, to: 36 };

interface TableFiles {
  readonly name: string;
  /** Relative to the database's directory, as that of its primary key's index. */
  readonly file: string;
  readonly key_file: string;
  /** When last counted. */
  readonly relpages: number;
  /** When last counted; -1: never. */
  readonly reltuples: number;
}

/**
 * Refuses an embedded database in which a table file was truncated or overwritten with zeros: PostgreSQL
 * would read the table as empty. The file must have the number of pages that was last counted. Where the
 * index of the primary key has a root, the table must have rows. `directory`: the database's own. The files are read here, because
 * through PostgreSQL each call to the file system takes twenty times as long.
 *
 * @throws TollgateError `database_damaged`
 */
export async function checkTableFiles<T>(db: Kysely<T>, directory: string): Promise<void> {
  const { rows } = await sql<TableFiles>`
    select t.oid::regclass::text as name, pg_relation_filepath(t.oid) as file,
      pg_relation_filepath(k.indexrelid) as key_file, t.relpages, t.reltuples
    from pg_class t join pg_index k on k.indrelid = t.oid and k.indisprimary
    where t.relkind = 'r' and t.relnamespace::regnamespace::text in ('public', 'queue')`.execute(db);
  const damaged = rows.filter((table) => isDamaged(table, directory));
  if (damaged.length > 0)
    throw createDamageError(
      `rows are missing in ${damaged.map(({ name, file }) => `${name} (pg/${file})`).join(", ")}`,
    );
}

function isDamaged({ file, key_file, relpages, reltuples }: TableFiles, directory: string): boolean {
  const keyPage = readFirstPage(join(directory, key_file));
  const path = join(directory, file);
  const pages = Math.floor(getBytes(path) / PAGE_BYTES);
  if (keyPage.length === 0 || pages < Math.min(relpages, MOST_PAGES)) return true;
  if (isZero(keyPage.subarray(ROOT.from, ROOT.to))) return false;
  return pages === 0 ? reltuples === -1 : isZero(readFirstPage(path));
}

/** Zero where there is no file. */
const getBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Empty where there is no file. */
function readFirstPage(path: string): Buffer {
  if (getBytes(path) === 0) return Buffer.alloc(0);
  const page = Buffer.alloc(PAGE_BYTES);
  const file = openSync(path, "r");
  try {
    return page.subarray(0, readSync(file, page));
  } finally {
    closeSync(file);
  }
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
