import type { ColumnType } from "kysely";

/** jsonb of texts by key: read as a parsed value, written as JSON text. */
type Texts = ColumnType<Readonly<Record<string, string>>, string, string>;

/** Account first: two accounts may use the same identifiers. */
export interface MetricKey {
  readonly account: string;
  readonly metric_identifier: string;
}

export interface UnitMetricsTable extends MetricKey {
  metric_name: string;
  /** The name as it is searched and sorted. */
  folded_name: string;
  description: string | null;
  /** JSON object of texts. */
  labels: string;
  default_aggregation: "AVG" | "MIN" | "MAX" | "SUM";
  handle_empty_value: "LEAVE_BLANK" | "PREVIOUS_VALUE" | "ZERO";
  type: "MANUAL" | "DERIVED";
  /** Null unless derived; so are the next two. */
  data_source: "BILLING" | "LLM_TRACES" | null;
  field_id: string | null;
  column_aggregation: "SUM" | "COUNT" | "COUNT_DISTINCT" | "AVG" | "MIN" | "MAX" | null;
  /** Milliseconds since 1970. */
  created_ms: number;
  /** When it or its records were last changed. */
  updated_ms: number;
}

export interface UnitMetricRecordsTable extends MetricKey {
  /** Milliseconds since 1970. */
  at_ms: number;
  /** An exact decimal, as text. */
  value: string;
}

/** One row of a bill. A column is null where the row has no such thing. */
export interface BillingRowsTable {
  account: string;
  row_id: string;
  /** When the usage began, milliseconds since 1970. */
  start_ms: number;
  /** An exact decimal, as text; negative for a credit. */
  cost: string;
  currency: string;
  /** In the contract's words: `CLOUD_1`. */
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

/** Which perspectives refer to a unit metric; the metric itself may not exist. */
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
