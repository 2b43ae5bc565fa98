import { processEnvironment, readSettings } from "../../settings/read.ts";
import { createLog, secretsOf } from "../../wiring/log.ts";
import { untilSignal } from "../../wiring/process/until-signal.ts";
import { startUnconfigured } from "../../wiring/setup.ts";
import { type Configured, startBot } from "../../wiring/start.ts";
import type { Command, ExitCode, Output } from "../command.ts";

/** `tollgate start`: takes deliveries and works on them. */
export const startCommand: Command = {
  options: {},
  details: [
    "Without any settings it starts with an embedded database in `data`, an embedded platform, and pages on 127.0.0.1 that register the GitHub App.",
    "docs/operations.md lists every setting.",
  ],
  run: (_given, output) => serve("both", output),
};

/** `tollgate worker`: works on deliveries that a `start` elsewhere takes; needs the same DATABASE_URL. */
export const workerCommand: Command = {
  options: {},
  details: ["A worker answers no deliveries. It needs DATABASE_URL and the GitHub App's settings."],
  run: (_given, output) => serve("worker", output),
};

async function serve(role: "both" | "worker", output: Output): Promise<ExitCode> {
  const environment = processEnvironment();
  const settings = readSettings(environment);
  const log = createLog(settings.logLevel, { secrets: secretsOf(settings) });
  if (settings.github === null) {
    if (role === "worker") {
      output.message("A worker needs the GitHub App's settings: APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.");
      return 2;
    }
    const setup = await startUnconfigured(settings, environment, log);
    output.message(`No GitHub App is configured yet. Register it at ${setup.url} and start again.`);
    await untilSignal();
    await setup.stop();
    return 0;
  }
  const configured: Configured = { ...settings, github: settings.github };
  const running = await startBot(configured, { log, role });
  output.message(role === "worker" ? "The worker runs." : `Tollgate listens on ${running.url}.`);
  await untilSignal();
  await running.stop();
  return 0;
}
