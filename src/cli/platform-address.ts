import { Command } from "@commander-js/extra-typings";
import { TollgateError } from "../kernel/errors.ts";
import type { ClientSettings, IdTokenRequest } from "../settings/ci.ts";
import type { ImportPlatform } from "../wiring/import/send-files.ts";

/** A command that writes to the embedded platform, with the options that say where it is. */
export const createAddressCommand = () =>
  new Command()
    .option("--url <URL>", "address of a Tollgate (default: TOLLGATE_URL, else the one of this machine)")
    .option("--token <TOKEN>", "its token; prefer TOLLGATE_TOKEN, which no process list shows")
    .option("--account <ACCOUNT>", "account of the platform at the address (default: tollgate)");

type AddressOptions = ImportPlatform;

/**
 * Finds the platform that options and environment name; options win. Without an address it is the one of this machine. Throws
 * `usage` when a part of the address is missing or unusable.
 */
export function resolveAddress(options: AddressOptions, client: ClientSettings): ImportPlatform {
  const { account } = options;
  const url = resolveUrl(options, client);
  const token = resolveToken(options, client);
  if (url === undefined && token !== undefined)
    throw createAddressError("There is a token, but no address.", "Set TOLLGATE_URL or give --url.");
  if (url !== undefined && token === undefined)
    throw createAddressError(
      `There is an address, but no token${client.isGitHubJob ? ": the job lacks `id-token: write`" : ""}.`,
      listTokenSources(client),
    );
  return { url, token, account };
}

/** The server that this CI job's id token opens; null: there is another credential, or the job has no id token. */
export function resolveJobServer(
  options: AddressOptions,
  client: ClientSettings,
): { readonly url: string; readonly idToken: IdTokenRequest } | null {
  const url = resolveUrl(options, client);
  const { idToken } = client;
  return url === undefined || idToken === null || resolveToken(options, client) !== undefined
    ? null
    : { url, idToken };
}

const resolveToken = ({ token }: AddressOptions, client: ClientSettings): string | undefined =>
  token ?? client.token ?? undefined;

function resolveUrl(options: AddressOptions, client: ClientSettings): string | undefined {
  const url = options.url ?? client.url ?? undefined;
  if (url === undefined || isAddress(url)) return url;
  throw createAddressError(
    `${options.url === undefined ? "TOLLGATE_URL" : "--url"} is no address of a platform: http:// or https://, without user and password.`,
    "It is the PUBLIC_URL of the Tollgate that is called.",
  );
}

const listTokenSources = ({ isGitHubJob }: ClientSettings): string =>
  isGitHubJob
    ? "Give the job `permissions: id-token: write`, which is enough to send a plan or an estimate, or set TOLLGATE_TOKEN."
    : "Set TOLLGATE_TOKEN.";

const createAddressError = (problem: string, hint: string): TollgateError =>
  new TollgateError("usage", problem, { hint });

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
