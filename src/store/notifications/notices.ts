import type { Notification } from "../../policy/notifications/notification.ts";
import { type Fence, lockFence } from "../database/lanes.ts";
import { deleteRows } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { toIndexText } from "../index-text.ts";
import { storedNotification } from "../json/stored-values.ts";
import type { Db } from "../tables/tables.ts";

/** The notification of one target about one subject. */
export interface TargetNotice {
  readonly target: string;
  readonly subject: string;
  /** Null: nothing (any more). */
  readonly change: {
    readonly key: string;
    readonly notification: Notification;
    /** Null: at once. */
    readonly digestMs: number | null;
  } | null;
}

/**
 * Stores notifications for the changes that their targets were not notified yet, and returns the names of these targets. Everything is
 * stored, or nothing; a second call with the same notices stores nothing. `fence`: nothing is stored once a later run of the lane began.
 */
export function recordNotices(
  db: Db,
  notices: readonly TargetNotice[],
  { now, fence }: { readonly now: Date; readonly fence: Fence | null },
): Promise<ReadonlySet<string>> {
  return transact(db, async (trx) => {
    if (fence !== null && !(await lockFence(trx, fence))) return new Set<string>();
    const notified = new Set<string>();
    // In one order, so that two transactions never wait for each other.
    for (const notice of notices.toSorted(byPlace))
      if (await recordNotice(trx, notice, now)) notified.add(notice.target);
    return notified;
  });
}

const byPlace = (a: TargetNotice, b: TargetNotice): number => {
  const [left, right] = [a, b].map(({ target, subject }) => `${target} ${subject}`);
  return (left ?? "") < (right ?? "") ? -1 : 1;
};

/** Returns whether the target was not notified about the change yet. */
async function recordNotice(
  trx: Db,
  { target, subject: name, change }: TargetNotice,
  now: Date,
): Promise<boolean> {
  const subject = toIndexText(name);
  if (change === null) {
    await deleteRows(trx, "notified_changes", { target, subject });
    return false;
  }
  const { key, notification, digestMs } = change;
  const changed = await trx
    .insertInto("notified_changes")
    .values({ target, subject, change: toIndexText(key), changed_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["target", "subject"])
        .doUpdateSet({ change: toIndexText(key), changed_at: now })
        .where("notified_changes.change", "!=", toIndexText(key)),
    )
    .returning("target")
    .executeTakeFirst();
  if (changed === undefined) return false;
  await trx
    .insertInto("notifications")
    .values({
      target,
      notification: storedNotification.write(notification),
      is_digest: digestMs !== null,
      state: "waiting",
      due_at: digestMs === null ? now : new Date(digestMs),
      attempts: 0,
      created_at: now,
    })
    .execute();
  return true;
}
