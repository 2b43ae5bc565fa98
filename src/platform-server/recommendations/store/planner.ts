import { type Kysely, sql } from "kysely";
import type { RecommendationTables } from "./tables.ts";

const TABLES = ["platform_recommendations", "platform_recommendation_labels"] as const;
/** In blocks of 8 KiB: below it every plan is quick. */
const SMALL = 50;

/**
 * Tells the planner about tables that have grown to more than twice what it knows of. Without it a list is sorted in full
 * instead of read from an index: PostgreSQL's own look comes a minute later, the embedded database never looks.
 */
export async function tellPlanner(trx: Kysely<RecommendationTables>): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await sql<{ known: number; now: number }>`
      select relpages::int as known, (pg_relation_size(oid) / current_setting('block_size')::int)::int as now
      from pg_class where oid = ${table}::regclass`.execute(trx);
    const { known = 0, now = 0 } = rows[0] ?? {};
    if (now > SMALL && now > 2 * known) await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}
