import { bigint, defineTable, text } from "../../store/tables/define-table.ts";

/** The governance engine's results and prompts; keyed by account id. */
export const governanceTables = {
  /** One evaluation of a governance rule. */
  platform_evaluations: defineTable({
    columns: {
      account: text(),
      id: text(),
      /** Milliseconds since 1970. */
      time_ms: bigint(),
      cloud_provider: text(),
      status: text(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_time: "(account, time_ms)" },
  }),
  /** A resource type for which rules can be generated, with or without a sample rule. */
  platform_prompts: defineTable({
    columns: {
      account: text(),
      id: text(),
      cloud_provider: text(),
      resource_type: text(),
      description: text().nullable(),
      rule_yaml: text().nullable(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_type: "(account, cloud_provider, resource_type)" },
  }),
};
