/** A connection to a database; PGlite and pg's client are. */
interface Connection {
  query<Row extends Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Row[] }>;
}

interface TableContent {
  /** Quoted, with its schema. */
  readonly name: string;
  /** A JSON list; null: it has none. */
  readonly rows: string | null;
}

/** The tables of these schemas but the list of migrations, with the rows of now. */
export async function readTables(
  connection: Connection,
  schemas: readonly string[],
): Promise<readonly TableContent[]> {
  const { rows: tables } = await connection.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = any($1) and table_type = 'BASE TABLE' and table_name not like '%migration%'`,
    [schemas],
  );
  const contents: TableContent[] = [];
  for (const { name } of tables) {
    const found = await connection.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from only ${name} t`,
    );
    contents.push({ name, rows: found.rows[0]?.rows ?? null });
  }
  return contents;
}

/** Statements after which the tables have these rows and no others. */
export const buildRenewal = (tables: readonly TableContent[]): string =>
  withoutTriggers([...tables.map(({ name }) => `delete from ${name}`), ...restore(tables)]);

/** The same for a server: what was filled is truncated, so that nothing of it is left in the statistics of the planner. */
export const buildServerRenewal = (tables: readonly TableContent[]): string =>
  withoutTriggers([
    `do $$ declare
      one text;
      isFilled boolean;
      filled text[];
    begin
      foreach one in array array[${tables.map(({ name }) => `'${name}'`).join(",")}] loop
        execute format('select exists (select from %s)', one) into isFilled;
        if isFilled then filled := filled || one; end if;
      end loop;
      if filled is not null then
        execute format('truncate %s restart identity cascade', array_to_string(filled, ','));
      end if;
    end $$`,
    ...restore(tables),
  ]);

/** Decisions cannot be deleted otherwise, and no row refers to one that is left. */
const withoutTriggers = (statements: readonly string[]): string =>
  ["set session_replication_role = replica", ...statements, "set session_replication_role = origin"].join(
    ";",
  );

const restore = (tables: readonly TableContent[]): readonly string[] =>
  tables.flatMap(({ name, rows }) =>
    rows === null
      ? []
      : `insert into ${name} select * from json_populate_recordset(null::${name}, '${rows.replaceAll("'", "''")}')`,
  );

/** A digest of the columns, constraints, triggers and functions of these schemas. */
export async function readShape(connection: Connection, schemas: readonly string[]): Promise<string> {
  const { rows } = await connection.query<{ shape: string }>(
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
