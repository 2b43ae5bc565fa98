import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { JobDeps, PolicyTasks } from "../evaluate/run/deps.ts";
import { type Fetch, resolveGitHubPagesUrl } from "../github/client/guarded-fetch.ts";
import type { CredentialCheck } from "../github/credential-check.ts";
import type { DeliveryIntake } from "../github/webhooks/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import { getShippedFile } from "../package/shipped-files.ts";
import type { Transport } from "../platform/transport.ts";
import { isPlatformPath } from "../platform-server/server.ts";
import { enqueueCommitGroup, enqueueLane } from "../queue/queue.ts";
import type { Renderer } from "../render/renderer.ts";
import type { GitHubCredentials, Settings } from "../settings/read.ts";
import { sweep } from "../sweep/sweep.ts";
import type { WorkTelemetry } from "../telemetry/telemetry.ts";
import { createAppliesRoute } from "../web/applies/route.ts";
import { createHealthRoutes, type Health } from "../web/health.ts";
import { createLocalRoutes } from "../web/local/routes.ts";
import { createNotificationRoute } from "../web/notification.ts";
import { createJobTokenRoute } from "../web/oidc/route.ts";
import { createPolicyReference } from "../web/policy-reference.ts";
import { createInstalledPage } from "../web/setup/setup-pages.ts";
import { createWebApp } from "../web/web-app.ts";
import { startPolicyTasks } from "./evaluation/policy-tasks.ts";
import type { ConnectedGitHub } from "./github.ts";
import { buildIdTokenDeps, buildJobDeps } from "./job-deps.ts";
import { createCommitPullsWriter, createIntake, Shutdown, startJobs } from "./jobs.ts";
import { startMaintenance } from "./maintenance.ts";
import { startNotifications } from "./notifications/delivery-targets.ts";
import { resolveOperator } from "./operator-names.ts";
import { createPeoplePages } from "./pages/pages.ts";
import { type ConnectedPlatform, connectPlatform } from "./platform/connect.ts";
import { workPlatformJobs } from "./platform/embedded.ts";
import { type InspectedSession, openSession, type StoreSession } from "./process/store-session.ts";
import { connectSharedGitHub } from "./shared-installations.ts";
import { createGitHubUsage, type GitHubUsage } from "./telemetry/github-usage.ts";
import {
  createFailedCalls,
  type FailedCalls,
  observeBot,
  type ServedMetrics,
} from "./telemetry/observe-bot.ts";
import { startTelemetry } from "./telemetry/start-telemetry.ts";

/** Settings of a bot with a registered GitHub App. */
export type AppSettings = Settings & { readonly github: GitHubCredentials };

/** All parts of a bot except the server that receives its deliveries; `tollgate start` and Probot each provide one. */
export interface ComposedBot {
  readonly session: StoreSession;
  /** Where the server passes verified deliveries. */
  readonly intake: DeliveryIntake;
  readonly credentials: CredentialCheck;
  /** Built when they are first asked for. */
  readonly pages: BotPages;
  /** The embedded platform's routes for calls of this process; null: the platform is elsewhere. */
  readonly platform: Hono | null;
  work(): Promise<void>;
  /** Sweeps everywhere the App is installed: evaluates what lost deliveries missed. */
  sweep(): Promise<void>;
  /** Registers `close` to be called by `stop` while running jobs are completed. */
  closeFirst(close: () => Promise<void> | void): void;
  /** Accepts no new work, completes running jobs for some seconds, and returns the others to the queue. */
  stop(): Promise<void>;
}

/** HTTP routes of the bot except deliveries: health, policy reference, notifications, requests of local commands, embedded platform. */
export interface BotPages {
  readonly app: Hono;
  /** Key of the routes for commands of this machine. */
  readonly key: string;
  /** Whether `app` has a route for the request; all other requests get 404. */
  isRouted(request: IncomingMessage): boolean;
}

export interface ComposeOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** Threads that evaluate policies, which the bot does not end; absent: threads of its own. */
  readonly policies?: PolicyTasks | undefined;
  /** The open store and queue, which the bot closes; absent: those that the settings name. */
  readonly session?: InspectedSession | undefined;
  /** Replaces the connections to GitHub. */
  readonly fetch?: Fetch | undefined;
  /** Replaces the connections to the operator's platform. */
  readonly platformTransport?: Transport | undefined;
  /** Absent: made of the shipped and the operator's templates. */
  readonly renderer?: Renderer | undefined;
}

/**
 * Opens the store, connects to the platform and GitHub, and builds the dependencies of jobs and pages.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function composeBot(given: AppSettings, options: ComposeOptions): Promise<ComposedBot> {
  const { clock } = options;
  const shutdown = new Shutdown();
  try {
    const failedCalls = createFailedCalls(clock);
    const running = await startTelemetry(given.telemetry, options.log, failedCalls.record);
    shutdown.closes(running.close);
    const { log, telemetry } = running;
    const session = options.session ?? (await openSession(given, log, clock, telemetry));
    shutdown.closes(session.close);
    shutdown.closes(startMaintenance(session, { retention: given.operator.retention, log }).stop);
    const platform = await connectPlatform(given, session, {
      log,
      telemetry,
      transport: options.platformTransport,
    });
    shutdown.closes(platform.close);
    const usage = createGitHubUsage(telemetry, clock);
    const { fetch } = options;
    const github = await connectSharedGitHub(given, session, { clock, log, onCall: usage.record, fetch });
    shutdown.closes(github.close);
    const settings = await resolveOperator(given, { db: session.store.db, app: github.app, clock, log });
    const policies = options.policies ?? startOwnPolicyTasks(shutdown);
    const { health, metrics } = await observeBot(settings, { ...running, session, github, usage });
    shutdown.closes(metrics.close);
    const measured = { log, telemetry, health, metrics, usage, failedCalls };
    const parts: BotParts = { session, platform, github, policies, ...measured };
    const { app } = github;
    const jobGitHub = {
      appId: app.appId,
      installation: app.installation,
      pages: resolveGitHubPagesUrl(settings.githubUrl),
    };
    const { renderer } = options;
    const deps = buildJobDeps(settings, { ...parts, github: jobGitHub, isOneShot: false, renderer });
    let pages: BotPages | null = null;
    return {
      session,
      intake: createIntake({ ownAppId: deps.ownAppId, ...deps.operator, session, log, telemetry }),
      credentials: github.credentials,
      get pages() {
        pages ??= buildBotPages({ ...parts, deps }, settings);
        return pages;
      },
      platform: platform.embedded?.app ?? null,
      work: () => startWork(deps, parts, { settings, shutdown }),
      sweep: () => sweep({ ...deps, app: github.app, log }, { thorough: true }),
      closeFirst: (close) => shutdown.drains(close),
      stop: shutdown.stop,
    };
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}

function startOwnPolicyTasks(shutdown: Shutdown): PolicyTasks {
  const tasks = startPolicyTasks();
  shutdown.closes(tasks.close);
  return tasks;
}

async function startWork(
  deps: JobDeps,
  { session, platform, github, health, log }: BotParts,
  { settings, shutdown }: { readonly settings: Settings; readonly shutdown: Shutdown },
): Promise<void> {
  shutdown.drains(session.queue.drain);
  shutdown.drains((await startJobs(deps, github.app, log)).stop);
  // Before parts that may wait for GitHub: other processes take over what still runs.
  shutdown.closes(session.queue.stop);
  shutdown.closes((await startNotifications(deps, settings, health)).stop);
  if (platform.embedded !== null) await workPlatformJobs(session, platform.embedded);
}

interface BotParts {
  readonly session: InspectedSession;
  readonly platform: ConnectedPlatform;
  readonly github: ConnectedGitHub;
  readonly policies: PolicyTasks;
  readonly log: Logger;
  readonly telemetry: WorkTelemetry;
  readonly health: Health;
  readonly metrics: ServedMetrics;
  readonly usage: GitHubUsage;
  readonly failedCalls: FailedCalls;
}

function buildBotPages(parts: BotParts & { deps: JobDeps }, settings: Settings): BotPages {
  const { deps, session, github, platform, health, metrics, log } = parts;
  const key = randomBytes(32).toString("base64url");
  const onError = (error: unknown) => log.error({ error }, "an answer failed");
  const { account } = settings.platform;
  const { clock, store } = session;
  const local = { db: store.db, clock, account };
  const saveCommitPulls = createCommitPullsWriter(deps, github.app);
  const markdown = getShippedFile("docs/policy-reference.md");
  const enqueue = (pull: PullKey) => enqueueLane(deps, { kind: "pull", ...pull });
  const routes = new Hono();
  routes.route("/", createHealthRoutes(health));
  if (metrics.route !== null) routes.route("/", metrics.route);
  routes.route("/", createPolicyReference(markdown));
  routes.route("/", createLocalRoutes({ ...local, key, onError }));
  const { applies, exchange } = buildIdTokenDeps({ deps, app: github.app, saveCommitPulls }, settings);
  routes.route("/", createAppliesRoute(applies));
  routes.route("/", createInstalledPage(settings.publicUrl));
  routes.route("/", createPeoplePages(settings, parts));
  const enqueueGroup = (repositoryId: number, sha: string) => enqueueCommitGroup(deps, repositoryId, sha);
  routes.route("/", createNotificationRoute({ ...local, enqueue, enqueueGroup, saveCommitPulls }));
  routes.route(
    "/",
    createJobTokenRoute(exchange, { ...local, githubPages: resolveGitHubPagesUrl(settings.githubUrl) }),
  );
  const app = createWebApp(onError);
  app.route("/", routes);
  const { embedded } = platform;
  if (embedded !== null) app.route("/", embedded.app);
  const isRouted = ({ method = "GET", url = "/" }: IncomingMessage): boolean => {
    const path = URL.parse(url, "http://localhost")?.pathname ?? "/";
    return (embedded !== null && isPlatformPath(path)) || routes.router.match(method, path)[0].length > 0;
  };
  return { app, key, isRouted };
}
