import type { contract } from "../platform/contract/registry.ts";
import { anomaliesHandlers } from "./anomalies/handlers.ts";
import type { Area } from "./area/area.ts";
import { changeHandlers } from "./executions/changes.ts";
import { costHandlers } from "./executions/costs.ts";
import { executionHandlers } from "./executions/executions.ts";
import { ingestHandlers } from "./executions/ingest.ts";
import { listingHandlers } from "./executions/listing.ts";
import { uploadHandlers } from "./executions/uploads.ts";
import { flagKeysHandlers } from "./flag-keys/handlers.ts";
import { governanceHandlers } from "./governance/handlers.ts";
import { importHandlers } from "./imports/handlers.ts";
import { recommendationsHandlers } from "./recommendations/handlers.ts";
import { settingsHandlers } from "./settings/handlers.ts";
import { unitMetricsHandlers } from "./unit-metrics/handlers.ts";
import { codeWebhooksHandlers } from "./webhooks/code/code-handlers.ts";
import { emitHandlers } from "./webhooks/emit-handler.ts";
import { registryWebhooksHandlers } from "./webhooks/registry/registry-handlers.ts";

/** An answer to every endpoint of the contract. */
export const handlers: Area<typeof contract> = {
  ...flagKeysHandlers,
  ...registryWebhooksHandlers,
  ...codeWebhooksHandlers,
  ...governanceHandlers,
  ...recommendationsHandlers,
  ...anomaliesHandlers,
  ...unitMetricsHandlers,
  ...settingsHandlers,
  ...executionHandlers,
  ...uploadHandlers,
  ...changeHandlers,
  ...costHandlers,
  ...listingHandlers,
  ...ingestHandlers,
  ...importHandlers,
  ...emitHandlers,
};
