import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { getRemainingPause } from "./write-pace.ts";

/** Channel on which processes are told to read what others changed. */
export const CHANGES_CHANNEL = "tollgate_changes";

/** Tells every process that listens to read the changes; the sender too. */
export async function announceChanges(db: Kysely<Tables>): Promise<void> {
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
export async function listInstallationChanges(db: Kysely<Tables>): Promise<readonly InstallationChange[]> {
  return db
    .selectFrom("shared_installations")
    .select(["installation_id as installationId", getRemainingPause().as("pausedMs"), VERSION.as("version")])
    .where(({ eb, or }) =>
      or([
        eb("paused_until", ">", sql<Date>`clock_timestamp()`),
        eb("changed_at", ">", sql<Date>`clock_timestamp() - ${LONGEST_CACHED}`),
      ]),
    )
    .execute();
}

/** Stores that the installation changed: what processes have cached of it counts no longer. */
export async function markInstallationChanged(db: Kysely<Tables>, installationId: number): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  await db
    .insertInto("shared_installations")
    .values({ installation_id: installationId, next_write_at: now, paused_until: now, changed_at: now })
    .onConflict((conflict) => conflict.column("installation_id").doUpdateSet({ changed_at: now }))
    .execute();
}
