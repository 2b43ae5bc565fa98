import type { TablesOf } from "../store/tables/define-table.ts";
import { anomalyTables } from "./anomalies/store/tables.ts";
import { changeTables } from "./changes/store/tables.ts";
import { executionTables } from "./executions/store/tables.ts";
import { flagTables } from "./flag-keys/store/keys.ts";
import { governanceTables } from "./governance/store/prompts.ts";
import { importTables } from "./imports/store/uploads.ts";
import { recommendationTables } from "./recommendations/store/tables.ts";
import { settingsTables } from "./settings/store/tables.ts";
import { unitMetricTables } from "./unit-metrics/store/tables.ts";
import { webhookTables } from "./webhooks/store/tables.ts";

/** The tables of every area; rows are keyed by account id. */
export const platformTables = {
  ...anomalyTables,
  ...changeTables,
  ...executionTables,
  ...flagTables,
  ...governanceTables,
  ...importTables,
  ...recommendationTables,
  ...settingsTables,
  ...unitMetricTables,
  ...webhookTables,
};

export type PlatformTables = TablesOf<typeof platformTables>;
