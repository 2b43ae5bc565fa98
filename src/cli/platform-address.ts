import { Command } from "@commander-js/extra-typings";
import type { ImportPlatform } from "../wiring/import/client.ts";
import { usageError } from "./command.ts";

/** A command that writes to the embedded platform, with the options that say where it is. */
export const createAddressCommand = () =>
  new Command()
    .option("--url <URL>", "address of the embedded platform (default: the one of this machine)")
    .option("--token <TOKEN>", "token of the platform at --url")
    .option("--account <ACCOUNT>", "account of the platform at --url (default: tollgate)");

/** Throws `usage` for an unusable address. */
export function checkAddress({ url, token }: Omit<ImportPlatform, "account">): void {
  if ((url === undefined) !== (token === undefined)) throw usageError("--url and --token go together.");
  if (url !== undefined && !isAddress(url))
    throw usageError("--url is no address of a platform: http:// or https://, without user and password.");
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
