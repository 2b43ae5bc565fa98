import { createHmac } from "node:crypto";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import type { ApplicationFunction, ApplicationFunctionOptions, Probot } from "probot";
import { resolveGitHubApiUrl } from "../github/client/guarded-fetch.ts";
import { REJECTED_HINT } from "../github/credential-check.ts";
import { registerEvents } from "../github/webhooks/events.ts";
import { createReceiver } from "../github/webhooks/receiver.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/read.ts";
import { type AppSettings, type ComposedBot, type ComposeOptions, composeBot } from "./compose.ts";
import { formatOwnAddress } from "./github.ts";
import { type HttpServer, startHttpServer, waitForSignal } from "./process/http-server.ts";
import { createLog, listSecrets } from "./process/log.ts";
import { writeRunningFile } from "./process/running-file.ts";

export interface RunningBot extends Pick<ComposedBot, "session" | "sweep" | "stop"> {
  /** Asks GitHub; returns the way out when it rejects the App's credentials, else null. */
  findCredentialProblem(): Promise<string | null>;
  /** Loopback URL of its server. */
  readonly url: string;
}

export interface StartOptions extends Pick<ComposeOptions, "log" | "policies"> {
  readonly clock?: Clock;
  /** `web`: only receives deliveries; `worker`: only processes jobs. Default: both. */
  readonly role?: "both" | "web" | "worker";
}

/**
 * Starts the bot with configured GitHub credentials, on a server of its own.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function startBot(settings: AppSettings, options: StartOptions): Promise<RunningBot> {
  const { clock = systemClock, role = "both" } = options;
  const bot = await composeBot(settings, { ...options, clock });
  try {
    const server = role === "worker" ? null : await serveBot(settings, bot, options.log);
    if (role !== "web") await bot.work();
    const { session, sweep, stop } = bot;
    return {
      url: `http://127.0.0.1:${server?.port ?? 0}`,
      session,
      findCredentialProblem: async () =>
        (await bot.credentials()).state === "rejected" ? REJECTED_HINT : null,
      sweep,
      stop,
    };
  } catch (error) {
    await bot.stop();
    throw error;
  }
}

async function serveBot(settings: AppSettings, bot: ComposedBot, log: Logger): Promise<HttpServer> {
  const handlers = await createReceiver(createApplication(bot), {
    ...settings.github,
    apiUrl: resolveGitHubApiUrl(settings.githubUrl),
    log,
    onRefused: (outcome) => bot.intake.onAnswer?.("unverified", outcome),
  });
  const { port, host } = settings;
  const server = await startHttpServer({ port, host: host ?? undefined, handlers, app: bot.pages.app });
  bot.closeFirst(server.close);
  announceToCommands(settings, bot, formatOwnAddress(settings.host, server.port));
  return server;
}

/** The bot as a function that Probot runs: registers the events, and adds the pages. */
function createApplication(bot: ComposedBot): ApplicationFunction {
  return (app, { addHandler }) => {
    registerEvents(app, bot.intake);
    const answer = getRequestListener(bot.pages.app.fetch);
    addHandler(async (request, response) => {
      if (!bot.pages.isRouted(request)) return false;
      await answer(request, response);
      return true;
    });
  };
}

/**
 * Starts the bot in a Probot that somebody else made, on its server. The bot stops on SIGINT and SIGTERM.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function startInProbot(
  app: Probot,
  options: ApplicationFunctionOptions,
  settings: Settings,
): Promise<void> {
  const own = await resolveAppSettings(app, settings);
  const log = createLog(own.logLevel, { secrets: listSecrets(own) });
  const bot = await composeBot(own, { log, clock: systemClock });
  try {
    await createApplication(bot)(app, options);
    await serveCommands(own, bot);
    await bot.work();
  } catch (error) {
    await bot.stop();
    throw error;
  }
  void stopOnSignal(bot);
}

const PROBE = "whether two secrets are the same";

/**
 * Returns the settings when Probot verifies deliveries with WEBHOOK_SECRET; throws otherwise. Without a
 * secret, Probot would accept deliveries from anybody.
 */
async function resolveAppSettings({ webhooks }: Probot, settings: Settings): Promise<AppSettings> {
  const { github } = settings;
  const hint =
    "Set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET in the environment; Probot and Tollgate both read them.";
  if (github === null) throw new TollgateError("settings_invalid", "no GitHub App is configured", { hint });
  const own = `sha256=${createHmac("sha256", github.webhookSecret).update(PROBE).digest("hex")}`;
  if ((await webhooks.sign(PROBE)) !== own) {
    throw new TollgateError(
      "settings_invalid",
      "Probot verifies deliveries with another secret than WEBHOOK_SECRET",
      { hint },
    );
  }
  return { ...settings, github };
}

/** Serves commands of this machine on a separate port, because Probot does not state where it listens. */
async function serveCommands(settings: AppSettings, bot: ComposedBot): Promise<void> {
  if (settings.databaseUrl !== null) return;
  const host = "127.0.0.1";
  const server = await startHttpServer({ port: 0, host, handlers: [], app: bot.pages.app });
  bot.closeFirst(server.close);
  announceToCommands(settings, bot, `http://${host}:${server.port}`);
}

async function stopOnSignal(bot: ComposedBot): Promise<void> {
  const signal = await waitForSignal();
  await bot.stop();
  // A listener disables the default effect of a signal. Without other listeners, the process is ended here.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function announceToCommands(settings: AppSettings, bot: ComposedBot, url: string): void {
  if (settings.databaseUrl !== null) return;
  bot.closeFirst(writeRunningFile(settings.dataDirectory, { url, key: bot.pages.key }));
}
