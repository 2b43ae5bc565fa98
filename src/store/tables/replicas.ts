import type { ColumnType } from "kysely";
import type { Time } from "./columns.ts";

/** Times of these tables are by the database's clock, because the clocks of processes differ. */
export interface SharedInstallationsTable {
  installation_id: number;
  /** When the next write to GitHub may start that no process has reserved yet. */
  next_write_at: Time;
  /** Until then GitHub limits the installation; in the past: it does not. */
  paused_until: Time;
  /** When a process last learned that the installation changed: its repositories, permissions, or whether it is there. Null: never. */
  changed_at: ColumnType<Date | null, Date | undefined, Date>;
  /** The newest access token, encrypted with a key derived from the App's private key, and when it was requested. */
  token: ColumnType<string | null, undefined, never>;
  token_at: ColumnType<Date | null, undefined, never>;
  /** `all` or `selected` repositories, and when it was requested. */
  coverage: ColumnType<string | null, undefined, never>;
  coverage_at: ColumnType<Date | null, undefined, never>;
}

export interface TurnsTable {
  /** Periodic work that one process does at a time. */
  work: string;
  /** The process that does it now; null: none. */
  holder: string | null;
  /** With a holder: when its turn ends unless it is prolonged. Without: when the next turn is due. */
  free_at: Time;
  /** When the newest turn began. */
  began_at: Time;
  /** How many turns began, for versions before 0031. */
  begun: number;
}

export interface ProcessesTable {
  id: string;
  /** The time of its newest heartbeat. */
  seen_at: Time;
}

export interface ReplicaTables {
  processes: ProcessesTable;
  shared_installations: SharedInstallationsTable;
  turns: TurnsTable;
}
