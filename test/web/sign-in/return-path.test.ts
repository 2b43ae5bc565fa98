import { expect, test } from "vitest";
import { parseReturnPath } from "../../../src/web/sign-in/routes.ts";

test.each([
  "/",
  "/r/acme/shop/pull/7",
  "/r/acme/shop/pull/7?stage=prod&sort=-change#modules",
  "/o/acme?team=acme%2Ffinops",
  "/r/acme/shop?file=a%20b.tf",
])("after sign-in a browser returns to %s", (path) => {
  expect(parseReturnPath(path)).toBe(path);
});

test.each([
  undefined,
  "",
  "r/acme",
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  "/%2f/evil.example",
  "/%2F%2Fevil.example",
  "/%252f%252fevil.example",
  "/%5cevil.example",
  "/%09/evil.example",
  "/.//evil.example",
  "/../evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/x//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "/ /evil.example",
  "/\u00a0evil.example",
  "/\u2028evil",
  "/sign-in",
  "/sign-in/start?return_to=/",
  "/sign-out",
  "http:/evil.example",
  "@evil.example",
  `/${"a".repeat(3_000)}`,
])("after sign-in a browser is not sent to %j", (path) => {
  expect(parseReturnPath(path)).toBe("/");
});
