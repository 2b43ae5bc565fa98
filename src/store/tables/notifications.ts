import { bigint, boolean, defineTable, identity, integer, jsonb, text, timestamp } from "./define-table.ts";

export const notificationTables = {
  /** Notifications to the operator's targets, from their cause until retention deletes them. */
  notifications: defineTable({
    columns: {
      notification_id: identity(),
      /** Name of the target in the operator's file. */
      target: text(),
      event: text(),
      /** Null: it is about Tollgate itself. */
      repository_id: bigint().nullable(),
      notification: jsonb(),
      /** True: it waits for the day's digest. */
      is_digest: boolean(),
      /** `failed`: it was given up. */
      state: text<"waiting" | "sent" | "failed">(),
      /** When it may be sent next. */
      due_at: timestamp(),
      attempts: integer(),
      /** The message that it was last sent in; null: it was not sent yet. */
      message_id: text().nullable(),
      attempted_at: timestamp().nullable(),
      /** Why the last attempt failed, in our own words; null: it did not. */
      problem: text().nullable(),
      created_at: timestamp(),
    },
    primaryKey: ["notification_id"],
    indexes: { due: "(target, due_at) where state = 'waiting'", attempted: "(target, attempted_at)" },
  }),
  /** The change of each subject that a target was last notified of. No row: it was notified of none. */
  notified_changes: defineTable({
    columns: { target: text(), subject: text(), change: text(), changed_at: timestamp() },
    primaryKey: ["target", "subject"],
  }),
};
