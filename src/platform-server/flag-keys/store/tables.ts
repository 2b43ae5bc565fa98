import type { ProjectKey } from "../../../store/tables/project-key.ts";

/** An environment of a project: what a feature-flag key belongs to. */
export interface EnvironmentKey extends ProjectKey {
  readonly environment: string;
}

export interface FlagEnvironmentsTable extends EnvironmentKey {
  /** Grows with each write of one of its keys. */
  version: number;
}

export interface FlagKeysTable extends EnvironmentKey {
  identifier: string;
  name: string;
  description: string | null;
  type: "server" | "client";
  /** Names the record; opens nothing. */
  record_id: string;
  /** SHA-256 of the key in hex; the key itself is not kept. */
  secret_hash: string;
  /** The key's last four characters, by which people know it again. */
  last_four: string;
  /** Unix seconds from which on it is refused; 0: never. */
  expires_s: number;
  /** Unix seconds; null: never used. */
  last_used_s: number | null;
  created_ms: number;
}

export interface FlagTables {
  platform_flag_environments: FlagEnvironmentsTable;
  platform_flag_keys: FlagKeysTable;
}
