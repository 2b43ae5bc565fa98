import type { Generated } from "kysely";

export type HookParentKind = "registry" | "repo" | "space";

/** What a webhook belongs to. It is there once somebody named it: the platform keeps no list of registries and repositories. */
export interface HookParentKey {
  readonly account: string;
  readonly kind: HookParentKind;
  /** Empty: none. */
  readonly org: string;
  readonly project: string;
  /** The registry's or repository's; empty for a space. */
  readonly name: string;
}

export interface PlatformHookParentsTable extends HookParentKey {
  /** Counted up by the database. */
  parent_id: Generated<number>;
}

export interface PlatformHooksTable {
  account: string;
  /** Counted up by the database. */
  hook_id: Generated<number>;
  parent_id: number;
  identifier: string;
  name: string;
  description: string;
  url: string;
  enabled: boolean;
  /** The target's certificate is not verified. */
  insecure: boolean;
  /** JSON array of events; empty: every event. */
  triggers: string;
  /** JSON array of `StoredHeader`. */
  headers: string;
  /** Encrypted; null: none. */
  secret: string | null;
  secret_identifier: string | null;
  secret_space_id: number | null;
  secret_space_path: string | null;
  latest_result: string | null;
  version: Generated<number>;
  created_by: number;
  created_ms: number;
  updated_ms: number;
}

/** An event on its way to one webhook. */
export interface PlatformHookDeliveriesTable {
  account: string;
  /** Counted up by the database. */
  delivery_id: Generated<number>;
  hook_id: number;
  event: string;
  body: string;
  attempts: Generated<number>;
  /** Nothing more is tried. */
  done: Generated<boolean>;
  created_ms: number;
}

/** What was sent once and what came back. Holds no secret: masked values are not in it. */
export interface PlatformHookExecutionsTable {
  account: string;
  /** Counted up by the database. */
  execution_id: Generated<number>;
  hook_id: number;
  /** The execution that this one repeats; null: an event's own. */
  retrigger_of: number | null;
  event: string;
  result: string;
  error: string;
  /** From the first byte sent to the end of the answer, in nanoseconds. */
  duration_ns: number;
  request_url: string;
  request_headers: string;
  request_body: string;
  /** Null: there was no answer. */
  response_code: number | null;
  response_status: string;
  response_headers: string;
  response_body: string;
  created_ms: number;
}

/** Webhooks of registries and of code hosting. */
export interface WebhookTables {
  platform_hook_parents: PlatformHookParentsTable;
  platform_hooks: PlatformHooksTable;
  platform_hook_deliveries: PlatformHookDeliveriesTable;
  platform_hook_executions: PlatformHookExecutionsTable;
}
