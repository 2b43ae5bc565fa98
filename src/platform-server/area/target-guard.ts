import { type LookupAddress, lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { BlockList, isIP } from "node:net";
import { buildConnector } from "undici";

/** Decides which targets deliveries may connect to. */
export type TargetGuard = ReturnType<typeof createTargetGuard>;

/**
 * Creates a guard. `allow`: the operator's permitted internal targets, e.g. `10.0.0.0/8`, `192.168.1.4`,
 * `hooks.internal`, `*.internal`.
 */
export function createTargetGuard(allow: readonly string[]) {
  const entries = allow.map((entry) => entry.toLowerCase());
  const addresses = createBlockList(entries.filter((entry) => isIP(entry.split("/", 1)[0] ?? "") !== 0));
  const names = new Set(entries);
  const isAllowedName = (host: string): boolean =>
    names.has(host) ||
    host.split(".").some((_, cut, parts) => names.has(`*.${parts.slice(cut + 1).join(".")}`));
  const permits = (hostText: string, address: string): boolean =>
    isPublicAddress(address) || hasAddress(addresses, address) || isAllowedName(parseHostName(hostText));
  return {
    /** Whether a connection to `address`, to which `host` was resolved, is permitted. Called for every connection. */
    permits,
    /** Returns the problem of a webhook's target URL; null: none is visible before its name is resolved. */
    refusal: (text: string): string | null => {
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

/** Special-purpose IPv4 networks (IANA's registry; RFC 6890 and its successors), of which none is a public host. */
const NOT_PUBLIC_4 = [
  "0.0.0.0/8", // this network; 0.0.0.0 reaches the machine itself
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local, with the metadata services of clouds
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved and broadcast
] as const;

/**
 * Only global unicast is public in IPv6. That leaves out loopback, link-local, unique local and multicast addresses, and
 * all that carry an IPv4 address in them: mapped (::ffff:0:0/96), compatible (::/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const PUBLIC_6 = ["2000::/3"] as const;
const NOT_PUBLIC_6 = [
  "2001::/23", // Teredo, ORCHID, benchmarks
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4 carries an IPv4 address
  "3fff::/20", // documentation
] as const;

function createBlockList(entries: readonly string[]): BlockList {
  const found = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/", 2);
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    found.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return found;
}

/** Whether a list of networks contains the address; false for a text that is not an address. */
function hasAddress(list: BlockList, address: string): boolean {
  const plain = removeZone(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
}

const notPublic4 = createBlockList(NOT_PUBLIC_4);
const public6 = createBlockList(PUBLIC_6);
const notPublic6 = createBlockList(NOT_PUBLIC_6);

/** Whether an IP address may belong to a host of the public internet; false for a text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const plain = removeZone(address);
  const family = isIP(plain);
  if (family === 4) return !hasAddress(notPublic4, plain);
  return family === 6 && hasAddress(public6, plain) && !hasAddress(notPublic6, plain);
}

/** `fe80::1%eth0` without its interface. */
const removeZone = (address: string): string => address.split("%", 1)[0] ?? "";

/** A forbidden connection. The message contains no address, because internal addresses must not be disclosed. */
export class ForbiddenTarget extends Error {
  override readonly name = "ForbiddenTarget";
  constructor() {
    super("the url leads to an address that webhooks may not reach");
  }
}

/** Resolves a name to all its addresses, like `node:dns`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const resolveBySystem: Resolve = (host, options, done) => resolve(host, { ...options }, done);

interface ConnectOptions {
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  readonly insecure: boolean;
}

/**
 * Creates a connector that connects only to targets that the guard permits. The name is resolved here, once,
 * and the socket uses exactly the checked addresses, so that a later change of the name has no effect (DNS
 * rebinding).
 */
export function createGuardedConnector(options: ConnectOptions): buildConnector.connector {
  const { guard, timeoutMs, insecure } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    rejectUnauthorized: !insecure,
    allowH2: false,
    lookup: createGuardedLookup(options),
  });
  return (target, done) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // A literal address is connected to without a lookup.
    if (isIP(host) !== 0 && !guard.permits(host, host)) {
      done(new ForbiddenTarget(), null);
      return;
    }
    connect(target, done);
  };
}

function createGuardedLookup({ guard, resolve }: ConnectOptions): LookupFunction {
  return (host, options, done) => {
    resolve(host, { all: true }, (failed, found) => {
      const error = failed ?? findForbidden(guard, host, found);
      const [first] = found ?? [];
      if (error !== null || first === undefined) done(error, []);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

/** All addresses must be permitted: which of them is tried is not ours to say. */
function findForbidden(
  guard: TargetGuard,
  host: string,
  found: readonly LookupAddress[],
): ForbiddenTarget | null {
  const permitted = found.length > 0 && found.every(({ address }) => guard.permits(host, address));
  return permitted ? null : new ForbiddenTarget();
}
