import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Settings } from "../../settings/read.ts";
import { createHealthRoutes } from "../../web/health.ts";
import { createLocalRoutes } from "../../web/local/routes.ts";
import { createWebApp } from "../../web/web-app.ts";
import { createSessionHealth } from "../health-parts.ts";
import { openInSteps } from "../open-in-steps.ts";
import { startHttpServer } from "../process/http-server.ts";
import { writeRunningFile } from "../process/running-file.ts";
import { openSession } from "../process/store-session.ts";
import { createEmbeddedPlatform, workPlatformJobs } from "./embedded.ts";
import { createThreadIngestReader } from "./ingest-in-thread.ts";

/** Runs the embedded platform without a bot. */
export async function servePlatform(
  settings: Settings,
  log: Logger,
): Promise<{ url: string; stop(): Promise<void> }> {
  return openInSteps(async (opening) => {
    const session = await openSession(settings, log);
    opening.defer(session.close);
    const { account } = settings.platform;
    const embedded = await createEmbeddedPlatform(session, settings, {
      log,
      readLargeIngest: createThreadIngestReader(),
    });
    opening.defer(embedded.close);
    await workPlatformJobs(session, embedded);
    const key = randomBytes(32).toString("base64url");
    const onError = (error: unknown) => log.error({ error }, "an answer failed");
    const app = createWebApp(onError);
    app.route("/", createHealthRoutes(createSessionHealth(session)));
    app.route("/", createLocalRoutes({ db: session.store.db, clock: session.clock, account, key, onError }));
    app.route("/", embedded.app);
    const server = await startHttpServer({
      port: settings.port,
      host: settings.host ?? undefined,
      handlers: [],
      app,
    });
    opening.defer(server.close);
    const url = `http://127.0.0.1:${server.port}`;
    if (settings.databaseUrl === null) opening.defer(writeRunningFile(settings.dataDirectory, { url, key }));
    return { url, stop: () => opening.disposeAsync() };
  });
}
