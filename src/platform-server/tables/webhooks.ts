import type { Selectable } from "kysely";
import { bigint, boolean, defineTable, identity, text } from "../../store/tables/define-table.ts";

export type HookParentKind = "registry" | "repo" | "space";

const parentColumns = {
  account: text(),
  kind: text<HookParentKind>(),
  /** Empty: none. */
  org: text(),
  project: text(),
  /** Name of the registry or repository; empty for a space. */
  name: text(),
};

export type HookParentKey = Readonly<Selectable<typeof parentColumns>>;

const hookColumns = { account: text(), hook_id: bigint() };
const DELETED_WITH_HOOK =
  "foreign key (account, hook_id) references platform_hooks (account, hook_id) on delete cascade";

export const webhookTables = {
  /**
   * The parent of webhooks. A row exists once a caller named it, because the platform has no list of registries
   * and repositories.
   */
  platform_hook_parents: defineTable({
    columns: { ...parentColumns, parent_id: identity() },
    primaryKey: ["account", "kind", "org", "project", "name"],
    constraints: ["unique (account, parent_id)"],
  }),
  platform_hooks: defineTable({
    columns: {
      account: text(),
      hook_id: identity(),
      parent_id: bigint(),
      identifier: text(),
      name: text(),
      description: text(),
      url: text(),
      enabled: boolean(),
      /** True: the target's certificate is not verified. */
      insecure: boolean(),
      /** JSON array of events; empty: every event. */
      triggers: text(),
      /** JSON array of `StoredHeader`. */
      headers: text(),
      /** Encrypted; null: none. */
      secret: text().nullable(),
      secret_identifier: text().nullable(),
      secret_space_id: bigint().nullable(),
      secret_space_path: text().nullable(),
      latest_result: text().nullable(),
      version: bigint().default("0"),
      created_by: bigint(),
      created_ms: bigint(),
      updated_ms: bigint(),
    },
    primaryKey: ["account", "hook_id"],
    constraints: [
      "unique (account, parent_id, identifier)",
      "foreign key (account, parent_id) references platform_hook_parents (account, parent_id)",
    ],
  }),
  /** A pending delivery of an event to one webhook. */
  platform_hook_deliveries: defineTable({
    columns: {
      ...hookColumns,
      delivery_id: identity(),
      event: text(),
      body: text(),
      attempts: bigint().default("0"),
      /** True: no further attempt is made. */
      done: boolean().default("false"),
      created_ms: bigint(),
    },
    primaryKey: ["account", "delivery_id"],
    constraints: [DELETED_WITH_HOOK],
    indexes: { of_hook: "(account, hook_id)", by_time: "(created_ms)" },
  }),
  /** A sent request and its answer. It contains no secrets: masked values are omitted. */
  platform_hook_executions: defineTable({
    columns: {
      ...hookColumns,
      execution_id: identity(),
      /** The execution that this one repeats; null: it belongs to an event. */
      retrigger_of: bigint().nullable(),
      event: text(),
      result: text(),
      error: text(),
      /** Duration from the first sent byte to the end of the answer, in nanoseconds. */
      duration_ns: bigint(),
      request_url: text(),
      request_headers: text(),
      request_body: text(),
      /** Null: there was no answer. */
      response_code: bigint().nullable(),
      response_status: text(),
      response_headers: text(),
      response_body: text(),
      created_ms: bigint(),
    },
    primaryKey: ["account", "execution_id"],
    constraints: [DELETED_WITH_HOOK],
    indexes: { of_hook: "(account, hook_id, execution_id)", by_time: "(created_ms)" },
  }),
};
