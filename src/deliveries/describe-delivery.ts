import type { Delivery } from "../github/webhooks/payload/lane-event.ts";
import type { WorkFields } from "../telemetry/telemetry.ts";

/** Names a delivery and what it is about, for log lines and spans. */
export function describeDelivery({ id, event }: Delivery): WorkFields {
  return {
    delivery: id,
    event: event.kind,
    ...("repository" in event && { repository: `${event.repository.owner}/${event.repository.name}` }),
    ...("number" in event && { pull: event.number }),
  };
}
