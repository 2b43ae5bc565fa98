import type { contract } from "../platform/contract/registry.ts";
import { anomaliesHandlers } from "./anomalies/handlers.ts";
import type { Area } from "./area/area.ts";
import { createReadHandlers, type SnapshotIndexes } from "./changes/read.ts";
import { createUploadHandlers } from "./changes/upload.ts";
import { costHandlers } from "./executions/costs.ts";
import { executionHandlers } from "./executions/handlers.ts";
import { bindingHandlers } from "./executions/ingest.ts";
import { flagKeysHandlers } from "./flag-keys/handlers.ts";
import { governanceHandlers } from "./governance/handlers.ts";
import { importHandlers } from "./imports/handlers.ts";
import { recommendationsHandlers } from "./recommendations/handlers.ts";
import { settingsHandlers } from "./settings/handlers.ts";
import { unitMetricsHandlers } from "./unit-metrics/handlers.ts";
import { codeWebhooksHandlers } from "./webhooks/code-handlers.ts";
import { emitHandlers } from "./webhooks/emit.ts";
import { registryWebhooksHandlers } from "./webhooks/registry-handlers.ts";

/** Creates a handler for every endpoint of the contract but `ingest`. `indexes`: of the recently requested resource changes. */
export const createHandlers = (indexes: SnapshotIndexes): Area<Omit<typeof contract, "ingest">> => ({
  ...flagKeysHandlers,
  ...registryWebhooksHandlers,
  ...codeWebhooksHandlers,
  ...governanceHandlers,
  ...recommendationsHandlers,
  ...anomaliesHandlers,
  ...unitMetricsHandlers,
  ...settingsHandlers,
  ...executionHandlers,
  ...createUploadHandlers(indexes),
  ...createReadHandlers(indexes),
  ...costHandlers,
  ...bindingHandlers,
  ...importHandlers,
  ...emitHandlers,
});
