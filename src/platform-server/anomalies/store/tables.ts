import {
  bigint,
  boolean,
  defineTable,
  jsonb,
  numeric,
  type TablesOf,
  text,
} from "../../../store/tables/define-table.ts";

/** Text columns that conditions, orders and groups may name; the first ones are the entities of an anomaly: its place in a cluster, a cloud or an AI service. */
const textColumns = {
  k8s_cluster_name: text().nullable(),
  k8s_namespace: text().nullable(),
  k8s_workload_name: text().nullable(),
  k8s_service_name: text().nullable(),
  cloud1_account: text().nullable(),
  cloud1_service: text().nullable(),
  cloud1_usage_type: text().nullable(),
  cloud2_subscription_guid: text().nullable(),
  cloud2_resource_group: text().nullable(),
  cloud2_meter_category: text().nullable(),
  cloud3_project: text().nullable(),
  cloud3_product: text().nullable(),
  cloud3_sku_description: text().nullable(),
  ai_vendor1_project_id: text().nullable(),
  ai_vendor1_model: text().nullable(),
  ai_vendor1_usage_type: text().nullable(),
  ai_vendor2_project_id: text().nullable(),
  ai_vendor2_model: text().nullable(),
  ai_vendor2_usage_type: text().nullable(),
  id: text(),
  resource_name: text().nullable(),
  criticality: text().nullable(),
  cloud_provider: text(),
  view: text(),
  status: text(),
  perspective_id: text().nullable(),
  perspective_name: text().nullable(),
  unit_metric_name: text().nullable(),
};

export type TextColumn = keyof typeof textColumns;

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

/** Cost anomalies; keyed by account id. Rows are written as JSON, see `writeAnomalies`. */
export const anomalyTables = {
  platform_anomalies: defineTable({
    columns: {
      account: text(),
      ...textColumns,
      /** Milliseconds since 1970, like every time; null: not known. */
      time_ms: bigint().nullable(),
      end_ms: bigint().nullable(),
      ongoing: boolean(),
      actual_amount: numeric(),
      expected_amount: numeric(),
      anomalous_spend: numeric(),
      expected_cost_lower: numeric().nullable(),
      expected_cost_upper: numeric().nullable(),
      anomaly_score: numeric().nullable(),
      resource_info: text().nullable(),
      details: text().nullable(),
      comment: text().nullable(),
      status_by: text().nullable(),
      status_ms: bigint().nullable(),
      /** Somebody set the status here: an import leaves it alone. */
      status_set: boolean(),
      feedback: text(),
      /** As `status_set`. */
      feedback_set: boolean(),
      tags: jsonb<Record<string, string>>(),
      /** At most one bucket of each category. */
      cost_categories: jsonb<CostCategory[]>(),
      daily_breakdown: jsonb<DayOfSpend[]>(),
      alerted_recipients: jsonb<string[]>(),
      cost_preferences: jsonb<Record<string, unknown>>().nullable(),
      allow_listed: boolean(),
      /** Every text that a search looks into, folded, one to a line. */
      search: text(),
    },
    primaryKey: ["account", "id"],
    // In the order of a list that asks for none.
    indexes: { by_time: '(account, time_ms desc nulls last, id collate "C")' },
  }),
};

export type AnomalyTables = TablesOf<typeof anomalyTables>;
