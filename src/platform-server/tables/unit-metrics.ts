import type { Selectable } from "kysely";
import { bigint, defineTable, jsonb, numeric, text } from "../../store/tables/define-table.ts";

const metricColumns = { account: text(), metric_identifier: text() };

/** The key of a metric, with the account first: two accounts may use the same identifiers. */
export type MetricKey = Readonly<Selectable<typeof metricColumns>>;

/** Unit metrics, the billing rows that derived ones are computed from, and perspectives over those rows. */
export const unitMetricTables = {
  platform_unit_metrics: defineTable({
    columns: {
      ...metricColumns,
      metric_name: text(),
      /** The folded name, for searching and sorting. */
      folded_name: text(),
      description: text().nullable(),
      /** JSON object of texts. */
      labels: text(),
      default_aggregation: text<"AVG" | "MIN" | "MAX" | "SUM">(),
      handle_empty_value: text<"LEAVE_BLANK" | "PREVIOUS_VALUE" | "ZERO">(),
      type: text<"MANUAL" | "DERIVED">(),
      /** Null unless the metric is derived; so are the next two. */
      data_source: text<"BILLING" | "LLM_TRACES">().nullable(),
      field_id: text().nullable(),
      column_aggregation: text<"SUM" | "COUNT" | "COUNT_DISTINCT" | "AVG" | "MIN" | "MAX">().nullable(),
      created_ms: bigint(),
      /** Time of the last change of the metric or its records, ms since 1970. */
      updated_ms: bigint(),
    },
    primaryKey: ["account", "metric_identifier"],
  }),
  platform_unit_metric_records: defineTable({
    columns: {
      ...metricColumns,
      at_ms: bigint(),
      value: numeric(),
    },
    primaryKey: ["account", "metric_identifier", "at_ms"],
  }),
  /** One billing row. A column is null where the row has no value for it. */
  platform_billing_rows: defineTable({
    columns: {
      account: text(),
      row_id: text(),
      start_ms: bigint(),
      /** In the row's currency; negative for a credit. */
      cost: numeric(),
      currency: text(),
      /** A value of the contract: `CLOUD_1`. */
      cloud_provider: text(),
      cloud_account: text().nullable(),
      region: text().nullable(),
      product: text().nullable(),
      usage_type: text().nullable(),
      instance_type: text().nullable(),
      resource: text().nullable(),
      resource_group: text().nullable(),
      cluster_name: text().nullable(),
      namespace: text().nullable(),
      workload_name: text().nullable(),
      usage_amount: numeric().nullable(),
      labels: jsonb<Readonly<Record<string, string>>>(),
      cost_categories: jsonb<Readonly<Record<string, string>>>(),
    },
    primaryKey: ["account", "row_id"],
    indexes: { by_time: "(account, start_ms)" },
  }),
  platform_perspectives: defineTable({
    columns: {
      account: text(),
      perspective_id: text(),
      name: text(),
      /** JSON array of rules as they were imported. */
      rules: text(),
    },
    primaryKey: ["account", "perspective_id"],
  }),
  /** References of perspectives to unit metrics; the metric itself may not exist. */
  platform_perspective_metrics: defineTable({
    columns: { ...metricColumns, perspective_id: text() },
    primaryKey: ["account", "metric_identifier", "perspective_id"],
    indexes: { of: "(account, perspective_id)" },
  }),
};
