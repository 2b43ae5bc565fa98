import { REJECTED_HINT } from "../github/credential-check.ts";
import { createReceiver } from "../github/webhooks/receiver.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { type AppSettings, type ComposedBot, type ComposeOptions, composeBot } from "./compose.ts";
import { createThreadReducer } from "./deliveries/reduce-in-thread.ts";
import { formatOwnAddress } from "./github.ts";
import { ClientAddresses } from "./http/client-addresses.ts";
import { type HttpServer, startHttpServer } from "./process/http-server.ts";
import { writeRunningFile } from "./process/running-file.ts";

/** A running Tollgate. */
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
 * Starts the bot with configured GitHub credentials, behind Tollgate's own receiver.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function startBot(settings: AppSettings, options: StartOptions): Promise<RunningBot> {
  const { clock = systemClock, role = "both" } = options;
  const bot = await composeBot(settings, { ...options, clock });
  try {
    const server = role === "worker" ? null : await serveBot(settings, bot);
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

/** Serves all HTTP requests: deliveries first, then the pages. */
async function serveBot(settings: AppSettings, bot: ComposedBot): Promise<HttpServer> {
  const addresses = new ClientAddresses(settings.trustedProxies);
  const receiver = createReceiver({
    ...bot.intake,
    getClient: (request) => addresses.getClient(request),
    secret: settings.github.webhookSecret,
    reduceLarge: createThreadReducer(),
  });
  const server = await startHttpServer({
    port: settings.port,
    host: settings.host ?? undefined,
    handlers: [receiver],
    app: bot.pages.app,
    addresses,
  });
  bot.closeFirst(server.close);
  announceToCommands(settings, bot, formatOwnAddress(settings.host, server.port));
  return server;
}

/** Writes the address and the key for commands of this machine that need the embedded database. */
export function announceToCommands(settings: AppSettings, bot: ComposedBot, url: string): void {
  if (settings.databaseUrl !== null) return;
  bot.closeFirst(writeRunningFile(settings.dataDirectory, { url, key: bot.pages.key }));
}
