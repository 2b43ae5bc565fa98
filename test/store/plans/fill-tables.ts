import { type Kysely, sql } from "kysely";

/** Rows of a filled table: many pages, so that reading all of them costs more than an index. */
const ROWS = 10_000;
/** The first row's number: no row of the story has it. */
const FIRST = 1_000_000;
/** Repositories and installations that the rows belong to. */
const OWNERS = 200;

/**
 * Columns of which a plan depends on how often each value occurs; all others have as many values as rows. Closed pull requests are never
 * deleted, so that few of all are open.
 */
const VALUES: Readonly<Record<string, string>> = {
  "pulls.state": "case when n % 1000 = 0 then 'open' else 'closed' end",
  "evaluations.decision": "(array['success', 'failure', 'in_progress'])[1 + n % 3]",
  "evaluations.settled": "true",
  "decisions.kind": "'verdict'",
  "repositories.repository_id": "n",
  "budget_versions.repository_id": "n",
  "policy_seen.base_ref": "'x' || n",
  "shared_installations.installation_id": "n",
  "installations.installation_id": "n",
  // Work lists: most of what they have is done, or not due.
  "merged_pulls.compared_at": "now()",
  "comment_problems.next_at": "now() + interval '1 day'",
  "notifications.state": "'sent'",
  "sessions.expires_ms": "(extract(epoch from now()) * 1000)::bigint + n",
  "job_common.id": "gen_random_uuid()",
  "job_common.name": "'delivery'",
  "job_common.state": "'completed'::queue.job_state",
};

/** It has one row. */
const HEAD = "decision_head";

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

/**
 * Fills the tables that `isNamed` chooses, but for those with foreign keys or checks, and updates the statistics. Returns the names of
 * the filled tables.
 */
export async function fillTables<DB>(
  db: Kysely<DB>,
  isNamed: (table: string) => boolean,
): Promise<readonly string[]> {
  const { rows } = await sql<Column>`
    select c.table_schema || '.' || c.table_name as table, c.column_name as column, c.udt_name as type,
      c.is_nullable = 'YES' or c.column_default is not null as nullable
    from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and c.is_identity = 'NO'
      and (c.table_schema = 'public' or c.table_name = 'job_common')
      and not exists (select from pg_constraint where contype in ('f', 'c')
        and conrelid = (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass)`.execute(
    db,
  );
  const tables = Map.groupBy(rows, ({ table }) => table);
  const filled: string[] = [];
  for (const [table, columns] of tables) {
    const [, name = ""] = table.split(".");
    if (name === HEAD || !isNamed(name)) continue;
    const used = columns.filter((column) => !column.nullable || `${name}.${column.column}` in VALUES);
    const values = used.map((column) => VALUES[`${name}.${column.column}`] ?? chooseValue(column));
    await sql
      .raw(
        `insert into ${table} (${used.map(({ column }) => `"${column}"`).join(", ")})
          select ${values.join(", ")} from generate_series(${FIRST}, ${FIRST + ROWS - 1}) as n on conflict do nothing`,
      )
      .execute(db);
    filled.push(name);
  }
  await sql`analyze`.execute(db);
  return filled;
}

function chooseValue({ column, type }: Column): string {
  if (/^(repository|installation|owner)_id$/.test(column)) return `${FIRST} + n % ${OWNERS}`;
  if (type === "timestamptz") return "now() - make_interval(mins => n % 500000)";
  if (type === "bool") return "n % 2 = 0";
  if (/^(int|float|numeric)/.test(type)) return "n";
  if (/^jsonb?$/.test(type)) return `'{}'::${type}`;
  if (type === "bytea") return "convert_to(n::text, 'UTF8')";
  if (type === "uuid") return "gen_random_uuid()";
  if (type.startsWith("_")) return `array[]::${type.slice(1)}[]`;
  return "'x' || n";
}
