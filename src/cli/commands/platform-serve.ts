import { Command } from "@commander-js/extra-typings";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { servePlatform } from "../../wiring/platform/serve.ts";
import { waitForSignal } from "../../wiring/process/http-server.ts";
import { createLog, listSecrets } from "../../wiring/process/log.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate platform serve`: the embedded platform alone, for teams that run it beside their CI. */
export const platformServeCommand: MakeCommand = (output) =>
  new Command()
    .addHelpText(
      "after",
      paragraphs(
        "Listens on PORT (3000) and stores its data like `tollgate start`. Every call needs a token: `tollgate token create`.",
      ),
    )
    .action(async () => {
      const settings = readSettings(readEnvironment());
      const log = createLog(settings.logLevel, { secrets: listSecrets(settings) });
      const served = await servePlatform(settings, log);
      output.message(
        `The embedded platform listens on ${served.url} for the account ${settings.platform.account}.`,
      );
      await waitForSignal();
      await served.stop();
    });
