import type { PlatformClient } from "../../platform/client.ts";
import { type EmitBody, emitEvent } from "../../platform/contract/emit.ts";
import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import { createRetryingCall } from "../import/retrying-call.ts";

/** Webhook deliveries that the platform enqueued. */
export type EmittedDeliveries = EndpointOutput<typeof emitEvent>;

const HINTS = {
  unauthorised:
    "Check the token (TOLLGATE_TOKEN, --token): it may be mistyped, revoked, expired or for another account.",
  forbidden: "Webhooks need a token of the whole account: make one with `tollgate token create --for api`.",
  not_found: "Check --url. Events can be emitted on the embedded platform only.",
  unavailable: "Check that the platform runs and --url is its address.",
  timed_out: "The event may or may not have been taken: check the webhook's executions before you repeat it.",
} as const;

/**
 * Sends an event to a platform, without retries: a repeated call would be a second event. Throws
 * `platform_failed`.
 */
export function sendEvent(platform: PlatformClient, body: EmitBody): Promise<EmittedDeliveries> {
  const once = { tries: 1, pauseMs: 0, sleep: async () => {}, hints: HINTS };
  return createRetryingCall(platform, once)(emitEvent, { body });
}
