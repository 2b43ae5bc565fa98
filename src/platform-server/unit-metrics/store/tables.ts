import type { ColumnType } from "kysely";

/** jsonb of texts by key: read as a parsed value, written as JSON text. */
type Texts = ColumnType<Readonly<Record<string, string>>, string, string>;

/** The key of a metric, with the account first: two accounts may use the same identifiers. */
export interface MetricKey {
  readonly account: string;
  readonly metric_identifier: string;
}

export interface UnitMetricsTable extends MetricKey {
  metric_name: string;
  /** The folded name, for searching and sorting. */
  folded_name: string;
  description: string | null;
  /** JSON object of texts. */
  labels: string;
  default_aggregation: "AVG" | "MIN" | "MAX" | "SUM";
  handle_empty_value: "LEAVE_BLANK" | "PREVIOUS_VALUE" | "ZERO";
  type: "MANUAL" | "DERIVED";
  /** Null unless the metric is derived; so are the next two. */
  data_source: "BILLING" | "LLM_TRACES" | null;
  field_id: string | null;
  column_aggregation: "SUM" | "COUNT" | "COUNT_DISTINCT" | "AVG" | "MIN" | "MAX" | null;
  /** Milliseconds since 1970. */
  created_ms: number;
  /** Time of the last change of the metric or its records, ms since 1970. */
  updated_ms: number;
}

export interface UnitMetricRecordsTable extends MetricKey {
  /** Milliseconds since 1970. */
  at_ms: number;
  /** An exact decimal, as text. */
  value: string;
}

/** One billing row. A column is null where the row has no value for it. */
export interface BillingRowsTable {
  account: string;
  row_id: string;
  /** Start of usage, ms since 1970. */
  start_ms: number;
  /** An exact decimal as text, in the row's currency; negative for a credit. */
  cost: string;
  currency: string;
  /** A value of the contract: `CLOUD_1`. */
  cloud_provider: string;
  cloud_account: string | null;
  region: string | null;
  product: string | null;
  usage_type: string | null;
  instance_type: string | null;
  resource: string | null;
  resource_group: string | null;
  cluster_name: string | null;
  namespace: string | null;
  workload_name: string | null;
  usage_amount: string | null;
  labels: Texts;
  cost_categories: Texts;
}

export interface PerspectivesTable {
  account: string;
  perspective_id: string;
  name: string;
  /** JSON array of rules as they were imported. */
  rules: string;
}

/** References of perspectives to unit metrics; the metric itself may not exist. */
export interface PerspectiveMetricsTable extends MetricKey {
  perspective_id: string;
}

export interface UnitMetricTables {
  platform_unit_metrics: UnitMetricsTable;
  platform_unit_metric_records: UnitMetricRecordsTable;
  platform_billing_rows: BillingRowsTable;
  platform_perspectives: PerspectivesTable;
  platform_perspective_metrics: PerspectiveMetricsTable;
}
