import { describe, expect, it, test } from "vitest";
import { canonicalizeHost, isPlainOrigin, parseHost } from "../../src/kernel/host.ts";

describe("hosts are compared in one form", () => {
  it.each([
    ["https://App.Example.com/x", "app.example.com"],
    ["https://app.example.com./x", "app.example.com"],
    ["https://app.example.com:443", "app.example.com"],
    ["http://app.example.com:80", "app.example.com"],
    ["http://app.example.com:443", "app.example.com:443"],
    ["https://app.example.com.:8443", "app.example.com:8443"],
    ["https://b\u00fccher.example", "xn--bcher-kva.example"],
    ["https://xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["http://127.1:3000", "127.0.0.1:3000"],
    ["http://[0:0::1]:3000", "[::1]:3000"],
    ["ftp://app.example.com", null],
    ["app.example.com", null],
    ["", null],
  ])("%s is %s", (url, host) => {
    expect(parseHost(url)).toBe(host);
  });
});

test.each([
  ["CI.Example.com", "ci.example.com"],
  ["ci.example.com.", "ci.example.com"],
  ["ci.example.com:8443", "ci.example.com:8443"],
  ["ci.example.com:443", "ci.example.com"],
  ["b\u00fccher.example", "xn--bcher-kva.example"],
  ["[::1]:3000", "[::1]:3000"],
  ["https://ci.example.com", null],
  ["ci.example.com/x", null],
  ["user@ci.example.com", null],
  ["ci.example.com\\x", null],
  ["%63i.example.com", null],
  ["ci.example.com:99999", null],
  ["*.example.com", "*.example.com"],
  ["", null],
])("an operator's %s is the host %s", (written, host) => {
  expect(canonicalizeHost(written)).toBe(host);
});

test.each([
  ["https://app.example.com", true],
  ["HTTPS://APP.example.com:443", true],
  ["http://[::1]:3000", true],
  ["https://app.example.com.", false],
  ["https://user@app.example.com", false],
  ["https://app.example.com:", false],
  ["http://127.1", false],
])("%s is written as it is compared: %s", (origin, plain) => {
  expect(isPlainOrigin(origin)).toBe(plain);
});
