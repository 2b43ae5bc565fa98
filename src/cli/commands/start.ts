import { Command } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { readEnvironment, readSettings, type Settings } from "../../settings/read.ts";
import type { AppSettings } from "../../wiring/compose.ts";
import { refuseForgottenDirectory } from "../../wiring/database/copy.ts";
import { waitForSignal } from "../../wiring/process/http-server.ts";
import { createLog, listSecrets } from "../../wiring/process/log.ts";
import { explainStartFailure } from "../../wiring/process/start-failure.ts";
import { type RunningBot, startBot } from "../../wiring/start.ts";
import { startSetup } from "../../wiring/start-setup.ts";
import type { ExitCode, MakeCommand, Output } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate start`: receives deliveries and evaluates pull requests, until a signal. */
export const startCommand =
  (waitForEnd = waitForSignal): MakeCommand =>
  (output) =>
    new Command()
      .option("--new", "begin with an empty PostgreSQL, although the data directory has a database")
      .addHelpText(
        "after",
        paragraphs(
          "Without any settings it starts with an embedded database in `data`, an embedded platform, and pages on 127.0.0.1 that register the GitHub App.",
          "docs/operations/settings.md lists every setting.",
        ),
      )
      .action(async ({ new: isNew = false }) =>
        output.exit(await serve("both", output, { ended: waitForEnd(), isNew })),
      );

/** `tollgate worker`: evaluates pull requests whose deliveries a `start` elsewhere receives; needs the same DATABASE_URL. */
export const workerCommand =
  (waitForEnd = waitForSignal): MakeCommand =>
  (output) =>
    new Command()
      .addHelpText(
        "after",
        paragraphs(
          "Workers process jobs but receive no webhooks. A worker needs DATABASE_URL and the GitHub App's settings.",
        ),
      )
      .action(async () => output.exit(await serve("worker", output, { ended: waitForEnd(), isNew: false })));

const ENV_FILE = ".env";

/** Starts, and runs until a signal. A start that fails ends with all that keeps it from starting. */
async function serve(
  role: "both" | "worker",
  output: Output,
  { ended, isNew }: { readonly ended: Promise<unknown>; readonly isNew: boolean },
): Promise<ExitCode> {
  const environment = readEnvironment();
  const running = await begin(role, output, { ended, isNew }).catch(async (error: unknown) => {
    throw await explainStartFailure(error, { environment, isServer: role !== "worker" });
  });
  if (running === null) return 0;
  output.message(role === "worker" ? "The worker runs." : `Tollgate listens on ${running.url}.`);
  if (running.session.store.engine.kind === "pglite")
    output.message(
      "The embedded database survives `kill -9`, not a power failure: it is for trials and small teams.",
    );
  void reportCredentials(running, output);
  await ended;
  await running.stop();
  return 0;
}

/** The process goes on: after an outage or a change at GitHub the credentials may be accepted again. */
async function reportCredentials(running: RunningBot, output: Output): Promise<void> {
  const hint = await running.findCredentialProblem();
  if (hint === null) return;
  output.message(
    "GitHub rejects the App's credentials: no pull request is evaluated, and /readyz answers 503.",
  );
  output.message(hint);
}

/** The running bot; null: the process was asked to end before there was a GitHub App. */
async function begin(
  role: "both" | "worker",
  output: Output,
  { ended, isNew }: { readonly ended: Promise<unknown>; readonly isNew: boolean },
): Promise<RunningBot | null> {
  const settings = readSettings(readEnvironment());
  if (role === "worker") requireWorkerSettings(settings);
  else if (!isNew) await refuseForgottenDirectory(settings);
  const app = await configured(settings, output, ended);
  if (app === null) return null;
  return startBot(app, { log: createLog(app.logLevel, { secrets: listSecrets(app) }), role });
}

/** A worker shares the database of a `start`, and only PostgreSQL can be shared. */
function requireWorkerSettings({ github, databaseUrl }: Settings): void {
  const missing = [
    ...(databaseUrl === null ? ["DATABASE_URL"] : []),
    ...(github === null ? ["APP_ID, PRIVATE_KEY and WEBHOOK_SECRET"] : []),
  ];
  if (missing.length === 0) return;
  throw new TollgateError("settings_invalid", `a worker needs ${missing.join(", and ")}`, {
    hint: "Give it the same settings as the `tollgate start` whose jobs it processes. The embedded database cannot be shared: without PostgreSQL, `tollgate start` alone does everything.",
  });
}

/** The settings with a GitHub App, once there is one; null: the process was asked to end first. */
async function configured(
  settings: Settings,
  output: Output,
  ended: Promise<unknown>,
): Promise<AppSettings | null> {
  if (settings.github !== null) return { ...settings, github: settings.github };
  const log = createLog(settings.logLevel, { secrets: listSecrets(settings) });
  const announce = (link: string) => {
    output.message(
      "No GitHub App is configured yet. Register one with the link that follows. It works once.",
    );
    output.message(link);
  };
  const setup = await startSetup({ settings, file: ENV_FILE, log, announce });
  const isRegistered = await Promise.race([setup.registered.then(() => true), ended.then(() => false)]);
  await setup.stop();
  return isRegistered ? configured(readSettings(readEnvironment()), output, ended) : null;
}
