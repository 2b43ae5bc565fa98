import type { Insertable, Kysely } from "kysely";
import type { ExecutionTables, PlatformAuditEventsTable } from "./tables.ts";

/** Appends one audit event; events are never changed or removed. */
export async function addAuditEvent(
  db: Kysely<ExecutionTables>,
  event: Insertable<PlatformAuditEventsTable>,
): Promise<void> {
  await db.insertInto("platform_audit_events").values(event).execute();
}
