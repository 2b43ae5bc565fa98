import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";

/**
 * Saves a heartbeat of a process. Returns how many processes run, this one included: those whose heartbeat is at most `maxAgeMs` old, by
 * the database's clock. A heartbeat in the future was saved before that clock was set back.
 */
export async function saveHeartbeat(db: Kysely<Tables>, id: string, maxAgeMs: number): Promise<number> {
  const now = sql`clock_timestamp()`;
  const maxAge = sql`${maxAgeMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<{ others: number }>`
    with own as (
      insert into processes (id, seen_at) values (${id}, ${now})
      on conflict (id) do update set seen_at = excluded.seen_at
    ), ended as (
      delete from processes where id <> ${id} and seen_at < ${now} - interval '1 day'
    )
    select count(*)::int as others from processes
    where id <> ${id} and seen_at between ${now} - ${maxAge} and ${now} + ${maxAge}`.execute(db);
  return 1 + (rows[0]?.others ?? 0);
}

/** Removes a process that ends. */
export async function removeProcess(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", id).execute();
}
