import { describeDelivery } from "../deliveries/describe-delivery.ts";
import { queuedDelivery } from "../deliveries/queued-delivery.ts";
import type { DeliveryIntake, DeliveryLog } from "../github/webhooks/accept-delivery.ts";
import { EVENTS } from "../github/webhooks/reducers.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { StoreSession } from "./process/store-session.ts";

export interface IntakeParts {
  readonly ownAppId: number;
  readonly platformHosts: readonly string[];
  /** Ids of the platform's Apps. */
  readonly trustedApps: Iterable<number>;
  readonly session: Pick<StoreSession, "queue" | "clock">;
  readonly log: DeliveryLog;
  readonly telemetry: Telemetry;
}

/** Whoever has the webhook secret chooses the name of an event, and every name would be a series of its own. */
const COUNTED_EVENTS: ReadonlySet<string> = new Set([...EVENTS, "ping", "unverified"]);

/** Connects verified deliveries with the queue: each is stored with the origin of its span and of its time. */
export const createIntake = (parts: IntakeParts): DeliveryIntake => ({
  ownAppId: parts.ownAppId,
  platformHosts: parts.platformHosts,
  platformAppIds: [...parts.trustedApps],
  accept: (delivery) => {
    const { session, telemetry } = parts;
    const origin = { receivedAtMs: session.clock.now() };
    const work = { name: "receive delivery", origin, fields: describeDelivery(delivery) };
    return telemetry.work(work, () => {
      const queued = { ...delivery, origin: telemetry.origin() ?? undefined };
      return session.queue.acceptDelivery(delivery.id, queuedDelivery.pack(queued));
    });
  },
  log: parts.log,
  onAnswer: (event, outcome) =>
    parts.telemetry.count("tollgate_deliveries_total", {
      event: COUNTED_EVENTS.has(event) ? event : "other",
      outcome,
    }),
});
