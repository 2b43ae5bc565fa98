import { createSecretBox } from "../../platform-server/outbound/secret-box.ts";
import { createTargetGuard } from "../../platform-server/outbound/targets/guard.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "../../platform-server/outbound/webhook-settings.ts";
import type { Settings } from "../../settings/settings.ts";

/** Converts the operator's settings to the webhook settings of the embedded platform. */
export const buildWebhookSettings = ({
  operator,
  encryptionKey,
}: Pick<Settings, "operator" | "encryptionKey">): WebhookSettings => ({
  ...STRICT_WEBHOOKS,
  identity: operator.webhook_identity ?? null,
  guard: createTargetGuard(operator.webhook_targets.allow),
  box: encryptionKey === null ? null : createSecretBox(encryptionKey),
  secrets: new Map(Object.entries(operator.webhook_secrets)),
});
