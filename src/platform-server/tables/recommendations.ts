import { bigint, boolean, byteText, defineTable, numeric, text } from "../../store/tables/define-table.ts";

const keyColumns = { account: byteText(), id: byteText() };

const textColumns = {
  ...keyColumns,
  resource_type: byteText(),
  state: byteText(),
  /** Whether it is part of another one, has parts, or neither. */
  family: byteText<"alone" | "parent" | "child">(),
  /** The recommendation that it is part of; null: none. */
  parent_id: byteText().nullable(),
  verification_status: byteText().nullable(),
  variance_notes: byteText().nullable(),
  cloud_provider: byteText().nullable(),
  cloud_account_id: byteText().nullable(),
  cloud_account_name: byteText().nullable(),
  region: byteText().nullable(),
  cluster_name: byteText().nullable(),
  namespace: byteText().nullable(),
  resource_name: byteText().nullable(),
  resource_id: byteText().nullable(),
  /** Digest of the last part of the resource's identifier, in lower case; finds the rows that an identifier may refer to. */
  resource_key: byteText().nullable(),
  resource_group: byteText().nullable(),
  instance_type: byteText().nullable(),
  cs_cluster_name: byteText().nullable(),
  cs_launch_type: byteText().nullable(),
  governance_rule_name: byteText().nullable(),
  perspective_id: byteText().nullable(),
  applied_by_user_id: byteText().nullable(),
  applied_by_user_name: byteText().nullable(),
};

export type TextColumn = keyof typeof textColumns;

/** The index that lists an account's rows by a column, downwards and upwards. */
const indexBothWays = (name: string, column: string) => ({
  [`${name}_down`]: `(account, ${column} desc nulls last, id)`,
  [`${name}_up`]: `(account, ${column}, id)`,
});

/** Recommendations and their labels; keyed by account id. */
export const recommendationTables = {
  /** Times in ms since 1970, amounts per month; null: unknown. */
  platform_recommendations: defineTable({
    columns: {
      ...textColumns,
      monthly_saving: numeric().nullable(),
      monthly_cost: numeric().nullable(),
      overridden_savings: numeric().nullable(),
      /** The effective saving: the overridden one, else the computed one. */
      saving: numeric().nullable().computed("coalesce(overridden_savings, monthly_saving)"),
      applied_savings: numeric().nullable(),
      applied_ms: bigint().nullable(),
      created_ms: bigint().nullable(),
      processed_ms: bigint().nullable(),
      /** Time of the last processing, else of the creation. */
      generated_ms: bigint().nullable().computed("coalesce(processed_ms, created_ms)"),
      updated_ms: bigint().nullable(),
      /**
       * True: a call set the state, so an import does not overwrite the state and its members. The next two flags
       * mean the same for theirs.
       */
      state_set: boolean().default("false"),
      verification_set: boolean().default("false"),
      savings_set: boolean().default("false"),
      /** JSON text of the members that are only shown. Not jsonb, which refuses some valid JSON texts. */
      item: text(),
    },
    primaryKey: ["account", "id"],
    indexes: {
      ...indexBothWays("saving", "saving"),
      ...indexBothWays("cost", "monthly_cost"),
      ...indexBothWays("applied", "applied_ms"),
      ...indexBothWays("type", "resource_type"),
      resource: "(account, resource_key)",
      parts: "(account, parent_id) where parent_id is not null",
    },
  }),
  platform_recommendation_labels: defineTable({
    columns: {
      ...keyColumns,
      kind: byteText<"tag" | "cost-category">(),
      key: byteText(),
      value: byteText(),
    },
    primaryKey: ["account", "id", "kind", "key", "value"],
    indexes: { by_value: "(account, kind, key, value, id)" },
  }),
};
