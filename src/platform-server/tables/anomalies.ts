import type { z } from "zod";
import type { DailyBreakdown, EntityMember } from "../../platform/contract/anomalies.ts";
import { bigint, boolean, defineTable, jsonb, numeric, text } from "../../store/tables/define-table.ts";

interface CostCategory {
  readonly costCategory: string;
  readonly costBucket: string | null;
}

/** Cost anomalies; keyed by account id. */
export const anomalyTables = {
  platform_anomalies: defineTable({
    columns: {
      account: text(),
      id: text(),
      /** Milliseconds since 1970, like every time; null: not known. */
      time_ms: bigint().nullable(),
      end_ms: bigint().nullable(),
      ongoing: boolean(),
      actual_amount: numeric(),
      expected_amount: numeric(),
      /** Null: what was spent beyond what was expected. */
      stated_spend: numeric().nullable(),
      anomalous_spend: numeric().computed("coalesce(stated_spend, actual_amount - expected_amount)"),
      expected_cost_lower: numeric().nullable(),
      expected_cost_upper: numeric().nullable(),
      anomaly_score: numeric().nullable(),
      resource_name: text().nullable(),
      resource_info: text().nullable(),
      details: text().nullable(),
      comment: text().nullable(),
      criticality: text().nullable(),
      cloud_provider: text(),
      view: text(),
      status: text(),
      status_by: text().nullable(),
      status_ms: bigint().nullable(),
      /** Somebody set the status here: an import leaves it alone. */
      status_set: boolean().default("false"),
      feedback: text(),
      /** As `status_set`. */
      feedback_set: boolean().default("false"),
      perspective_id: text().nullable(),
      perspective_name: text().nullable(),
      unit_metric_name: text().nullable(),
      /** Its place in a cluster, a cloud or an AI service. */
      entity: jsonb<Partial<Record<EntityMember, string | null | undefined>>>(),
      tags: jsonb<Record<string, string>>(),
      /** At most one bucket of each category. */
      cost_categories: jsonb<CostCategory[]>(),
      daily_breakdown: jsonb<z.output<typeof DailyBreakdown>[]>(),
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
