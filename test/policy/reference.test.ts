import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse as yaml } from "yaml";
import { DEFAULT_EXPECTATION } from "../../src/policy/default-expectation.ts";
import { policySchemaText } from "../../src/policy/file/json-schema.ts";
import { parsePolicy } from "../../src/policy/parse.ts";
import { RULE_KINDS } from "../../src/policy/rules/table.ts";
import { problems } from "./policies.ts";

const page = readFileSync(new URL("../../docs/policy-reference.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```yaml(?<whose> organisation)?\n(?<text>[\s\S]*?)```/g)].map(
  ({ groups }, index) => ({
    index,
    organisation: groups?.["whose"] !== undefined,
    text: groups?.["text"] ?? "",
  }),
);
const LEAVE = "version: 1\nallow_warn_on_unknown: [monthly-increase]\n";

/** Every key of a JSON Schema, with where it stands. */
function keysOf(schema: unknown, at = ""): string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  const own = Object.entries(properties).flatMap(([key, inner]) => {
    const path = at === "" ? key : `${at}.${key}`;
    return [path, ...keysOf(inner, path)];
  });
  return items === undefined ? own : [...own, ...keysOf(items, `${at}[]`)];
}

/** Every key that a document uses, written in the same way. */
function writtenKeys(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => writtenKeys(item, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === "" ? key : `${at}.${key}`;
    return [path, ...writtenKeys(inner, path)];
  });
}

describe("the reference", () => {
  test.each(examples)("example $index is a policy", ({ organisation, text }) => {
    expect(organisation ? problems(null, text) : problems(text, LEAVE)).toBe("");
  });

  test("has an example of every key", () => {
    const used = new Set(examples.flatMap(({ text }) => writtenKeys(yaml(text))));
    expect(keysOf(JSON.parse(policySchemaText())).filter((key) => !used.has(key))).toEqual([]);
  });

  test("tells for every limit what it can look at", () => {
    for (const [kind, { pers }] of Object.entries(RULE_KINDS)) {
      const cell = new RegExp(`^\\| \`${kind}\` \\|.*\\| ([^|]+) \\|$`, "m").exec(page)?.[1];
      const told = cell === "all" ? 4 : cell?.split(", ").map((per) => per.replaceAll("`", ""));
      expect([kind, told]).toEqual([kind, pers.length === 4 ? 4 : pers]);
    }
  });

  test("shows the default expectation as it is", () => {
    const shown = examples.filter(({ text }) => text.includes("tftpl"));
    const read = shown.map(({ text }) =>
      parsePolicy({ repository: { file: "f", text }, organisation: null }),
    );
    expect(read).toMatchObject([{ state: "ok", policy: { expect: [DEFAULT_EXPECTATION] } }]);
  });
});

test("the published schema is current", () => {
  const published = readFileSync(new URL("../../docs/policy.schema.json", import.meta.url), "utf8");
  expect(published).toBe(policySchemaText());
});
