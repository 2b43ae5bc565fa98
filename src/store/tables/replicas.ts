import type { Time } from "./columns.ts";

/** Times of both tables are by the database's clock, because the clocks of processes differ. */
export interface InstallationWritesTable {
  installation_id: number;
  /** When the next write to GitHub may start that no process has reserved yet. */
  next_write_at: Time;
  /** Until then GitHub limits the installation; in the past: it does not. */
  paused_until: Time;
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
  /** How many turns began. */
  begun: number;
}

export interface ReplicaTables {
  installation_writes: InstallationWritesTable;
  turns: TurnsTable;
}
