import { type Kysely, sql } from "kysely";
import { createDamageError } from "./damage.ts";

/**
 * Refuses an embedded database in which a table file was truncated or overwritten with zeros: PostgreSQL
 * would read the table as empty. The file must have the number of pages that was last counted. Where the
 * index of the primary key has a root (byte 32 of its first page), the table must have rows.
 *
 * @throws TollgateError `database_damaged`
 */
export async function checkTableFiles<T>(db: Kysely<T>): Promise<void> {
  const { rows } = await sql<{ name: string; file: string }>`
    with files as (
      select t.oid::regclass::text as name, pg_relation_filepath(t.oid) as file, t.relpages, t.reltuples,
        pg_relation_size(t.oid) / 8192 as pages, pg_relation_size(k.indexrelid) as key_size,
        pg_read_binary_file(pg_relation_filepath(k.indexrelid), 32, 4, true) <> '\\x00000000' as is_filled
      from pg_class t join pg_index k on k.indrelid = t.oid and k.indisprimary
      where t.relkind = 'r' and t.relnamespace::regnamespace::text in ('public', 'queue'))
    select name, file from files where key_size = 0 or pages < relpages
      or (is_filled and case when pages = 0 then reltuples = -1
        else pg_read_binary_file(file, 0, 8192) = decode(repeat('00', 8192), 'hex') end)`.execute(db);
  if (rows.length > 0)
    throw createDamageError(
      `rows are missing in ${rows.map(({ name, file }) => `${name} (pg/${file})`).join(", ")}`,
    );
}
