import { BlockList, isIP } from "node:net";

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

/** Creates an address list of networks such as `10.0.0.0/8` and single addresses. */
export function createBlockList(entries: readonly string[]): BlockList {
  const found = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/", 2);
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    found.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return found;
}

/** Whether a list of networks contains the address; false for a text that is not an address. */
export function hasAddress(list: BlockList, address: string): boolean {
  const plain = removeZone(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
}

const notPublic4 = createBlockList(NOT_PUBLIC_4);
const public6 = createBlockList(PUBLIC_6);
const notPublic6 = createBlockList(NOT_PUBLIC_6);

/**
 * Whether an IP address may belong to a host of the public internet; false for a text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  const plain = removeZone(address);
  const family = isIP(plain);
  if (family === 4) return !hasAddress(notPublic4, plain);
  return family === 6 && hasAddress(public6, plain) && !hasAddress(notPublic6, plain);
}

/** `fe80::1%eth0` without its interface. */
const removeZone = (address: string): string => address.split("%", 1)[0] ?? "";
