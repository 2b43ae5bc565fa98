import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { Logger } from "pino";
import type { JobDeps, PolicyTasks } from "../evaluate/run/deps.ts";
import { githubPagesUrl } from "../github/client/api-addresses.ts";
import { createReceiver } from "../github/webhooks/receiver.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { isPlatformPath } from "../platform-server/server.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { createRenderer } from "../render/renderer.ts";
import type { GitHubCredentials, Settings } from "../settings/settings.ts";
import { savePull } from "../store/pulls.ts";
import { sweep } from "../sweep/sweep.ts";
import { healthRoute } from "../web/health.ts";
import { localRoutes } from "../web/local/routes.ts";
import { notificationRoute } from "../web/notification.ts";
import { POLICY_PAGE, policyPage } from "../web/policy-page.ts";
import { webApp } from "../web/web-app.ts";
import { startPolicyTasks } from "./evaluation/policy-tasks.ts";
import { type ConnectedGitHub, connectGitHub } from "./github.ts";
import { ClientAddresses } from "./http/client-addresses.ts";
import { deliveryDeps, type JobsRunning, startJobs } from "./jobs.ts";
import { startMaintenance } from "./maintenance.ts";
import { ownAddress, ownUrls } from "./own-addresses.ts";
import { type ConnectedPlatform, connectPlatform } from "./platform/connect.ts";
import { workPlatformJobs } from "./platform/jobs.ts";
import { operatorRules } from "./policy/operator-rules.ts";
import { type HttpServer, listen } from "./process/http-server.ts";
import { leaveRunningFile } from "./process/running-file.ts";
import { openSession, type StoreSession } from "./process/store-session.ts";
import { loadTemplates } from "./process/templates.ts";

/** Settings of a bot that has its GitHub App. */
export type AppSettings = Settings & { readonly github: GitHubCredentials };

/** A Tollgate that runs. */
export interface RunningBot {
  /** Loopback address of its server. */
  readonly url: string;
  readonly session: StoreSession;
  /** Looks now for what deliveries may have missed, everywhere the App is installed. */
  sweep(): Promise<void>;
  /** Takes nothing new, ends what runs, returns the rest to the queue. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** `web`: takes deliveries only; `worker`: works only. Both by default. */
  readonly role?: "both" | "web" | "worker";
}

/**
 * Starts the bot with configured GitHub credentials.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function startBot(settings: AppSettings, options: StartOptions): Promise<RunningBot> {
  const { log, clock = systemClock, role = "both" } = options;
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const session = await openSession(settings, log, clock);
    closing.push(session.close);
    closing.push(startMaintenance(session, log).stop);
    const platform = await connectPlatform(settings, session, log);
    closing.push(platform.close);
    const github = connectGitHub(settings.github, {
      githubUrl: settings.githubUrl,
      writeSpacingMs: settings.githubWriteSpacingMs,
      clock,
      log,
    });
    closing.push(github.close);
    const policies = startPolicyTasks();
    closing.push(policies.close);
    const parts: BotParts = { session, platform, github, policies, log };
    const deps = jobDeps(settings, parts);
    const server = role === "worker" ? null : await serve(settings, { ...parts, deps });
    if (server !== null) closing.push(server.close);
    if (role !== "web") {
      const jobs: JobsRunning = await startJobs(deps, github.app, log);
      closing.push(jobs.stop);
      if (platform.embedded !== null) await workPlatformJobs(session, platform.embedded);
    }
    return {
      url: `http://127.0.0.1:${server?.port ?? 0}`,
      session,
      sweep: () => sweep({ ...deps, app: github.app, log }, { thorough: true }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const POLICY_REFERENCE = new URL("../../docs/policy-reference.md", import.meta.url);
const PAGE_STYLE = new URL(import.meta.resolve("github-markdown-css/github-markdown.css"));

interface BotParts {
  readonly session: StoreSession;
  readonly platform: ConnectedPlatform;
  readonly github: ConnectedGitHub;
  readonly policies: PolicyTasks;
  readonly log: Logger;
}

function jobDeps(settings: Settings, { session, platform, github, policies, log }: BotParts): JobDeps {
  return {
    db: session.store.db,
    queue: session.queue,
    clock: session.clock,
    laneSpacingMs: session.laneSpacingMs,
    log,
    ownAppId: github.app.appId,
    github: (installationId) => github.app.installation(installationId),
    platform: platform.client,
    spare: platform.spare,
    findByCommit: platform.findByCommit,
    githubPages: githubPagesUrl(settings.githubUrl),
    ...(settings.publicUrl !== null && { policyPage: `${settings.publicUrl}${POLICY_PAGE}` }),
    operator: operatorRules(settings, ownUrls(settings)),
    renderer: createRenderer(loadTemplates()),
    policies,
  };
}

/** Everything that is answered over HTTP: deliveries first, then the platform, notifications, health. */
async function serve(settings: AppSettings, parts: BotParts & { deps: JobDeps }): Promise<HttpServer> {
  const { deps, session, log } = parts;
  const { github } = settings;
  const addresses = new ClientAddresses(settings.trustedProxies);
  const door = createReceiver({
    clientOf: (request) => addresses.clientOf(request),
    secret: github.webhookSecret,
    ownAppId: github.appId,
    platformHosts: deps.operator.platformHosts,
    platformAppIds: [...deps.operator.trustedApps],
    accept: (delivery) => session.queue.acceptDelivery(delivery.id, delivery),
    log,
  });
  const key = randomBytes(32).toString("base64url");
  const app = publicApp(parts, { account: settings.platform.account, key });
  const server = await listen({
    port: settings.port,
    host: settings.host ?? undefined,
    handlers: [door],
    app,
    addresses,
  });
  if (settings.databaseUrl !== null) return server;
  const remove = leaveRunningFile(settings.dataDirectory, {
    url: ownAddress(settings.host, server.port),
    key,
  });
  return {
    ...server,
    close: async () => {
      remove();
      await server.close();
    },
  };
}

function publicApp(
  { deps, session, platform, github, log }: BotParts & { deps: JobDeps },
  { account, key }: { account: string; key: string },
): Hono {
  const { db } = session.store;
  const { clock } = session;
  const { pullsOfCommit } = deliveryDeps(deps, github.app);
  const onError = (error: unknown) => log.error({ error }, "an answer failed");
  const app = webApp(onError);
  app.route("/", healthRoute(session.reachable));
  app.route("/", policyPage({ markdown: POLICY_REFERENCE, style: PAGE_STYLE }));
  app.route("/", localRoutes({ db, clock, account, onError }, key));
  app.route(
    "/",
    notificationRoute({
      db,
      clock,
      account,
      enqueue: (repositoryId, number) => enqueueLane(deps, { kind: "pull", repositoryId, number }),
      learnPulls: async ({ repository_id: id, installation_id, owner_login: owner, name }, sha) => {
        for (const pull of await pullsOfCommit(installation_id, { id, owner, name }, sha)) {
          await savePull(db, { repositoryId: id, state: "open", ...pull }, new Date(clock.now()));
        }
      },
    }),
  );
  app.all("*", ({ req, notFound }) =>
    platform.embedded !== null && isPlatformPath(req.path)
      ? platform.embedded.app.fetch(req.raw)
      : notFound(),
  );
  return app;
}
