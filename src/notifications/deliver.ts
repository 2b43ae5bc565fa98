import type { Kysely } from "kysely";
import { type Clock, MINUTE_MS } from "../kernel/clock.ts";
import type { Queue } from "../queue/queue.ts";
import type { MessageText, NotificationRenderer } from "../render/notifications/message-text.ts";
import {
  type AttemptOutcome,
  claimMessage,
  type OutgoingMessage,
  saveAttempt,
} from "../store/notifications/outbox.ts";
import type { Tables } from "../store/tables/tables.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { DeliveryTarget, Senders, SendResult } from "./delivery-target.ts";
import { sendMessage } from "./send-message.ts";

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
