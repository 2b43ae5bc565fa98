import type { Endpoint } from "../../platform/contract/endpoint.ts";
import type { ApiAddress } from "../../wiring/platform/api.ts";
import { wrong } from "../arguments.ts";
import type { CommandArguments, OptionSpec } from "../command.ts";
import { isAddress } from "../platform-address.ts";
import type { Flag } from "./flags.ts";

type OptionSpecs = Readonly<Record<string, OptionSpec>>;

const DIALECTS = ["neutral", "live"] as const;

/** What every operation takes beside its parameters. */
export const COMMON_OPTIONS: OptionSpecs = {
  json: { about: "print the answer as JSON, as it was sent" },
  url: { value: "URL", about: "address of a platform" },
  token: { value: "TOKEN", about: "token of the platform at --url" },
  account: { value: "ACCOUNT", about: "account that the call is about" },
  dialect: {
    value: "DIALECT",
    choices: DIALECTS,
    about: "whose names the platform speaks (neutral at --url)",
  },
};

/** What stands after `tollgate api` without an operation. */
export const LIST_OPTIONS: OptionSpecs = {
  list: { about: "list every operation with its path" },
  json: { about: "print the list as JSON" },
};

/** The options of an operation that are no parameters. */
export const extraOptionsOf = ({ body, pagination }: Endpoint): OptionSpecs => ({
  ...(body === undefined ? {} : { body: { value: "FILE", about: "the body; - reads the standard input" } }),
  ...(pagination === undefined
    ? {}
    : { all: { about: "read all pages; with --json as one list, an item a line" } }),
  ...COMMON_OPTIONS,
});

/** Every option of an operation. */
export const optionsOf = (endpoint: Endpoint, flags: readonly Flag[]): OptionSpecs => ({
  ...Object.fromEntries(flags.map(({ name, spec }) => [name, spec])),
  ...extraOptionsOf(endpoint),
});

/** The platform that the options name. Throws `usage`. */
export function addressOf(command: string, given: CommandArguments): ApiAddress {
  const url = given.value("url");
  const token = given.value("token");
  if ((url === null) !== (token === null)) throw wrong(command, "--url and --token go together.");
  if (url !== null && !isAddress(url))
    throw wrong(
      command,
      "--url is no address of a platform: http:// or https://, without user and password.",
    );
  const dialect = DIALECTS.find((one) => one === given.value("dialect")) ?? null;
  return { url, token, account: given.value("account"), dialect };
}
