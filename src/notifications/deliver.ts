import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { type Clock, MINUTE_MS } from "../kernel/clock.ts";
import type { Notification } from "../policy/notifications/notification.ts";
import type { Queue } from "../queue/queue.ts";
import { formatMail, type Mail } from "../render/notifications/mail.ts";
import type { MessageText, NotificationRenderer } from "../render/notifications/message-text.ts";
import { formatSlackMessage } from "../render/notifications/slack-message.ts";
import { formatTeamsMessage } from "../render/notifications/teams-message.ts";
import {
  type AttemptOutcome,
  claimMessage,
  type OutgoingMessage,
  saveAttempt,
} from "../store/notifications/outbox.ts";
import type { Tables } from "../store/tables/tables.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface DeliveryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface DeliverDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Pick<Queue, "enqueueNotifications">;
  readonly clock: Clock;
  readonly log: DeliveryLog;
  readonly telemetry: Telemetry;
  readonly targets: ReadonlyMap<string, DeliveryTarget>;
  readonly renderer: NotificationRenderer;
  readonly senders: Senders;
  /** Tells the other operators' targets that a target cannot be notified (`problem`), or can be again (null). */
  readonly reportTarget: (target: string, problem: string | null) => Promise<void>;
}

/** Messages that one job sends: then other targets have their turn. At ten seconds each, they end before the job's time limit. */
const MESSAGES = 15;
/** Notifications in one digest: a message of Slack has at most 50 blocks. */
const DIGEST_SIZE = 20;

/**
 * Pauses after failed attempts, in ms: the last attempt is made a day after the first. None is shorter than the minute over which a
 * target's rate is counted.
 */
const PAUSES_MS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
const LONGEST_ASKED_MS = 6 * 60 * MINUTE_MS;
/** Failed attempts after which operators are notified. */
const ATTEMPTS_BEFORE_TROUBLE = 3;

/** Sends what is due for a target, within its rate, and enqueues itself for what is due later. */
export async function deliverNotifications(deps: DeliverDeps, name: string): Promise<void> {
  const target = deps.targets.get(name);
  if (target === undefined) {
    deps.log.warn({ target: name }, "notifications wait for a target that the operator's file no longer has");
    return;
  }
  for (let sent = 0; sent < MESSAGES; sent++) {
    const claim = await claimMessage(deps.db, name, {
      now: new Date(deps.clock.now()),
      perMinute: target.per_minute,
      digestSize: DIGEST_SIZE,
      retryAfterMs: getPauseMs,
    });
    if (claim.state === "nothing") {
      if (claim.untilMs !== null) await deps.queue.enqueueNotifications(name, claim.untilMs);
      return;
    }
    await deliverMessage(deps, target, claim.message);
  }
  await deps.queue.enqueueNotifications(name);
}

/** After the last attempt there is none; the pause only matters if that attempt never ends. */
const getPauseMs = (attempt: number): number => PAUSES_MS[attempt - 1] ?? PAUSES_MS.at(-1) ?? MINUTE_MS;

async function deliverMessage(
  deps: DeliverDeps,
  target: DeliveryTarget,
  message: OutgoingMessage,
): Promise<void> {
  const { attempt } = message;
  const text = wordMessage(deps, target, message);
  const result =
    text === null
      ? UNREADABLE
      : await sendMessage(deps.senders, target, { ...message, text, nowMs: deps.clock.now() });
  const outcome = decideOutcome(result, { attempt, nowMs: deps.clock.now() });
  await saveAttempt(deps.db, message, outcome);
  await report(deps, target, { outcome, attempt });
}

/** Null: it cannot be worded, because it was stored by another version or the operator's templates fail. */
function wordMessage(
  { renderer, log }: DeliverDeps,
  { name: target }: DeliveryTarget,
  { notifications, isDigest }: OutgoingMessage,
): MessageText | null {
  if (notifications.length === 0) return null;
  try {
    return renderer.message(notifications, { target, isDigest });
  } catch (error) {
    log.warn({ target, error }, "a notification could not be worded");
    return null;
  }
}

const UNREADABLE: SendResult = { state: "refused", problem: "the notification cannot be worded" };

function decideOutcome(
  result: SendResult,
  { attempt, nowMs }: { readonly attempt: number; readonly nowMs: number },
): AttemptOutcome {
  if (result.state === "sent") return { kind: "sent" };
  const { problem } = result;
  if (result.state === "refused" || attempt > PAUSES_MS.length) return { kind: "failed", problem };
  const asked = Math.min(result.afterMs ?? 0, LONGEST_ASKED_MS);
  return { kind: "retry", problem, atMs: nowMs + Math.max(getPauseMs(attempt), asked) };
}

const COUNTED = { sent: "sent", retry: "retried", failed: "failed" } as const;

async function report(
  { telemetry, log, reportTarget }: DeliverDeps,
  { name: target, kind: target_kind }: DeliveryTarget,
  { outcome, attempt }: { readonly outcome: AttemptOutcome; readonly attempt: number },
): Promise<void> {
  const { kind } = outcome;
  telemetry.count("tollgate_notifications_total", { target_kind, outcome: COUNTED[kind] });
  if (kind === "sent") return reportTarget(target, null);
  const { problem } = outcome;
  if (kind === "failed") log.warn({ target, problem, attempt }, "a notification was given up");
  else log.info({ target, problem, attempt }, "a notification is sent again later");
  if (kind === "failed" || attempt >= ATTEMPTS_BEFORE_TROUBLE) await reportTarget(target, problem);
}

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

/** How a target is reached. Only the operator's settings state it. */
export type TargetAddress =
  | { readonly kind: "slack" | "teams"; readonly url: string }
  | { readonly kind: "webhook"; readonly url: string; readonly secret: string }
  | {
      readonly kind: "email";
      /** `smtp://` or `smtps://`, perhaps with user and password. */
      readonly smtp: string;
      readonly from: string;
      readonly to: readonly string[];
    };

export type DeliveryTarget = TargetAddress & {
  readonly name: string;
  /** Most messages in any minute. */
  readonly per_minute: number;
};

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one attempt came to. `problem` is in our own words: it quotes neither the address nor the answer, which may contain secrets. */
export type SendResult =
  | { readonly state: "sent" }
  /** `afterMs`: the target asks to wait as long; null: it does not say. */
  | { readonly state: "unavailable"; readonly problem: string; readonly afterMs: number | null }
  /** The same message would be refused again. */
  | { readonly state: "refused"; readonly problem: string };

/** Ways out of the process; each has a time limit, follows no redirect, and never throws. */
export interface Senders {
  post(request: PostRequest): Promise<SendResult>;
  mail(mail: Mail & { readonly id: string }, address: TargetAddress & { kind: "email" }): Promise<SendResult>;
}

interface SentMessage {
  /** The same for each attempt, so that a receiver can recognise a message that arrives twice. */
  readonly id: string;
  readonly text: MessageText;
  readonly notifications: readonly Notification[];
  /** When it is sent, in ms since 1970. */
  readonly nowMs: number;
}
