import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables.ts";

/** Keeps a comment or review event as it came, for the commands that read them. */
export async function recordEvent(
  db: Kysely<Tables>,
  event: PullKey & { readonly id: string; readonly kind: string; readonly event: object },
  now: Date,
): Promise<void> {
  await db
    .insertInto("recorded_events")
    .values({
      delivery_id: event.id,
      repository_id: event.repositoryId,
      number: event.number,
      kind: event.kind,
      event: JSON.stringify(event.event),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
