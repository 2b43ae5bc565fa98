import { createHash } from "node:crypto";
import type { JobInsert, PgBoss } from "pg-boss";
import { copyUnstorable } from "../kernel/storable.ts";
import { retryLost } from "../store/database/lost-connection.ts";
import { runUrgently } from "../store/embedded.ts";
import { createBatcher } from "./batch.ts";

export type DeliveryAcceptance = "queued" | "duplicate";

interface QueuedDelivery {
  readonly id: string;
  readonly event: object;
}

/** Most deliveries in one batch, which is one statement. */
const BATCH = 200;

/**
 * PostgreSQL's classes of errors that a single row causes: its data, a constraint, a limit on its size. Any other error, such as a full
 * disk, would meet each half of the batch too.
 */
const ROW_ERROR = /^(22|23|54)\w{3}$/;
const isRowError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ROW_ERROR.test(String(error.code));

/**
 * Stores accepted deliveries. When the promise is fulfilled, the delivery survives the end of the process.
 * The id of a queued, running or completed delivery is a duplicate. A delivery that failed every attempt is
 * retried, because the operator requested its redelivery.
 */
export function createDeliveryInbox(
  boss: PgBoss,
): (deliveryId: string, event: object) => Promise<DeliveryAcceptance> {
  // A delivery that is written twice is stored once, so the write is repeated when a lost connection leaves its result unknown.
  const write = (items: readonly QueuedDelivery[]) =>
    retryLost(() => runUrgently(() => insertDeliveries(boss, items)));
  const put = createBatcher<QueuedDelivery, DeliveryAcceptance>(write, {
    limit: BATCH,
    isBatchFailure: (error) => !isRowError(error),
  });
  // Text that no database stores, such as NUL, would make the whole statement fail.
  return async (deliveryId, event) => put({ id: toJobId(deliveryId), event: copyUnstorable(event) });
}

async function insertDeliveries(
  boss: PgBoss,
  items: readonly QueuedDelivery[],
): Promise<readonly DeliveryAcceptance[]> {
  const fresh = new Map(items.map((item) => [item.id, item]));
  const jobs: JobInsert[] = [...fresh.values()].map(({ id, event }) => ({ id, data: event }));
  const inserted = new Set(await boss.insert("delivery", jobs, { returnId: true }));
  const known = [...fresh.keys()].filter((id) => !inserted.has(id));
  if (known.length > 0) await boss.retry("delivery", known); // moves failed ones only
  return items.map(({ id }) => (inserted.delete(id) ? "queued" : "duplicate"));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** GitHub's delivery ids are UUIDs; any other id of a verified delivery is hashed into one. */
function toJobId(deliveryId: string): string {
  const lower = deliveryId.toLowerCase();
  if (UUID.test(lower)) return lower;
  const hex = createHash("sha256").update(deliveryId).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
