import { isIP } from "node:net";
import { createBlockList, hasAddress, isPublicAddress } from "./special-addresses.ts";

/** Decides which targets deliveries may connect to. */
export interface TargetGuard {
  /** Returns the problem of a webhook's target URL; null: none is visible before its name is resolved. */
  refusal(url: string): string | null;
  /**
   * Whether a connection to `address`, to which `host` was resolved, is permitted. Called for every
   * connection.
   */
  permits(host: string, address: string): boolean;
}

/**
 * Creates a guard. `allow`: the operator's permitted internal targets, e.g. `10.0.0.0/8`, `192.168.1.4`,
 * `hooks.internal`, `*.internal`.
 */
export function createTargetGuard(allow: readonly string[]): TargetGuard {
  const entries = allow.map((entry) => entry.toLowerCase());
  const addresses = createBlockList(entries.filter((entry) => isIP(entry.split("/", 1)[0] ?? "") !== 0));
  const names = new Set(entries);
  const isAllowedName = (host: string): boolean =>
    names.has(host) ||
    host.split(".").some((_, cut, parts) => names.has(`*.${parts.slice(cut + 1).join(".")}`));
  const permits = (hostText: string, address: string): boolean =>
    isPublicAddress(address) || hasAddress(addresses, address) || isAllowedName(parseHostName(hostText));
  return {
    permits,
    refusal: (text) => {
      const url = URL.parse(text);
      if (url === null || !["http:", "https:"].includes(url.protocol))
        return "the url must start with http:// or https:// and name a host";
      if (NOT_IN_A_URL.test(text)) return "the url must not hold white space or control characters";
      if (url.username !== "" || url.password !== "") return "the url must not hold a user or a password";
      const host = parseHostName(url.hostname);
      const forbidden = listAddresses(host).some((address) => !permits(host, address));
      return forbidden ? "the url leads to an address that webhooks may not reach" : null;
    },
  };
}

/** White space, control characters, halves of a character. A URL parser drops some of them or writes them out: what is shown of the webhook would not be what is called. */
const NOT_IN_A_URL = /[\s\p{Cc}\p{Cs}]/u;

/** As a URL parser leaves it, which knows every notation of an address: without brackets and the root's dot. */
const parseHostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");

/** What a host stands for as far as everybody knows: an address for itself, `localhost` for this machine. Other names must be resolved. */
function listAddresses(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host];
  return /(^|\.)localhost$/.test(host) ? ["127.0.0.1"] : [];
}
