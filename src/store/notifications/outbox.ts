import { type Selectable, sql } from "kysely";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { Notification } from "../../policy/notifications/notification.ts";
import { has } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { storedNotification } from "../json/stored-values.ts";
import type { Db, Tables } from "../tables/tables.ts";

/** One message to a target, which is about to be sent. */
export interface OutgoingMessage {
  /** The same for each attempt to send the same notifications. */
  readonly id: string;
  readonly isDigest: boolean;
  /** How often it was tried, this time included. */
  readonly attempt: number;
  /** Oldest first; those that cannot be read are left out. */
  readonly notifications: readonly Notification[];
  readonly ids: readonly number[];
  /** When the oldest of it happened. */
  readonly createdMs: number;
}

export type Claim =
  | { readonly state: "claimed"; readonly message: OutgoingMessage }
  /** Nothing may be sent before `untilMs`; null: nothing waits. */
  | { readonly state: "nothing"; readonly untilMs: number | null };

export interface ClaimOptions {
  readonly now: Date;
  readonly perMinute: number;
  readonly digestSize: number;
  /** When the message may be sent again if this attempt never ends, in ms after `now`, by the number of the attempt. */
  readonly retryAfterMs: (attempt: number) => number;
}

type Row = Selectable<Tables["notifications"]>;

/**
 * Takes the next message of a target, and reserves it: an attempt that never ends, because its process did, is made again later. Two
 * processes never take the same message, and together they stay within the target's rate.
 */
export function claimMessage(db: Db, target: string, options: ClaimOptions): Promise<Claim> {
  return transact(db, async (trx): Promise<Claim> => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`notifications of ${target}`}, 0))`.execute(
      trx,
    );
    const [first] = await selectWaiting(trx, target)
      .orderBy("due_at")
      .orderBy("notification_id")
      .limit(1)
      .execute();
    if (first === undefined) return { state: "nothing", untilMs: null };
    const freeMs = await findFreeMs(trx, target, options);
    const untilMs = Math.max(first.due_at.getTime(), freeMs);
    if (untilMs > options.now.getTime()) return { state: "nothing", untilMs };
    const rows = first.is_digest ? await listDigest(trx, target, options) : [first];
    return { state: "claimed", message: await reserve(trx, rows, { ...options, isDigest: first.is_digest }) };
  });
}

const selectWaiting = (trx: Db, target: string) =>
  trx
    .selectFrom("notifications")
    .selectAll()
    .where(has({ target, state: "waiting" }));

const listDigest = (trx: Db, target: string, { now, digestSize }: ClaimOptions): Promise<readonly Row[]> =>
  selectWaiting(trx, target)
    .where("is_digest", "=", true)
    .where("due_at", "<=", now)
    .orderBy("notification_id")
    .limit(digestSize)
    .execute();

/** When the target may be sent the next message by its rate; 0: now. */
async function findFreeMs(trx: Db, target: string, { now, perMinute }: ClaimOptions): Promise<number> {
  const sent = await trx
    .selectFrom("notifications")
    .select(({ fn }) => fn.max("attempted_at").as("at"))
    .where("target", "=", target)
    .where("attempted_at", ">", new Date(now.getTime() - MINUTE_MS))
    .groupBy("message_id")
    .orderBy("at", "desc")
    .limit(perMinute)
    .execute();
  const oldest = sent.length < perMinute ? null : (sent.at(-1)?.at ?? null);
  return oldest === null ? 0 : new Date(oldest).getTime() + MINUTE_MS;
}

async function reserve(
  trx: Db,
  rows: readonly Row[],
  { now, retryAfterMs, isDigest }: ClaimOptions & { readonly isDigest: boolean },
): Promise<OutgoingMessage> {
  const ids = rows.map(({ notification_id: id }) => id);
  const attempt = Math.max(...rows.map(({ attempts }) => attempts)) + 1;
  const id = isDigest ? `digest_${ids[0]}_${ids.at(-1)}_${ids.length}` : `notification_${ids[0]}`;
  await trx
    .updateTable("notifications")
    .set({
      attempts: attempt,
      attempted_at: now,
      message_id: id,
      due_at: new Date(now.getTime() + retryAfterMs(attempt)),
    })
    .where("notification_id", "in", ids)
    .execute();
  const notifications = rows.flatMap(({ notification }) => {
    const stored = storedNotification.read(notification);
    return stored.state === "read" ? [stored.value] : [];
  });
  const createdMs = Math.min(...rows.map(({ created_at: at }) => at.getTime()));
  return { id, isDigest, attempt, notifications, ids, createdMs };
}

/** How an attempt ended. `retry`: the message is sent again at `atMs`. */
export type AttemptOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "retry"; readonly problem: string; readonly atMs: number }
  | { readonly kind: "failed"; readonly problem: string };

export async function saveAttempt(db: Db, { ids }: OutgoingMessage, outcome: AttemptOutcome): Promise<void> {
  await db
    .updateTable("notifications")
    .set({
      state: outcome.kind === "retry" ? "waiting" : outcome.kind,
      problem: "problem" in outcome ? outcome.problem : null,
      ...(outcome.kind === "retry" && { due_at: new Date(outcome.atMs) }),
    })
    .where("notification_id", "in", ids)
    .where("state", "=", "waiting")
    .execute();
}

export async function listWaitingTargets(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("notifications")
    .select("target")
    .distinct()
    .where("state", "=", "waiting")
    .execute();
  return rows.map(({ target }) => target);
}
