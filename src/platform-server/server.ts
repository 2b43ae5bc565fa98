import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { BodyMemory } from "../kernel/body-memory.ts";
import { contract } from "../platform/contract/registry.ts";
import type { DialectName } from "../platform/contract/wire/dialect.ts";
import type { Deps } from "./area/area.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "./area/webhook-settings.ts";
import { createSnapshotIndexes } from "./changes/read.ts";
import { createIngestReader, endStage, type LargeIngestReader } from "./executions/ingest.ts";
import { createHandlers } from "./handlers.ts";
import { answer, type PlatformServerDeps } from "./http/answer.ts";
import { type AnyHandler, createRoutes, findServicePath } from "./http/routes.ts";
import { OPERATION_RIGHTS } from "./rights.ts";
import type { Db } from "./tables/tables.ts";

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
      bodies: new BodyMemory(options.bodyMemory ?? BODY_MEMORY),
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
