import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { TollgateError } from "../kernel/errors.ts";
import { checkTables } from "./damage/check-tables.ts";
import { core } from "./migrations/0001-core.ts";
import { platform } from "./migrations/0002-platform.ts";
import { recommendations } from "./migrations/0003-recommendations.ts";
import { anomaliesGovernance } from "./migrations/0004-anomalies-governance.ts";
import { unitMetrics } from "./migrations/0005-unit-metrics.ts";
import { webhooks } from "./migrations/0006-webhooks.ts";
import { flagsAndSettings } from "./migrations/0007-flags-settings.ts";
import { approvals } from "./migrations/0008-approvals.ts";
import { lifecycle } from "./migrations/0009-lifecycle.ts";
import { afterMerge } from "./migrations/0010-after-merge.ts";
import { imports } from "./migrations/0012-imports.ts";
import { projectOwners } from "./migrations/0013-project-owners.ts";
import { movedResources } from "./migrations/0014-moved-resources.ts";
import { sensitiveValues } from "./migrations/0015-sensitive-values.ts";
import { recommendationParts } from "./migrations/0016-recommendation-parts.ts";
import { changedComments } from "./migrations/0017-changed-comments.ts";
import { approvalRequests } from "./migrations/0018-approval-requests.ts";
import { commentProblems } from "./migrations/0019-comment-problems.ts";

/** Every migration, in order. In code, so that sources, a build and a test run all see the same list. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-core": core,
  "0002-platform": platform,
  "0003-recommendations": recommendations,
  "0004-anomalies-governance": anomaliesGovernance,
  "0006-webhooks": webhooks,
  "0005-unit-metrics": unitMetrics,
  "0007-flags-settings": flagsAndSettings,
  "0008-approvals": approvals,
  "0009-lifecycle": lifecycle,
  "0010-after-merge": afterMerge,
  "0012-imports": imports,
  "0013-project-owners": projectOwners,
  "0014-moved-resources": movedResources,
  "0015-sensitive-values": sensitiveValues,
  "0016-recommendation-parts": recommendationParts,
  "0017-changed-comments": changedComments,
  "0018-approval-requests": approvalRequests,
  "0019-comment-problems": commentProblems,
};

/**
 * Brings the database to the newest state. Several processes may do it at once: they take turns, each step runs once.
 *
 * @throws TollgateError `migration_failed`, `database_damaged`, `database_version`
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  await checkTables(db, new Set(Object.keys(MIGRATIONS)));
  const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
  const { error, results } = await new Migrator({
    db,
    provider,
    allowUnorderedMigrations: true, // numbers are given out per area, so one may come after a higher one was run
  }).migrateToLatest();
  if (error === undefined) return;
  if (error instanceof TollgateError) throw error;
  const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "the list";
  throw new TollgateError("migration_failed", `the database could not be brought up to date (${failed})`, {
    cause: error,
    hint: "Look at the log for the database's own message; nothing was half-applied.",
  });
}
