import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";

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
const LONGEST_PAUSE_MS = 3_600_000;

const NOW = sql<Date>`clock_timestamp()`;
const addMs = (ms: number): RawBuilder<unknown> => sql`${ms}::float8 * interval '1 millisecond'`;
const remainingMs = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql`greatest(extract(epoch from ${time} - ${NOW}) * 1000, 0)::float8`;

/** The commit does not wait for the disk: after a crash of the server the next write may come too early, and nothing else is lost. */
const UNFLUSHED = sql`(select set_config('synchronous_commit', 'off', true)) as unflushed`;

/** An expression: how long GitHub limits the installation of a row of `shared_installations`, in ms; 0: it does not. */
export const getRemainingPause = (): RawBuilder<number> =>
  remainingMs(
    sql`case when shared_installations.paused_until > ${NOW} + ${addMs(LONGEST_PAUSE_MS)} then ${NOW} else shared_installations.paused_until end`,
  );

/**
 * Reserves the start of a write for this process, by the database's clock. A process that ends leaves at most the starts that it
 * reserved unused: nobody waits for it.
 */
export async function reserveWrite(db: Kysely<Tables>, request: WriteRequest): Promise<ReservedWrite> {
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
export async function savePause(db: Kysely<Tables>, installationId: number, pauseMs: number): Promise<void> {
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
