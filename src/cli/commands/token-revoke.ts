import { Command } from "@commander-js/extra-typings";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { revokeStoredToken } from "../../wiring/local-store.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate token revoke`: ends a credential. */
export const tokenRevokeCommand: MakeCommand = (output) =>
  new Command()
    .argument("<ID>", "the token's id, as `tollgate token list` shows it; or the whole of a leaked token")
    .addHelpText(
      "after",
      paragraphs("The next request with the token is refused. Data that was written with it stays."),
    )
    .action(async (text) => {
      const id = /^tg_([0-9a-f]{16})_/.exec(text)?.[1] ?? text;
      await revokeStoredToken(readSettings(readEnvironment()), id);
      output.message(`revoked ${id}`);
    });
