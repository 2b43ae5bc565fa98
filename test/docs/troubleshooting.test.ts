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

it("the page about what goes wrong names every code of an error, and no other", () => {
  const codes = [...PAGE.matchAll(/\bCode (`[a-z_]+`(?: or `[a-z_]+`)*)/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code),
  );
  const [, union = ""] = readFileSync("src/kernel/errors.ts", "utf8").split(
    /^export (?=type ErrorCode|interface)/m,
  );
  const declared = [...union.matchAll(/\| "([a-z_]+)"/g)].map(([, code = ""]) => code);
  expect(declared.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !declared.includes(code))).toEqual([]);
  expect(declared.filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
});
