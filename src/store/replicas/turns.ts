import { sql } from "kysely";
import { addMs, has, NOW } from "../database/statements.ts";
import type { Db } from "../tables/tables.ts";

export interface TurnRequest {
  readonly work: string;
  /** Name of this process, which no other has. */
  readonly holder: string;
  /** For how long the turn is taken, unless it is prolonged, in ms. */
  readonly leaseMs: number;
  /** Time between two turns, in ms: what is further away was written before the database's clock was set back. */
  readonly everyMs: number;
  /** A turn that began earlier than this many ms ago does not count: another one is due. Null: turns are due by their time only. */
  readonly missedSinceMs: number | null;
  readonly signal?: AbortSignal;
}

/**
 * Does periodic work, if it is due and no living process does it. A process that ends meanwhile is replaced when its lease is over, so
 * the work may be repeated, and done by two processes when one of them hung. All times are by the database's clock.
 *
 * @returns whether it was this process's turn
 */
export async function doInTurn(db: Db, request: TurnRequest, work: () => Promise<void>): Promise<boolean> {
  if (!(await takeTurn(db, request))) return false;
  // When it cannot be prolonged, another process does the work too.
  const prolonging = setInterval(
    () => void prolongTurn(db, request).catch(() => {}),
    request.leaseMs / 3,
  ).unref();
  try {
    await work();
  } finally {
    clearInterval(prolonging);
    await endTurn(db, request);
  }
  return true;
}

/**
 * Returns a function that does work as `doInTurn` does it, and for which a turn that began before this process does not count.
 * `uptimeMs` returns for how long the process runs.
 */
export function createTurns(
  db: Db,
  request: Omit<TurnRequest, "missedSinceMs" | "signal">,
  uptimeMs: () => number,
): (work: () => Promise<void>, signal?: AbortSignal) => Promise<boolean> {
  let hadTurn = false;
  return async (work, signal) => {
    // When the database answers late, the first turn of this process seems to have begun before the process.
    const missedSinceMs = hadTurn ? null : uptimeMs();
    const isTurn = await doInTurn(db, { ...request, missedSinceMs, ...(signal && { signal }) }, work);
    hadTurn ||= isTurn;
    return isTurn;
  };
}

/** Takes the turn. False: it is not this process's turn. */
async function takeTurn(db: Db, request: TurnRequest): Promise<boolean> {
  const { work, holder, leaseMs, everyMs, missedSinceMs } = request;
  const leaseEnd = sql`${NOW} + ${addMs(leaseMs)}`;
  const isFree = sql`(turns.free_at <= ${NOW} or turns.free_at > ${NOW} + ${addMs(Math.max(leaseMs, everyMs))})`;
  const isMissed =
    missedSinceMs === null
      ? sql`false`
      : sql`(turns.holder is null and turns.began_at < ${NOW} - ${addMs(missedSinceMs)})`;
  const { rows } = await sql`
    insert into turns (work, holder, free_at, began_at) values (${work}, ${holder}, ${leaseEnd}, ${NOW})
    on conflict (work) do update
    set holder = excluded.holder, free_at = ${leaseEnd}, began_at = ${NOW}
    where ${isFree} or ${isMissed}
    returning work`.execute(db);
  return rows.length > 0;
}

const setFreeIn = (db: Db, { work, holder }: TurnRequest, ms: number) =>
  db
    .updateTable("turns")
    .set({ free_at: sql<Date>`${NOW} + ${addMs(ms)}` })
    .where(has({ work, holder }));

const prolongTurn = (db: Db, request: TurnRequest) => setFreeIn(db, request, request.leaseMs).execute();

/** A turn that the end of the process cut short is due at once, for another one. */
const endTurn = (db: Db, request: TurnRequest) =>
  setFreeIn(db, request, request.signal?.aborted === true ? 0 : request.everyMs)
    .set({ holder: null })
    .execute();

/**
 * Saves a heartbeat of a process. Returns how many processes run, this one included: those whose heartbeat is at most `maxAgeMs` old, by
 * the database's clock. A heartbeat in the future was saved before that clock was set back.
 */
export async function saveHeartbeat(db: Db, id: string, maxAgeMs: number): Promise<number> {
  const maxAge = addMs(maxAgeMs);
  const { rows } = await sql<{ others: number }>`
    with own as (
      insert into processes (id, seen_at) values (${id}, ${NOW})
      on conflict (id) do update set seen_at = excluded.seen_at
    ), ended as (
      delete from processes where id <> ${id} and seen_at < ${NOW} - interval '1 day'
    )
    select count(*)::int as others from processes
    where id <> ${id} and seen_at between ${NOW} - ${maxAge} and ${NOW} + ${maxAge}`.execute(db);
  return 1 + (rows[0]?.others ?? 0);
}

/** Removes a process that ends. */
export async function removeProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", id).execute();
}
