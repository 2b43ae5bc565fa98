import { processEnvironment, readSettings } from "../../settings/read.ts";
import { servePlatform } from "../../wiring/platform/serve.ts";
import { createLog, secretsOf } from "../../wiring/process/log.ts";
import { untilSignal } from "../../wiring/process/until-signal.ts";
import type { Command } from "../command.ts";

/** `tollgate platform serve`: the embedded platform alone, for teams that run it beside their CI. */
export const platformServeCommand: Command = {
  options: {},
  details: [
    "Listens on PORT (3000) and keeps its data like `tollgate start`. Every call needs a token: `tollgate token create`.",
  ],
  run: async (_given, output) => {
    const settings = readSettings(processEnvironment());
    const served = await servePlatform(
      settings,
      createLog(settings.logLevel, { secrets: secretsOf(settings) }),
    );
    output.message(
      `The embedded platform listens on ${served.url} for the account ${settings.platform.account}.`,
    );
    await untilSignal();
    await served.stop();
    return 0;
  },
};
