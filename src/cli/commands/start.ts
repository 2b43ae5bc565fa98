import { Command } from "@commander-js/extra-typings";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import type { AppSettings } from "../../wiring/compose.ts";
import { createLog, listSecrets } from "../../wiring/process/log.ts";
import { waitForSignal } from "../../wiring/process/wait-for-signal.ts";
import { startSetup } from "../../wiring/setup/start-setup.ts";
import { startBot } from "../../wiring/start.ts";
import type { ExitCode, MakeCommand, Output } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate start`: receives deliveries and evaluates pull requests. */
export const startCommand: MakeCommand = (output) =>
  new Command()
    .addHelpText(
      "after",
      paragraphs(
        "Without any settings it starts with an embedded database in `data`, an embedded platform, and pages on 127.0.0.1 that register the GitHub App.",
        "docs/operations/settings.md lists every setting.",
      ),
    )
    .action(async () => output.exit(await serve("both", output)));

/** `tollgate worker`: evaluates pull requests whose deliveries a `start` elsewhere receives; needs the same DATABASE_URL. */
export const workerCommand: MakeCommand = (output) =>
  new Command()
    .addHelpText(
      "after",
      paragraphs(
        "Workers process jobs but receive no webhooks. A worker needs DATABASE_URL and the GitHub App's settings.",
      ),
    )
    .action(async () => output.exit(await serve("worker", output)));

const ENV_FILE = ".env";

async function serve(role: "both" | "worker", output: Output): Promise<ExitCode> {
  const ended = waitForSignal();
  const settings = await configured(role, output, ended);
  if (settings === null) return role === "worker" ? 2 : 0;
  const log = createLog(settings.logLevel, { secrets: listSecrets(settings) });
  const running = await startBot(settings, { log, role });
  output.message(role === "worker" ? "The worker runs." : `Tollgate listens on ${running.url}.`);
  await ended;
  await running.stop();
  return 0;
}

/** The settings with a GitHub App, once there is one; null: a worker has none, or the process was asked to end first. */
async function configured(
  role: "both" | "worker",
  output: Output,
  ended: Promise<unknown>,
): Promise<AppSettings | null> {
  const settings = readSettings(readEnvironment());
  if (settings.github !== null) return { ...settings, github: settings.github };
  if (role === "worker") {
    output.message("A worker needs the GitHub App's settings: APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.");
    return null;
  }
  const log = createLog(settings.logLevel, { secrets: listSecrets(settings) });
  output.message("No GitHub App is configured yet. Register one with the link that follows. It works once.");
  const announce = (link: string) => output.message(link);
  const setup = await startSetup({ settings, file: ENV_FILE, log, announce });
  const isRegistered = await Promise.race([setup.registered.then(() => true), ended.then(() => false)]);
  await setup.stop();
  return isRegistered ? configured(role, output, ended) : null;
}
