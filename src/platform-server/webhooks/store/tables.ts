import type { Generated } from "kysely";

export type HookParentKind = "registry" | "repo" | "space";

/**
 * The parent of webhooks. A row exists once a caller named it, because the platform has no list of registries
 * and repositories.
 */
export interface HookParentKey {
  readonly account: string;
  readonly kind: HookParentKind;
  /** Empty: none. */
  readonly org: string;
  readonly project: string;
  /** Name of the registry or repository; empty for a space. */
  readonly name: string;
}

export interface PlatformHookParentsTable extends HookParentKey {
  /** Assigned by the database. */
  parent_id: Generated<number>;
}

export interface PlatformHooksTable {
  account: string;
  /** Assigned by the database. */
  hook_id: Generated<number>;
  parent_id: number;
  identifier: string;
  name: string;
  description: string;
  url: string;
  enabled: boolean;
  /** True: the target's certificate is not verified. */
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

/** A pending delivery of an event to one webhook. */
export interface PlatformHookDeliveriesTable {
  account: string;
  /** Assigned by the database. */
  delivery_id: Generated<number>;
  hook_id: number;
  event: string;
  body: string;
  attempts: Generated<number>;
  /** True: no further attempt is made. */
  done: Generated<boolean>;
  created_ms: number;
}

/** A sent request and its answer. It contains no secrets: masked values are omitted. */
export interface PlatformHookExecutionsTable {
  account: string;
  /** Assigned by the database. */
  execution_id: Generated<number>;
  hook_id: number;
  /** The execution that this one repeats; null: it belongs to an event. */
  retrigger_of: number | null;
  event: string;
  result: string;
  error: string;
  /** Duration from the first sent byte to the end of the answer, in nanoseconds. */
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
