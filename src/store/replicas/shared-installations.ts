import { type RawBuilder, sql } from "kysely";
import { HOUR_MS } from "../../kernel/clock.ts";
import { addMs, NOW, upsert } from "../database/statements.ts";
import type { Db } from "../tables/tables.ts";

/** When a write to GitHub may start. */
export interface ReservedWrite {
  /** False: another write has the next start; ask again then. */
  readonly isReserved: boolean;
  /** Until the start, in ms; at least 0. */
  readonly inMs: number;
  /** Until the end of GitHub's limit, in ms; 0: there is none. */
  readonly pausedMs: number;
}

export interface WriteRequest {
  readonly installationId: number;
  /** Time between the starts of two writes of the installation, in ms. */
  readonly spacingMs: number;
  /** False: only a start that is free now is reserved, so that the write delays no urgent one. */
  readonly isUrgent: boolean;
}

/** Each process reserves one start ahead at most: what is further away was written before the clock was set back. */
const MOST_AHEAD = 100;
/** No pause is longer; in ms. */
const LONGEST_PAUSE_MS = HOUR_MS;

const remainingMs = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql`greatest(extract(epoch from ${time} - ${NOW}) * 1000, 0)::float8`;

/** The commit does not wait for the disk: after a crash of the server the next write may come too early, and nothing else is lost. */
const UNFLUSHED = sql`(select set_config('synchronous_commit', 'off', true)) as unflushed`;

/** An expression: how long GitHub limits the installation of a row of `shared_installations`, in ms; 0: it does not. */
const getRemainingPause = (): RawBuilder<number> =>
  remainingMs(
    sql`case when shared_installations.paused_until > ${NOW} + ${addMs(LONGEST_PAUSE_MS)} then ${NOW} else shared_installations.paused_until end`,
  );

/**
 * Reserves the start of a write for this process, by the database's clock. A process that ends leaves at most the starts that it
 * reserved unused: nobody waits for it.
 */
export async function reserveWrite(db: Db, request: WriteRequest): Promise<ReservedWrite> {
  const { installationId, spacingMs, isUrgent } = request;
  const spacing = addMs(spacingMs);
  const next = sql`shared_installations.next_write_at`;
  const isImplausible = sql<boolean>`${next} > ${NOW} + ${addMs(spacingMs * MOST_AHEAD)}`;
  const { rows } = await sql<ReservedWrite>`
    with reserved as (
      insert into shared_installations (installation_id, next_write_at, paused_until)
      select ${installationId}::bigint, ${NOW} + ${spacing}, ${NOW} from ${UNFLUSHED}
      on conflict (installation_id) do update set next_write_at =
        case when ${isImplausible} then ${NOW} else greatest(${next}, ${NOW}) end + ${spacing}
      where ${isUrgent} or ${next} <= ${NOW} or ${isImplausible}
      returning ${remainingMs(sql`next_write_at - ${spacing}`)} as ms, ${getRemainingPause()} as paused_ms)
    select true as "isReserved", ms as "inMs", paused_ms as "pausedMs" from reserved
    union all
    select false, ${remainingMs(next)}, ${getRemainingPause()} from shared_installations
    where installation_id = ${installationId} and not exists (select 1 from reserved)`.execute(db);
  return rows[0] ?? { isReserved: false, inMs: 0, pausedMs: 0 };
}

/** Stores that GitHub limits the installation for `pauseMs` from now on; a longer pause stays. */
export async function savePause(db: Db, installationId: number, pauseMs: number): Promise<void> {
  const until = sql<Date>`${NOW} + ${addMs(Math.min(pauseMs, LONGEST_PAUSE_MS))}`;
  await db
    .insertInto("shared_installations")
    .values({ installation_id: installationId, next_write_at: NOW, paused_until: until })
    .onConflict((conflict) =>
      conflict.column("installation_id").doUpdateSet({
        paused_until: sql`case when shared_installations.paused_until > ${NOW} + ${addMs(LONGEST_PAUSE_MS)}
          then excluded.paused_until else greatest(shared_installations.paused_until, excluded.paused_until) end`,
      }),
    )
    .execute();
}

/** Channel on which processes are told to read what others changed. */
export const CHANGES_CHANNEL = "tollgate_changes";

/** Tells every process that listens to read the changes; the sender too. */
export async function announceChanges(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANGES_CHANNEL}, '')`.execute(db);
}

/** What other processes may have learned of an installation. */
export interface InstallationChange {
  readonly installationId: number;
  /** How long GitHub still limits it, in ms; 0: it does not. */
  readonly pausedMs: number;
  /** Another value after each change; null: it never changed. */
  readonly version: number | null;
}

const VERSION = sql<number | null>`(extract(epoch from changed_at) * 1000000)::int8`;
/** Nothing that is cached of an installation is older. */
const LONGEST_CACHED = sql`interval '1 hour'`;

/** Returns the installations that GitHub limits now or that changed within the last hour. */
export async function listInstallationChanges(db: Db): Promise<readonly InstallationChange[]> {
  return db
    .selectFrom("shared_installations")
    .select(["installation_id as installationId", getRemainingPause().as("pausedMs"), VERSION.as("version")])
    .where(({ eb, or }) =>
      or([eb("paused_until", ">", NOW), eb("changed_at", ">", sql<Date>`${NOW} - ${LONGEST_CACHED}`)]),
    )
    .execute();
}

/** Stores that the installation changed: what processes have cached of it counts no longer. */
export async function markInstallationChanged(db: Db, installationId: number): Promise<void> {
  const row = { installation_id: installationId, next_write_at: NOW, paused_until: NOW, changed_at: NOW };
  await upsert(db, "shared_installations", row, { changed_at: NOW });
}

/** What processes share of an installation: its encrypted access token, and `all` or `selected` repositories. */
export type SharedValueName = "token" | "coverage";

interface SharedValueRow {
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
  db: Db,
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
  db: Db,
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
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${NOW} as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not return its time");
  return row.now;
}
