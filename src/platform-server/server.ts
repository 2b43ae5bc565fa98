import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { BodyMemory, type BodyMemoryLimits } from "../kernel/body-memory.ts";
import { type Clock, DAY_MS } from "../kernel/clock.ts";
import { contract } from "../platform/contract/registry.ts";
import type { DialectName } from "../platform/contract/wire/dialect.ts";
import type { Store } from "../store/open.ts";
import type { Tables } from "../store/tables/tables.ts";
import type { Deps, IngestedCommit } from "./area/deps.ts";
import type { PlatformJob } from "./area/platform-job.ts";
import { createSnapshotIndexes } from "./changes/read.ts";
import { createIngestReader, type LargeIngestReader } from "./executions/ingest.ts";
import { createHandlers } from "./handlers.ts";
import { answer, type PlatformServerDeps } from "./http/answer.ts";
import { findServicePath } from "./http/read-input.ts";
import { type AnyHandler, createRoutes } from "./http/routes.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "./outbound/webhook-settings.ts";
import { OPERATION_RIGHTS } from "./rights.ts";
import type { PlatformTables } from "./tables.ts";

const KIB = 1024;
const BODY_MEMORY: BodyMemoryLimits = { large: 256 * KIB * KIB, small: 16 * KIB * KIB, smallBody: 128 * KIB };

export interface PlatformServerOptions {
  readonly store: Pick<Store<Tables & PlatformTables>, "db">;
  readonly clock: Clock;
  /**
   * Time after the commit of a snapshot during which its attribute data is readable, in ms; absent: 30 days.
   */
  readonly detailRetentionMs?: number;
  /** Dialect of the answers; requests may use any dialect. Absent: `neutral`. */
  readonly dialect?: DialectName;
  /** Returns the id of a call for its answer; absent: random ids. */
  readonly newId?: () => string;
  /**
   * Called after an execution was bound to a commit, or after a bound one ended. If it fails, the caller
   * receives a 500 and may retry.
   */
  onIngest(commit: IngestedCommit): Promise<void>;
  /** As `Deps` has it. */
  readonly onUnbind: Deps<PlatformTables>["onUnbind"];
  enqueue(job: PlatformJob): Promise<void>;
  /**
   * Limits of the memory of all bodies that are being read; each token may use half of it. Absent: 256 MiB,
   * and 16 MiB for small bodies.
   */
  readonly bodyMemory?: BodyMemoryLimits;
  /** Reads large bodies of the ingestion without blocking the event loop; absent: they are read like all others. */
  readonly readLargeIngest?: LargeIngestReader;
  /** Absent: public targets only, and no stored secrets. */
  readonly webhooks?: WebhookSettings;
  /** Receives failures that the caller sees only as 500. */
  onError(error: unknown): void;
}

/** Whether a path belongs to the platform, for a server with other pages. `pathname` has no query. */
export const isPlatformPath = (pathname: string): boolean => findServicePath(pathname) !== null;

/**
 * Creates the embedded platform: every endpoint of the contract, backed by the store. Mount its `fetch` for
 * the paths of `isPlatformPath`.
 */
export function createPlatformServer(options: PlatformServerOptions): Hono {
  const { store, clock, onIngest, onUnbind, enqueue, onError } = options;
  const deps: Deps<Tables & PlatformTables> = {
    db: store.db,
    clock,
    onIngest,
    onUnbind,
    enqueue,
    webhooks: options.webhooks ?? STRICT_WEBHOOKS,
    dialect: options.dialect ?? "neutral",
    bodies: new BodyMemory(options.bodyMemory ?? BODY_MEMORY),
    detailRetentionMs: options.detailRetentionMs ?? 30 * DAY_MS,
  };
  const server: PlatformServerDeps = {
    deps,
    // Each handler takes what `readRequest` makes of its own endpoint; the compiler cannot follow that through a table.
    routes: createRoutes(
      contract,
      createHandlers(createSnapshotIndexes(store.db)) as Readonly<Record<string, AnyHandler>>,
      OPERATION_RIGHTS,
      { ingest: createIngestReader(options.readLargeIngest) },
    ),
    newId: options.newId ?? randomUUID,
    onError,
  };
  const app = new Hono();
  app.all("*", (c) => answer(server, c.req.raw));
  return app;
}
