import { getRequestListener } from "@hono/node-server";
import type { ApplicationFunctionOptions, Probot } from "probot";
import { signText } from "../github/webhooks/payload/payload.ts";
import { registerEvents } from "../github/webhooks/register.ts";
import { systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { type AppSettings, type ComposedBot, composeBot } from "./compose.ts";
import { startHttpServer } from "./process/http-server.ts";
import { createLog, listSecrets } from "./process/log.ts";
import { waitForSignal } from "./process/wait-for-signal.ts";
import { announceToCommands } from "./start.ts";

/**
 * Starts the bot behind Probot's server: Probot verifies deliveries and handles HTTP; all else is the same as
 * in `tollgate start`. The bot stops on SIGINT and SIGTERM.
 *
 * @throws TollgateError `settings_invalid`, `data_directory_in_use`, `migration_failed`, `queue_failed`
 */
export async function startInProbot(
  app: Probot,
  { addHandler }: Pick<ApplicationFunctionOptions, "addHandler">,
  settings: Settings,
): Promise<void> {
  const own = await resolveAppSettings(app, settings);
  const log = createLog(own.logLevel, { secrets: listSecrets(own) });
  const bot = await composeBot(own, { log, clock: systemClock });
  try {
    registerEvents(app, bot.intake);
    const answer = getRequestListener(bot.pages.app.fetch);
    addHandler(async (request, response) => {
      if (!bot.pages.isRouted(request)) return false;
      await answer(request, response);
      return true;
    });
    await serveCommands(own, bot);
    await bot.work();
  } catch (error) {
    await bot.stop();
    throw error;
  }
  void stopOnSignal(bot);
}

/**
 * Returns the settings when Probot verifies deliveries with WEBHOOK_SECRET; throws otherwise. Without a
 * secret, Probot would accept deliveries from anybody.
 */
async function resolveAppSettings({ webhooks }: Probot, settings: Settings): Promise<AppSettings> {
  const { github } = settings;
  const hint =
    "Set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET in the environment; Probot and Tollgate both read them.";
  if (github === null) throw new TollgateError("settings_invalid", "no GitHub App is configured", { hint });
  if ((await webhooks.sign(PROBE)) !== signText(github.webhookSecret, PROBE)) {
    throw new TollgateError(
      "settings_invalid",
      "Probot verifies deliveries with another secret than WEBHOOK_SECRET",
      { hint },
    );
  }
  return { ...settings, github };
}

const PROBE = "whether two secrets are the same";

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
