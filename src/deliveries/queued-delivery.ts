import { Delivery } from "../github/webhooks/lane-event.ts";
import type { ValueOf } from "../kernel/schemas.ts";
import { jsonColumn } from "../store/json/stored-json.ts";
import { JobOrigin } from "../telemetry/job-origin.ts";

const QueuedDelivery = Delivery.extend({
  /** Where its span and its time began; absent: nothing was measured. */
  origin: JobOrigin.optional().catch(undefined),
});
export type QueuedDelivery = ValueOf<typeof QueuedDelivery>;

export const queuedDelivery = jsonColumn({
  name: "the delivery",
  hint: "Start the version of Tollgate that accepted it, or have GitHub deliver it again.",
  schema: QueuedDelivery,
});
