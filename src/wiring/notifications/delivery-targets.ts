import type { Log } from "../../evaluate/run/deps.ts";
import { resolveGitHubPagesUrl } from "../../github/client/api-addresses.ts";
import type { DeliveryTarget, Senders, TargetAddress } from "../../notifications/delivery-target.ts";
import {
  createNotificationRenderer,
  type NotificationRenderer,
} from "../../render/notifications/message-text.ts";
import type { NotificationTarget } from "../../settings/notification-targets.ts";
import type { Settings } from "../../settings/settings.ts";
import { loadOperatorTemplates, loadTemplates } from "../process/templates.ts";
import { postNotification } from "./http-post.ts";
import { sendByMail } from "./smtp.ts";

/** Time limit of one attempt, from the connection to the end of the answer, in ms. */
const TIMEOUT_MS = 10_000;

/** What is needed to send messages to the operator's targets. */
export interface NotificationDelivery {
  readonly targets: ReadonlyMap<string, DeliveryTarget>;
  readonly renderer: NotificationRenderer;
  readonly senders: Senders;
}

/** Builds the targets of the operator's file, with what sends to them. `timeoutMs`: of one attempt. */
export function buildNotificationDelivery(
  settings: Settings,
  log: Pick<Log, "warn">,
  timeoutMs: number = TIMEOUT_MS,
): NotificationDelivery {
  const targets = settings.operator.notifications.targets.map(toDeliveryTarget);
  return {
    targets: new Map(targets.map((target) => [target.name, target])),
    renderer: createNotificationRenderer(
      loadTemplates(),
      { github: resolveGitHubPagesUrl(settings.githubUrl), tollgate: settings.publicUrl },
      loadOperatorTemplates(settings.templatesDirectory, log),
    ),
    senders: {
      post: (request) => postNotification(request, timeoutMs),
      mail: (mail, address) => sendByMail(mail, address, timeoutMs),
    },
  };
}

const toDeliveryTarget = (target: NotificationTarget): DeliveryTarget => ({
  name: target.name,
  perMinute: target.per_minute,
  address: toAddress(target),
});

function toAddress(target: NotificationTarget): TargetAddress {
  const { kind } = target;
  switch (kind) {
    case "slack":
    case "teams":
      return { kind, url: target.url };
    case "webhook":
      return { kind, url: target.url, secret: target.secret };
    case "email":
      return { kind, smtp: target.smtp, from: target.from, to: target.to };
  }
}
