import { Command, Option } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { makeToken } from "../../wiring/platform/local.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate token create`: a credential for CI, shown once. */
export const tokenCreateCommand: MakeCommand = (output) =>
  new Command()
    .addOption(
      new Option("--for <PURPOSE>", "what it may do")
        .choices(["import", "notify", "api"] as const)
        .makeOptionMandatory(),
    )
    .option("--repository <OWNER/NAME>", "the repository that the token speaks for (or GitHub's numeric id)")
    .option("--org <ORG>", "org on the platform (default: the repository's owner)")
    .option("--project <PROJECT>", "project on the platform (default: the repository's name)")
    .option("--account <ACCOUNT>", "account on the embedded platform (default: PLATFORM_ACCOUNT)")
    .option("--json", "print id and token as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "`import` writes plans and estimates of one project to the embedded platform, `notify` reports to the bot which execution belongs to a commit, `api` reads and writes everything on the embedded platform.",
        "A token is for one account. The embedded platform keeps accounts apart.",
        "The token is shown once; only its hash is stored.",
      ),
    )
    .action(async ({ for: purpose, repository = null, org = null, project = null, account, json }) => {
      if (account !== undefined && !isPlatformId(account))
        throw usageError("--account takes 1 to 128 letters, digits or _ . $ -");
      const request = { purpose, repository, org, project, ...(account === undefined ? {} : { account }) };
      const result = await makeToken(readSettings(readEnvironment()), request);
      if (result.state === "refused") throw new TollgateError("usage", result.message, { hint: result.hint });
      output.result(json ? JSON.stringify({ id: result.id, token: result.secret }) : result.secret);
    });
