import { bigint, defineTable, text, timestamp } from "./define-table.ts";

/** What several processes on one database share. Times are by the database's clock, because the clocks of processes differ. */
export const replicaTables = {
  shared_installations: defineTable({
    columns: {
      installation_id: bigint(),
      /** When the next write to GitHub may start that no process has reserved yet. */
      next_write_at: timestamp(),
      /** Until then GitHub limits the installation; in the past: it does not. */
      paused_until: timestamp(),
      /** When a process last learned that the installation changed: its repositories, permissions, or whether it is there. Null: never. */
      changed_at: timestamp().nullable(),
      /** The newest access token, encrypted with a key derived from the App's private key, and when it was requested. */
      token: text().nullable(),
      token_at: timestamp().nullable(),
      /** `all` or `selected` repositories, and when it was requested. */
      coverage: text().nullable(),
      coverage_at: timestamp().nullable(),
    },
    primaryKey: ["installation_id"],
  }),
  turns: defineTable({
    columns: {
      /** Periodic work that one process does at a time. */
      work: text(),
      /** The process that does it now; null: none. */
      holder: text().nullable(),
      /** With a holder: when its turn ends unless it is prolonged. Without: when the next turn is due. */
      free_at: timestamp(),
      /** When the newest turn began. */
      began_at: timestamp(),
    },
    primaryKey: ["work"],
  }),
  processes: defineTable({
    columns: {
      id: text(),
      /** The time of its newest heartbeat. */
      seen_at: timestamp(),
    },
    primaryKey: ["id"],
  }),
};
