import type { PGlite } from "@electric-sql/pglite";

/**
 * Returns the statements that make an embedded database as new as it is now: its tables empty but for the rows of now, its sequences at
 * their start. The list of migrations stays.
 */
export async function buildRenewal(lite: PGlite, schemas: readonly string[]): Promise<string> {
  const { rows: tables } = await lite.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = any($1) and table_type = 'BASE TABLE' and table_name not like '%migration%'`,
    [schemas],
  );
  const restore: string[] = [];
  for (const { name } of tables) {
    const found = await lite.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${name} t`,
    );
    const stored = found.rows[0]?.rows ?? null;
    if (stored === null) continue;
    const text = stored.replaceAll("'", "''");
    restore.push(`insert into ${name} select * from json_populate_recordset(null::${name}, '${text}')`);
  }
  // Without triggers: decisions cannot be deleted otherwise, and no row refers to one that is left.
  return [
    "set session_replication_role = replica",
    ...tables.map(({ name }) => `delete from ${name}`),
    ...restore,
    "set session_replication_role = origin",
  ].join(";");
}

/** A digest of the columns, indexes, constraints, triggers and functions of these schemas. */
export async function readShape(lite: PGlite, schemas: readonly string[]): Promise<string> {
  const { rows } = await lite.query<{ shape: string }>(
    `with spaces as (select oid from pg_namespace where nspname = any($1)),
      relations as (select oid from pg_class where relnamespace in (select oid from spaces))
    select md5(string_agg(part, ' ' order by part)) as shape from (
      select concat(attrelid, attname, atttypid, attnotnull) as part from pg_attribute where attrelid in (select oid from relations)
      union all select concat(tgname, tgrelid, tgenabled) from pg_trigger where tgrelid in (select oid from relations)
      union all select concat(proname, md5(prosrc)) from pg_proc where pronamespace in (select oid from spaces)
      union all select concat(conname, conrelid) from pg_constraint where connamespace in (select oid from spaces)
    ) as parts`,
    [schemas],
  );
  return rows[0]?.shape ?? "";
}
