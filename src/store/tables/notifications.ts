import type { Generated } from "kysely";
import type { Json, Time } from "./columns.ts";

/** What targets of notifications are told, from its cause until it is deleted by age. */
export interface NotificationsTable {
  notification_id: Generated<number>;
  /** Name of the target in the operator's file. */
  target: string;
  event: string;
  /** Null: it is about Tollgate itself. */
  repository_id: number | null;
  notification: Json<unknown>;
  /** True: it waits for the day's digest. */
  is_digest: boolean;
  /** `failed`: it was given up. */
  state: "waiting" | "sent" | "failed";
  /** When it may be sent next. */
  due_at: Time;
  attempts: number;
  /** The message that it was last sent in; null: it was not sent yet. */
  message_id: string | null;
  attempted_at: Time | null;
  /** Why the last attempt failed, in our own words; null: it did not. */
  problem: string | null;
  created_at: Time;
}

/** The change of each subject that a target was last notified of. No row: it was notified of none. */
export interface NotifiedChangesTable {
  target: string;
  subject: string;
  change: string;
  changed_at: Time;
}

export interface NotificationTables {
  notifications: NotificationsTable;
  notified_changes: NotifiedChangesTable;
}
