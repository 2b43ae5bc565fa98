import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientAddresses, toClientAddress } from "../../src/wiring/http/client-addresses.ts";

const PROXY = "10.1.2.3";

const clientOf = (trusted: readonly string[], peer: string, forwarded?: string) =>
  createClientAddresses(trusted).getClient({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage); // all that is read of a request

describe("the sender of a request", () => {
  it("is its connection's address where no proxy is trusted, whatever a header says", () => {
    expect(clientOf([], "203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
    expect(clientOf(["10.0.0.0/8"], "203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  });

  it.each([
    ["the address that the proxy adds", "198.51.100.1"],
    ["the last address, not one that the client invents", "192.0.2.1, 198.51.100.1"],
    ["the address before a second trusted proxy", "198.51.100.1, 10.9.9.9"],
    ["an address with a port", "198.51.100.1:4711"],
    ["an address written as IPv6", "::ffff:198.51.100.1"],
  ])("behind a trusted proxy is %s", (_what, forwarded) => {
    expect(clientOf(["10.0.0.0/8"], PROXY, forwarded)).toBe("198.51.100.1");
  });

  it.each(["", "unknown", "_hidden", "10.9.9.9"])(
    "is the proxy itself where it sends no address but %j",
    (forwarded) => expect(clientOf(["10.0.0.0/8"], PROXY, forwarded)).toBe(PROXY),
  );

  it("has one share for all addresses of its IPv6 network", () => {
    expect(toClientAddress("2001:db8:1:2::1")).toBe("2001:db8:1:2::/64");
    expect(toClientAddress("2001:0DB8:1:2:ffff:ffff:ffff:ffff")).toBe("2001:db8:1:2::/64");
    expect(toClientAddress("::1")).toBe("0:0:0:0::/64");
    expect(clientOf(["fd00::/8"], "fd00::1", "[2001:db8::7]:443")).toBe("2001:db8:0:0::/64");
    expect(toClientAddress("::ffff:203.0.113.9")).toBe("203.0.113.9");
  });

  it("is found in any header", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (forwarded) => {
        expect(clientOf(["10.0.0.0/8"], PROXY, forwarded)).toMatch(/^[\d.]+$|^[\da-f:]+::\/64$/);
      }),
    );
  });
});
