import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

const FORWARDED_FOR = "x-forwarded-for";

/**
 * Identifies clients by their addresses, also behind the operator's own proxies.
 *
 * @param trustedProxies IP addresses and networks (`10.0.0.0/8`)
 */
export function createClientAddresses(trustedProxies: readonly string[]) {
  const proxies = new BlockList();
  for (const network of trustedProxies) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  const isProxy = (address: string): boolean => {
    const plain = toPlainAddress(address);
    return isIP(plain) !== 0 && proxies.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
  return {
    isProxy,
    /**
     * Returns the address of the client that sent a request. A header counts only as far as trusted proxies
     * wrote it: the client is the last listed address that does not belong to a proxy.
     */
    getClient: (request: IncomingMessage): string => {
      const peer = request.socket.remoteAddress ?? "";
      if (!isProxy(peer)) return toClientAddress(peer);
      const listed = [request.headers[FORWARDED_FOR] ?? []].flat().join(",").split(",");
      const client = listed.map(withoutPort).findLast((address) => !isProxy(address));
      return client === undefined || isIP(toPlainAddress(client)) === 0
        ? toClientAddress(peer)
        : toClientAddress(client);
    },
  };
}

/**
 * Returns one form for all addresses of a client: IPv4 in its own notation, and of IPv6 the network of 64
 * bits.
 */
export function toClientAddress(address: string): string {
  const plain = toPlainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [left = "", right] = plain.split("::");
  const [head, tail] = [left, right ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = right === undefined ? 0 : 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  const groups = [...(head ?? []), ...Array<string>(Math.max(0, zeros)).fill("0"), ...(tail ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** A socket for both IP versions states IPv4 addresses as IPv6. */
const toPlainAddress = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/** Removes the client's port, which some proxies add. */
const withoutPort = (address: string): string =>
  /^\s*\[([^\]]*)\](:\d+)?\s*$/.exec(address)?.[1] ??
  /^\s*(\d+\.\d+\.\d+\.\d+):\d+\s*$/.exec(address)?.[1] ??
  address;
