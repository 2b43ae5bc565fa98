import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";

/**
 * Saves that a process lives. Returns how many live, this one included: those that said so within `lifeMs`, by the database's clock. A
 * row that lies in the future was written before that clock was set back.
 */
export async function saveProcess(db: Kysely<Tables>, id: string, lifeMs: number): Promise<number> {
  const now = sql`clock_timestamp()`;
  const life = sql`${lifeMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<{ others: number }>`
    with own as (
      insert into processes (id, seen_at) values (${id}, ${now})
      on conflict (id) do update set seen_at = excluded.seen_at
    ), ended as (
      delete from processes where id <> ${id} and seen_at < ${now} - interval '1 day'
    )
    select count(*)::int as others from processes
    where id <> ${id} and seen_at between ${now} - ${life} and ${now} + ${life}`.execute(db);
  return 1 + (rows[0]?.others ?? 0);
}

/** Removes a process that ends. */
export async function forgetProcess(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", id).execute();
}
