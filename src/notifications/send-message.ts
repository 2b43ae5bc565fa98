import { createHmac } from "node:crypto";
import { formatMail } from "../render/notifications/mail.ts";
import { formatSlackMessage } from "../render/notifications/slack-message.ts";
import { formatTeamsMessage } from "../render/notifications/teams-message.ts";
import type { PostRequest, Senders, SendResult, SentMessage, TargetAddress } from "./delivery-target.ts";

/** Sends a message in the format of its target. */
export function sendMessage(
  senders: Senders,
  address: TargetAddress,
  message: SentMessage,
): Promise<SendResult> {
  switch (address.kind) {
    case "slack":
      return senders.post(buildJsonRequest(address.url, formatSlackMessage(message.text)));
    case "teams":
      return senders.post(buildJsonRequest(address.url, formatTeamsMessage(message.text)));
    case "email":
      return senders.mail({ ...formatMail(message.text), id: message.id }, address);
    case "webhook":
      return senders.post(buildWebhookRequest(address, message));
  }
}

const buildJsonRequest = (url: string, body: object): PostRequest => ({
  url,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
});

/** Starts a secret that is written in base64, as Standard Webhooks has it. */
const BASE64_PREFIX = "whsec_";

/**
 * Builds a request with the notifications as data, signed as Standard Webhooks defines it: the signature covers id, time and body, so
 * that a receiver can refuse what is old, altered or sent twice.
 */
function buildWebhookRequest(
  { url, secret }: TargetAddress & { kind: "webhook" },
  { id, text, notifications, nowMs }: SentMessage,
): PostRequest {
  const timestamp = `${Math.floor(nowMs / 1_000)}`;
  const body = JSON.stringify({
    type: "tollgate.notification",
    timestamp: new Date(nowMs).toISOString(),
    data: {
      title: text.title,
      notifications: notifications.map((notification, at) => ({
        ...notification,
        links: text.parts[at]?.links ?? [],
      })),
    },
  });
  const signature = createHmac("sha256", readKey(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  return {
    url,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
    body,
  };
}

const readKey = (secret: string): Buffer =>
  secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), "base64")
    : Buffer.from(secret);
