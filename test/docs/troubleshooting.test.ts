import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const PAGE = readFileSync("docs/troubleshooting.md", "utf8");
const SOURCES = globSync(["src/**/*.ts", "templates/**/*.hbs"])
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

it("every message that the page about what goes wrong quotes is in the source or the templates", () => {
  const quoted = [...PAGE.matchAll(/^> (.*)$/gm)].map(([, message = ""]) => message);
  expect(quoted.length).toBeGreaterThanOrEqual(20);
  const missing = quoted.filter((message) => !message.split("…").every((part) => isInSources(part.trim())));
  expect(missing).toEqual([]);
});

/** `/readyz` joins the name of a part and its reason. */
const isInSources = (part: string): boolean => SOURCES.includes(part.replace(/^github failed: /, ""));

it("every code that the page about what goes wrong names is a code of an error", () => {
  const codes = [...PAGE.matchAll(/\bCode (`[a-z_]+`(?: or `[a-z_]+`)*)/g)].flatMap(([, list = ""]) => [
    ...list.matchAll(/`([a-z_]+)`/g),
  ]);
  expect(codes.length).toBeGreaterThan(8);
  const declared = readFileSync("src/kernel/errors.ts", "utf8");
  expect(codes.filter(([, code]) => !declared.includes(`| "${code}"`)).map(([, code]) => code)).toEqual([]);
});
