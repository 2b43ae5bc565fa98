import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { createBodyMemory } from "../kernel/body-memory.ts";
import { anomalies } from "../platform/contract/anomalies.ts";
import { codeWebhooks } from "../platform/contract/code-webhooks.ts";
import { costChanges } from "../platform/contract/cost-changes.ts";
import { executions } from "../platform/contract/executions.ts";
import { flagKeys } from "../platform/contract/flag-keys.ts";
import { governance } from "../platform/contract/governance.ts";
import { ownOperations } from "../platform/contract/own-operations.ts";
import { recommendations } from "../platform/contract/recommendations.ts";
import { contract } from "../platform/contract/registry.ts";
import { registryWebhooks } from "../platform/contract/registry-webhooks.ts";
import { resourceChanges } from "../platform/contract/resource-changes.ts";
import { settings } from "../platform/contract/settings.ts";
import { unitMetrics } from "../platform/contract/unit-metrics.ts";
import type { DialectName } from "../platform/contract/wire/translate.ts";
import type { Right } from "../store/rights.ts";
import { anomaliesHandlers } from "./anomalies/handlers.ts";
import type { Area, Deps } from "./area/area.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "./area/webhook-settings.ts";
import { createReadHandlers, createSnapshotIndexes, type SnapshotIndexes } from "./changes/read.ts";
import { createUploadHandlers } from "./changes/upload.ts";
import { costHandlers } from "./executions/costs.ts";
import { executionHandlers } from "./executions/handlers.ts";
import {
  bindingHandlers,
  createIngestReader,
  endStage,
  type LargeIngestReader,
} from "./executions/ingest.ts";
import { flagKeysHandlers } from "./flag-keys/handlers.ts";
import { governanceHandlers } from "./governance/handlers.ts";
import { answer, type PlatformServerDeps } from "./http/answer.ts";
import { type AnyHandler, createRoutes, findServicePath } from "./http/routes.ts";
import { importHandlers } from "./imports/handlers.ts";
import { recommendationsHandlers } from "./recommendations/handlers.ts";
import { settingsHandlers } from "./settings/handlers.ts";
import type { Db } from "./tables/tables.ts";
import { unitMetricsHandlers } from "./unit-metrics/handlers.ts";
import { codeWebhooksHandlers } from "./webhooks/code-handlers.ts";
import { emitHandlers } from "./webhooks/emit.ts";
import { registryWebhooksHandlers } from "./webhooks/registry-handlers.ts";

const BODY_MEMORY = 256 * 1024 * 1024;

export interface PlatformServerOptions extends Pick<Deps, "clock" | "onIngest" | "onUnbind" | "enqueue"> {
  readonly store: { readonly db: Db };
  /** Dialect of the answers; requests may use any dialect. Absent: `neutral`. */
  readonly dialect?: DialectName;
  /** Memory for all large bodies that are being read, in bytes. Absent: 256 MiB. */
  readonly bodyMemory?: number;
  /** Reads large bodies of the ingestion without blocking the event loop; absent: they are read like all others. */
  readonly readLargeIngest?: LargeIngestReader;
  /** Absent: public targets only, and no stored secrets. */
  readonly webhooks?: WebhookSettings;
  /** Receives failures that the caller sees only as 500. */
  onError(error: unknown): void;
}

/** Whether a path belongs to the platform, for a server with other pages. `pathname` has no query. */
export const isPlatformPath = (pathname: string): boolean => findServicePath(pathname) !== null;

/** Creates the embedded platform: every endpoint of the contract, backed by the store. Mount its `fetch` for the paths of `isPlatformPath`. */
export function createPlatformServer(options: PlatformServerOptions): Hono {
  const { store, clock, onIngest, onUnbind, enqueue, onError } = options;
  // Each handler takes what is read for its own endpoint; the compiler cannot follow that through a table.
  const handlers = {
    ...createHandlers(createSnapshotIndexes(store.db)),
    ingest: endStage,
  } as unknown as Readonly<Record<string, AnyHandler>>;
  const server: PlatformServerDeps = {
    deps: {
      db: store.db,
      clock,
      onIngest,
      onUnbind,
      enqueue,
      webhooks: options.webhooks ?? STRICT_WEBHOOKS,
      dialect: options.dialect ?? "neutral",
      bodies: createBodyMemory(options.bodyMemory ?? BODY_MEMORY),
    },
    routes: createRoutes(contract, handlers, OPERATION_RIGHTS, {
      ingest: createIngestReader(options.readLargeIngest),
    }),
    newId: randomUUID,
    onError,
  };
  const app = new Hono();
  app.all("*", (c) => answer(server, c.req.raw));
  return app;
}

/** Creates a handler for every endpoint of the contract but `ingest`. `indexes`: of the recently requested resource changes. */
const createHandlers = (indexes: SnapshotIndexes): Area<Omit<typeof contract, "ingest">> => ({
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

const list = <Name extends string>(right: Right, operations: Readonly<Record<Name, unknown>>) =>
  // The keys are those of the operations.
  Object.fromEntries(Object.keys(operations).map((name) => [name, right])) as Record<Name, Right>;

/** The right that each operation needs; a later row replaces an earlier one. The compiler demands a row for each operation. */
const OPERATION_RIGHTS = {
  ...list("account", { ...registryWebhooks, ...codeWebhooks, ...ownOperations }),
  ...list("account", { ...governance, ...recommendations, ...anomalies, ...unitMetrics }),
  ...list("project", { ...flagKeys, ...settings, ...executions, ...resourceChanges, ...costChanges }),
  getPushDisabled: "import",
  createExecution: "import",
  recordAuditEvent: "import",
  uploadChangePage: "import",
  uploadChangeCounts: "import",
  ingest: "import",
} satisfies Readonly<Record<keyof typeof contract, Right>>;
