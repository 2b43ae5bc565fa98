import type { WebhookResult } from "../../../platform/contract/shapes/webhook-shapes.ts";

/** What an answer's status means for the delivery: 408, 429 and 5xx but 501 may be better later, everything else will not. */
export function resultOfStatus(status: number): WebhookResult {
  if (status >= 200 && status <= 299) return "SUCCESS";
  if (status === 408 || status === 429) return "RETRIABLE_ERROR";
  if (status >= 500 && status <= 599 && status !== 501) return "RETRIABLE_ERROR";
  return "FATAL_ERROR";
}
