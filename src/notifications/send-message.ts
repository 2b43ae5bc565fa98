import { formatMail } from "../render/notifications/mail.ts";
import { formatSlackMessage } from "../render/notifications/slack-message.ts";
import { formatTeamsMessage } from "../render/notifications/teams-message.ts";
import type { DeliveryTarget, PostRequest, Senders, SendResult, SentMessage } from "./delivery-target.ts";
import { buildWebhookRequest } from "./webhook-request.ts";

/** Sends a message in the format of its target. */
export function sendMessage(
  senders: Senders,
  { address }: Pick<DeliveryTarget, "address">,
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
