import type { ColumnType } from "kysely";

/** numeric: read as an exact decimal text. Rows are written as JSON, see `writeAnomalies`. */
type Amount = ColumnType<string, never, never>;
type AmountIfKnown = ColumnType<string | null, never, never>;
/** jsonb: read as a parsed value. */
type Json<T> = ColumnType<T, never, never>;
type Text = string | null;

/** The entities of an anomaly: its place in a cluster, a cloud or an AI service. */
export interface EntityColumns {
  k8s_cluster_name: Text;
  k8s_namespace: Text;
  k8s_workload_name: Text;
  k8s_service_name: Text;
  cloud1_account: Text;
  cloud1_service: Text;
  cloud1_usage_type: Text;
  cloud2_subscription_guid: Text;
  cloud2_resource_group: Text;
  cloud2_meter_category: Text;
  cloud3_project: Text;
  cloud3_product: Text;
  cloud3_sku_description: Text;
  ai_vendor1_project_id: Text;
  ai_vendor1_model: Text;
  ai_vendor1_usage_type: Text;
  ai_vendor2_project_id: Text;
  ai_vendor2_model: Text;
  ai_vendor2_usage_type: Text;
}

/** Text columns that conditions, orders and groups may name. */
export interface TextColumns extends EntityColumns {
  id: string;
  resource_name: Text;
  criticality: Text;
  cloud_provider: string;
  view: string;
  status: string;
  perspective_id: Text;
  perspective_name: Text;
  unit_metric_name: Text;
}

export interface CostCategory {
  readonly costCategory: string;
  readonly costBucket: string | null;
}

export interface DayOfSpend {
  readonly date: number;
  readonly expectedSpend: number;
  readonly actualSpend: number;
  readonly unusualSpend: number;
}

export interface PlatformAnomaliesTable extends TextColumns {
  account: string;
  /** Milliseconds since 1970, like every time; null: not known. */
  time_ms: number | null;
  end_ms: number | null;
  ongoing: boolean;
  actual_amount: Amount;
  expected_amount: Amount;
  anomalous_spend: Amount;
  expected_cost_lower: AmountIfKnown;
  expected_cost_upper: AmountIfKnown;
  anomaly_score: AmountIfKnown;
  resource_info: Text;
  details: Text;
  comment: Text;
  status_by: Text;
  status_ms: number | null;
  /** Somebody set the status here: an import leaves it alone. */
  status_set: boolean;
  feedback: string;
  /** As `status_set`. */
  feedback_set: boolean;
  tags: Json<Record<string, string>>;
  /** At most one bucket of each category. */
  cost_categories: Json<CostCategory[]>;
  daily_breakdown: Json<DayOfSpend[]>;
  alerted_recipients: Json<string[]>;
  cost_preferences: Json<Record<string, unknown> | null>;
  allow_listed: boolean;
  /** Every text that a search looks into, folded, one to a line. */
  search: string;
}

/** Cost anomalies; keyed by account id. */
export interface AnomalyTables {
  platform_anomalies: PlatformAnomaliesTable;
}
