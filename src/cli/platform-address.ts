import type { ReachablePlatform, ResolveLocalPlatform } from "../wiring/import/run.ts";
import { wrong } from "./arguments.ts";
import type { CommandArguments, OptionSpec } from "./command.ts";

export const IMPORT = "platform import";

/** Which platform: the one of this machine unless told otherwise. */
export const ADDRESS_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: { value: "URL", about: "address of the embedded platform (the one of this machine)" },
  token: { value: "TOKEN", about: "token of the platform at --url" },
  account: { value: "ACCOUNT", about: "account of the platform at --url (tollgate)" },
};

/** Wrong addresses are told before large files are read. */
export function checkAddress(given: CommandArguments, command = IMPORT): void {
  const url = given.value("url");
  if ((url === null) !== (given.value("token") === null))
    throw wrong(command, "--url and --token go together.");
  if (url !== null && !isAddress(url))
    throw wrong(
      command,
      "--url is no address of a platform: http:// or https://, without user and password.",
    );
}

export async function platformOf(
  given: CommandArguments,
  resolveLocal: ResolveLocalPlatform,
): Promise<ReachablePlatform> {
  const url = given.value("url");
  const token = given.value("token");
  if (url === null || token === null) return resolveLocal();
  return { url, token, account: given.value("account") ?? "tollgate", close: async () => {} };
}

/** `http://` or `https://`, without user and password. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
