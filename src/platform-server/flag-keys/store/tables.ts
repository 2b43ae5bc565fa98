import type { ProjectKey } from "../../../store/tables/project-key.ts";

/** An environment of a project, which feature-flag keys belong to. */
export interface EnvironmentKey extends ProjectKey {
  readonly environment: string;
}

export interface FlagEnvironmentsTable extends EnvironmentKey {
  /** Increases with each write of one of its keys. */
  version: number;
}

export interface FlagKeysTable extends EnvironmentKey {
  identifier: string;
  name: string;
  description: string | null;
  type: "server" | "client";
  /** Identifies the record; it grants no access. */
  record_id: string;
  /** SHA-256 of the key in hex; the key itself is not stored. */
  secret_hash: string;
  /** The key's last four characters, by which users recognise it. */
  last_four: string;
  /** Unix time of expiry, in seconds; 0: never. */
  expires_s: number;
  /** Unix time of the last use, in seconds; null: never used. */
  last_used_s: number | null;
  created_ms: number;
}

export interface FlagTables {
  platform_flag_environments: FlagEnvironmentsTable;
  platform_flag_keys: FlagKeysTable;
}
