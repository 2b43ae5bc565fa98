import type { Insertable, Kysely } from "kysely";
import type { PlatformAuditEventsTable } from "../tables/platform.ts";
import type { Tables } from "../tables/tables.ts";

/** Appends one audit event; events are never changed or removed. */
export async function addAuditEvent(
  db: Kysely<Tables>,
  event: Insertable<PlatformAuditEventsTable>,
): Promise<void> {
  await db.insertInto("platform_audit_events").values(event).execute();
}
