import type { AnomalyTables } from "./anomalies/store/tables.ts";
import type { ChangeTables } from "./changes/store/tables.ts";
import type { ExecutionTables } from "./executions/store/tables.ts";
import type { FlagTables } from "./flag-keys/store/tables.ts";
import type { GovernanceTables } from "./governance/store/tables.ts";
import type { ImportTables } from "./imports/store/tables.ts";
import type { RecommendationTables } from "./recommendations/store/tables.ts";
import type { SettingsTables } from "./settings/store/tables.ts";
import type { UnitMetricTables } from "./unit-metrics/store/tables.ts";
import type { WebhookTables } from "./webhooks/store/tables.ts";

interface AreaTables
  extends AnomalyTables,
    ChangeTables,
    ExecutionTables,
    FlagTables,
    GovernanceTables,
    ImportTables,
    RecommendationTables,
    SettingsTables,
    UnitMetricTables,
    WebhookTables {}

/** The tables of every area; rows are keyed by account id. A mapped type, because Kysely's `$extendTables` takes no interface. */
export type PlatformTables = { [Name in keyof AreaTables]: AreaTables[Name] };
