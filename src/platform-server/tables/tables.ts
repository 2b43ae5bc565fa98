import type { Kysely, Selectable } from "kysely";
import type { TablesOf } from "../../store/tables/define-table.ts";
import type { Tables as BotTables } from "../../store/tables/tables.ts";
import { anomalyTables } from "./anomalies.ts";
import { changeTables } from "./changes.ts";
import { executionTables } from "./executions.ts";
import { flagTables } from "./flag-keys.ts";
import { governanceTables } from "./governance.ts";
import { importTables } from "./imports.ts";
import { recommendationTables } from "./recommendations.ts";
import { settingsTables } from "./settings.ts";
import { unitMetricTables } from "./unit-metrics.ts";
import { webhookTables } from "./webhooks.ts";

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

/** The tables of the bot and of the embedded platform. */
export type AllTables = BotTables & PlatformTables;
export type Db = Kysely<AllTables>;

/** A row as it is read. */
export type Row<Table extends keyof PlatformTables> = Selectable<PlatformTables[Table]>;
