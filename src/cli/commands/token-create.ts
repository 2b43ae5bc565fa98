import { TollgateError } from "../../kernel/errors.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import { processEnvironment, readSettings } from "../../settings/read.ts";
import { makeToken } from "../../wiring/platform/local.ts";
import type { Command } from "../command.ts";

const PURPOSES = ["import", "notify", "api"] as const;

/** `tollgate token create`: a credential for CI, shown once. */
export const tokenCreateCommand: Command = {
  options: {
    repository: {
      value: "OWNER/NAME",
      about: "the repository that the token speaks for (or GitHub's numeric id)",
    },
    for: { value: "PURPOSE", about: "what it may do", required: true, choices: [...PURPOSES] },
    org: { value: "ORG", about: "org on the platform; the repository's owner by default" },
    project: { value: "PROJECT", about: "project on the platform; the repository's name by default" },
    account: { value: "ACCOUNT", about: "account on the embedded platform; PLATFORM_ACCOUNT by default" },
    json: { about: "print id and token as JSON" },
  },
  details: [
    "`import` writes plans and estimates of one project to the embedded platform, `notify` tells the bot which execution belongs to a commit, `api` reads and writes everything on the embedded platform.",
    "A token opens one account. The embedded platform keeps accounts apart, and answers each that has a token.",
    "The token is shown once; only its hash is stored.",
  ],
  run: async (given, output) => {
    const chosen = given.required("for");
    const purpose = PURPOSES.find((one) => one === chosen) ?? "import";
    const account = given.value("account");
    if (account !== null && !isPlatformId(account))
      throw new TollgateError("usage", "--account takes 1 to 128 letters, digits or _ . $ -");
    const request = {
      purpose,
      repository: given.value("repository"),
      org: given.value("org"),
      project: given.value("project"),
      ...(account === null ? {} : { account }),
    };
    const result = await makeToken(readSettings(processEnvironment()), request);
    if (result.state === "refused") throw new TollgateError("usage", result.message, { hint: result.hint });
    output.result(
      given.has("json") ? JSON.stringify({ id: result.id, token: result.secret }) : result.secret,
    );
    return 0;
  },
};
