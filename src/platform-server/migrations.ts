import type { MigrationList } from "../store/migrations/migration-list.ts";
import { anomaliesMigrations } from "./anomalies/store/migrations.ts";
import { changesMigrations } from "./changes/store/migrations.ts";
import { executionsMigrations } from "./executions/store/migrations.ts";
import { flagKeysMigrations } from "./flag-keys/store/migrations.ts";
import { governanceMigrations } from "./governance/store/migrations.ts";
import { importsMigrations } from "./imports/store/migrations.ts";
import { recommendationsMigrations } from "./recommendations/store/migrations.ts";
import { settingsMigrations } from "./settings/store/migrations.ts";
import { unitMetricsMigrations } from "./unit-metrics/store/migrations.ts";
import { webhooksMigrations } from "./webhooks/store/migrations.ts";

/** The migrations of every area. */
export const platformMigrations: readonly MigrationList[] = [
  anomaliesMigrations,
  changesMigrations,
  executionsMigrations,
  flagKeysMigrations,
  governanceMigrations,
  importsMigrations,
  recommendationsMigrations,
  settingsMigrations,
  unitMetricsMigrations,
  webhooksMigrations,
];
