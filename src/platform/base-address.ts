import { TollgateError } from "../kernel/errors.ts";
import { isPlatformId } from "../kernel/ids.ts";
import { APIS, type ApiName } from "./contract/apis.ts";
import { DIALECTS, type DialectName } from "./contract/wire/dialect.ts";

/** The service's URL, the credentials and the dialect. */
export interface PlatformAddress {
  /** URL of the service, e.g. `https://app.example.com`; its path precedes the prefix. */
  readonly url: string;
  readonly token: string;
  readonly account: string;
  readonly dialect: DialectName;
  /** Gateway path before the provisioning service's `/api/…`; absent: the dialect's. Other services have fixed ones. */
  readonly prefix?: string;
}

const PREFIX = /^(\/[\w.~-]+)*$/;
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Path prefix of each service. */
export type Roots = Readonly<Record<ApiName, string>>;

/**
 * Origin of the service, and the path in front of each part of it.
 *
 * @throws TollgateError `settings_invalid` for an address, token or account that cannot be used
 */
export function readAddress(options: PlatformAddress): { origin: string; roots: Roots } {
  const url = URL.parse(options.url);
  if (
    url === null ||
    !["http:", "https:"].includes(url.protocol) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    throw createAddressError("the platform's address is not an http(s) address without credentials");
  }
  const base = url.pathname.replace(/\/+$/, "");
  const root = base + (options.prefix ?? DIALECTS[options.dialect].prefix);
  if (!PREFIX.test(root) || root.split("/").some((part) => part === "." || part === "..")) {
    throw createAddressError("the platform's prefix is not a plain path such as /gateway/iacm");
  }
  if (!TOKEN.test(options.token)) throw createAddressError("the platform's token is empty or holds blanks");
  if (!isPlatformId(options.account)) throw createAddressError("the platform's account is not an account id");
  const getRoot = (name: ApiName) => (APIS[name].prefix === null ? root : base + APIS[name].prefix);
  const roots: Roots = {
    provisioning: getRoot("provisioning"),
    cost: getRoot("cost"),
    flags: getRoot("flags"),
    registry: getRoot("registry"),
    code: getRoot("code"),
    tollgate: getRoot("tollgate"),
  };
  return { origin: url.origin, roots };
}

const createAddressError = (message: string): TollgateError =>
  new TollgateError("settings_invalid", message, {
    hint: "Set PLATFORM_URL, PLATFORM_TOKEN, PLATFORM_ACCOUNT and PLATFORM_PREFIX as docs/operations/settings.md says.",
  });
