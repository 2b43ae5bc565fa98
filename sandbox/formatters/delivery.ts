import type { Delivery } from "../outbox/deliveries.ts";
import { formatTime, type JsonObject } from "./json.ts";

/** Formats a delivery for the list of an App's deliveries. `duration` is in seconds. */
export const formatDelivery = (delivery: Delivery): JsonObject => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: formatTime(delivery.createdAt),
  redelivery: delivery.redelivery,
  duration: Math.round(delivery.durationMs ?? 0) / 1000,
  status: describeStatusCode(delivery.statusCode),
  status_code: delivery.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action,
  installation_id: delivery.installationId,
  repository_id: delivery.repositoryId,
  throttled_at: null,
});

export const formatFullDelivery = (delivery: Delivery, url: string | null): JsonObject => ({
  ...formatDelivery(delivery),
  ...(url === null ? {} : { url }),
  request: { headers: delivery.headers, payload: JSON.parse(delivery.body) },
  response: { headers: {}, payload: "" },
});

function describeStatusCode(code: number | null): string {
  if (code === null) return "failed to connect to host";
  return code >= 200 && code < 300 ? "OK" : `Invalid HTTP Response: ${code}`;
}
