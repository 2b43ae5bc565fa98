import { Hono } from "hono";
import type { Logger } from "pino";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { openApiDocument } from "../../platform/openapi/document.ts";
import type { IngestedCommit } from "../../platform-server/area/deps.ts";
import type { LargeIngestReader } from "../../platform-server/executions/read-ingest.ts";
import { tidyImports } from "../../platform-server/imports/move-rows.ts";
import { createPlatformServer } from "../../platform-server/server.ts";
import { setPushDisabled } from "../../platform-server/settings/store/push-disabled.ts";
import { deliverWebhook } from "../../platform-server/webhooks/delivery/deliver.ts";
import { enqueueLane } from "../../queue/queue.ts";
import type { Settings } from "../../settings/settings.ts";
import { addBinding, type BoundExecution, removeBinding } from "../../store/bindings.ts";
import { listOpenCommitPulls } from "../../store/pulls.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import { createToken, INTERNAL_CREATOR, revokeToken } from "../../store/tokens.ts";
import { type HttpServer, startHttpServer } from "../process/http-server.ts";
import type { StoreSession } from "../process/store-session.ts";
import { createThreadIngestReader } from "./ingest-in-thread.ts";
import { buildWebhookSettings } from "./webhooks.ts";

/** The embedded platform, with a private loopback address for the bot's own reads. */
export interface EmbeddedPlatform {
  /** Routes for the public server. */
  readonly app: Hono;
  readonly url: string;
  /** Token for the whole account; valid as long as this process. */
  readonly token: string;
  /** Makes one webhook delivery that an event enqueued. */
  deliverWebhook(delivery: { readonly account: string; readonly deliveryId: number }): Promise<void>;
  close(): Promise<void>;
}

/** The embedded platform without an address: its routes, and what a process needs to use it. */
export type EmbeddedApp = Pick<EmbeddedPlatform, "app" | "token" | "deliverWebhook" | "close">;

/**
 * Starts the embedded platform on the bot's database. Ingested data enqueues the lanes of its pull
 * requests.
 */
export async function startEmbeddedPlatform(
  session: StoreSession,
  settings: EmbeddedSettings,
  log: Logger,
): Promise<EmbeddedPlatform> {
  const embedded = await createEmbeddedApp(session, settings, {
    log,
    readLargeIngest: createThreadIngestReader(),
  });
  const { app } = embedded;
  const server: HttpServer = await startHttpServer({ port: 0, host: "127.0.0.1", handlers: [], app });
  return {
    ...embedded,
    url: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await embedded.close();
      await server.close();
    },
  };
}

type EmbeddedSettings = Pick<Settings, "platform" | "operator" | "encryptionKey">;

/** Creates the embedded platform's routes; nothing listens. `readLargeIngest`: see `PlatformServerOptions`. */
export async function createEmbeddedApp(
  session: StoreSession,
  settings: EmbeddedSettings,
  { log, readLargeIngest }: { readonly log: Logger; readonly readLargeIngest?: LargeIngestReader },
): Promise<EmbeddedApp> {
  const { store, clock, queue } = session;
  const { account } = settings.platform;
  const dialect = settings.platform.dialect ?? "neutral";
  const webhooks = buildWebhookSettings(settings);
  await tidyImports(store.db, clock).catch((error: unknown) =>
    log.error({ error }, "an interrupted import could not be ended"),
  );
  const { push_disabled } = settings.operator;
  if (push_disabled !== undefined) await setPushDisabled(store.db, account, push_disabled);
  const platform = createPlatformServer({
    store,
    clock,
    onIngest: async (commit) => {
      const now = new Date(clock.now());
      await changeBindings(session, { account, commit }, (execution) =>
        addBinding(store.db, { ...execution, source: "audit" }, now),
      );
    },
    onUnbind: async (commit) => {
      const removed = await changeBindings(session, { account, commit }, (execution) =>
        removeBinding(store.db, execution),
      );
      return removed.includes(true);
    },
    enqueue: (job) => queue.enqueuePlatformJob(job),
    webhooks,
    dialect,
    ...(readLargeIngest && { readLargeIngest }),
    onError: (error) => log.error({ error }, "the embedded platform failed"),
  });
  const app = new Hono();
  app.route("/", createDocumentRoute(dialect));
  app.all("*", ({ req }) => platform.fetch(req.raw));
  const grant = { purpose: "api", account } as const;
  const token = await createToken(store.db, grant, clock, { createdBy: INTERNAL_CREATOR });
  return {
    app,
    token: token.secret,
    deliverWebhook: (delivery) => deliverWebhook({ db: store.db, clock, webhooks, dialect }, delivery),
    close: async () => {
      await revokeToken(store.db, token.id, clock);
    },
  };
}

/**
 * `GET /tollgate/v1/openapi.json` describes the platform's operations in the dialect of its answers. It has no customer data, so it needs
 * no token. It takes 0.1 s to make, once.
 */
function createDocumentRoute(dialect: DialectName): Hono {
  let json: string | null = null;
  const headers = {
    "content-type": "application/json",
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  return new Hono().get("/tollgate/v1/openapi.json", () => {
    json ??= JSON.stringify(openApiDocument(dialect));
    return new Response(json, { headers });
  });
}

/**
 * Changes the bindings of an execution to every open pull request with this head, and enqueues their lanes. A test-merge commit changes
 * whenever the base branch moves, so its data is bound to the head at once. The bot reads its own account only: another account's execution
 * of the same ids is another execution.
 */
async function changeBindings<T>(
  session: StoreSession,
  { account, commit }: { readonly account: string; readonly commit: IngestedCommit },
  change: (execution: BoundExecution) => Promise<T>,
): Promise<readonly T[]> {
  const { store, queue, clock, laneSpacingMs } = session;
  const { org, project, executionId: pipeline_execution_id } = commit;
  const repositoryId =
    commit.repositoryId ?? (await findRepositoryByName(store.db, commit.repository))?.repository_id;
  if (repositoryId === undefined || commit.account !== account) return [];
  const changed: T[] = [];
  for (const { head_sha, number } of await listOpenCommitPulls(store.db, repositoryId, commit.sha)) {
    changed.push(
      await change({ repository_id: repositoryId, head_sha, org, project, pipeline_execution_id }),
    );
    await enqueueLane({ db: store.db, queue, clock, laneSpacingMs }, { kind: "pull", repositoryId, number });
  }
  return changed;
}
