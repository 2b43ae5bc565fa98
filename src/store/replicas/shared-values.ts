import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";

/** What processes share of an installation: its encrypted access token, and `all` or `selected` repositories. */
export type SharedValueName = "token" | "coverage";

export interface SharedValueRow {
  /** Null: nobody saved one, it is too old, or the installation changed since it was requested. */
  readonly value: string | null;
  /** How long ago it was requested, in ms. */
  readonly ageMs: number;
  /** Now, by the database's clock: a value that is read from GitHub after this moment is saved with it. */
  readonly askedAt: Date;
}

export interface SharedValueKey {
  readonly installationId: number;
  readonly name: SharedValueName;
}

/** Finds a value that a process requested from GitHub at most `maxAgeMs` milliseconds ago. */
export async function findSharedValue(
  db: Kysely<Tables>,
  { installationId, name }: SharedValueKey,
  maxAgeMs: number,
): Promise<SharedValueRow> {
  const at = sql.ref(`${name}_at`);
  const age = sql`now - ${at}`;
  const { rows } = await sql<SharedValueRow>`
    select now as "askedAt", ${sql.ref(name)} as value,
      coalesce(extract(epoch from ${age}) * 1000, 0)::float8 as "ageMs"
    from (select clock_timestamp() as now) as clock left join shared_installations
      on installation_id = ${installationId} and ${at} > coalesce(changed_at, '-infinity')
        and ${age} between interval '0' and ${maxAgeMs}::float8 * interval '1 millisecond'`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error("the query for a shared value returned no row");
  return found;
}

/** Saves values of installations for all processes; `askedAt`: from `findSharedValue` or `readDatabaseTime`, before GitHub was asked. */
export async function saveSharedValues(
  db: Kysely<Tables>,
  name: SharedValueName,
  { values, askedAt }: { readonly values: ReadonlyMap<number, string>; readonly askedAt: Date },
): Promise<void> {
  const [column, at] = [sql.ref(name), sql.ref(`${name}_at`)];
  const rows = JSON.stringify([...values].map(([id, value]) => ({ id, value })));
  await sql`
    insert into shared_installations (installation_id, next_write_at, paused_until, ${column}, ${at})
    select id, clock_timestamp(), clock_timestamp(), value, ${askedAt}
    from jsonb_to_recordset(${rows}::jsonb) as given (id bigint, value text)
    on conflict (installation_id) do update set ${column} = excluded.${column}, ${at} = excluded.${at}`.execute(
    db,
  );
}

/** Returns the time by the database's clock, which all processes share. */
export async function readDatabaseTime(db: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not return its time");
  return row.now;
}
