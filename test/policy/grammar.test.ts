import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { mutants } from "./mutants.ts";
import { policy, problems } from "./policies.ts";

const text = readFileSync(new URL("../../docs/policy.schema.json", import.meta.url), "utf8");
const isBySchema = new Ajv2020({ strict: false }).compile(JSON.parse(text));

/** Every problem of an organisation's file, which may use all of the language. */
const problemsOf = (value: unknown): string => problems(null, JSON.stringify(value, null, 1));

describe("the published schema and the reader", () => {
  test("whatever the reader takes, the schema takes", () => {
    fc.assert(
      fc.property(mutants, (value) => {
        if (problemsOf(value) === "") expect([value, isBySchema(value)]).toEqual([value, true]);
      }),
      { numRuns: casesToTry({ usual: 50, deep: 1_500 }) },
    );
  });
});

describe("numbers as they are written", () => {
  test.each(["0.0000001", "0.00000015"])("a percentage of %s", (percent) => {
    const [rule] = policy(`rules: [{ id: r, limit: { percent: ${percent} } }]`).rules;
    expect(rule?.limit).toEqual({ kind: "percent", percent });
  });
});

describe("approvers that nobody can fill, or that say two things", () => {
  const said = (approve: string): string =>
    problems(`version: 1\nrules: [{ id: r, limit: { drift: 0 }, approve: ${approve} }]`);

  test.each([
    [
      "{ all: [{ count: 1 }] }",
      'approve.all[0]: found a mapping with "count", expected teams, users, permission or codeowners',
    ],
    ["{ all: [{ users: [a] }], count: 3 }", 'approve: found a mapping with "all", "count", expected'],
    [`{ ${"k".repeat(59)}😀: 1 }`, `found a mapping with "${"k".repeat(59)}", expected`],
    ["{ users: [a, A, b], count: 3 }", "approve.count: found 3, expected at most 2"],
    [
      "{ all: [{ teams: [t] }, { users: [a], count: 2 }] }",
      "approve.all[1].count: found 2, expected at most 1",
    ],
  ])("%s is refused", (approve, words) => {
    expect(said(approve)).toContain(words);
  });

  test.each(["{ users: [a], teams: [t], count: 3 }", "{ users: [a], permission: admin, count: 3 }"])(
    "%s may be filled",
    (approve) => expect(said(approve)).toBe(""),
  );
});

describe("names that read like another one", () => {
  const said = (name: string): string =>
    problems(`version: 1\ncheck_names: [{ branch: main, name: ${JSON.stringify(name)} }]`);

  test.each([
    " tollgate: main",
    "cost gate ",
    "   ",
    "toll\u200bgate: main",
    "\u202etollgate: main",
    "a\u00a0",
  ])("%j is refused", (name) => expect(said(name)).toContain("check_names[0].name"));

  test("others are not", () => expect(said("cost gate 💶")).toBe(""));
});

test("a waiver needs a reason and an owner that can be read", () => {
  const said = problems(
    'version: 1\nrules: [{ id: r, limit: { drift: 0 } }]\nwaivers: [{ rule: r, until: 2027-01-01, reason: "  ", owner: "\\u200b" }]',
  );
  expect(said).toContain("waivers[0].reason");
  expect(said).toContain("waivers[0].owner");
});

test.each([
  ["up_to: 1%", "waivers[0].up_to: found a percentage, expected a whole number"],
  ["scope: { providers: [registry.opentofu.org/hashicorp/aws] }", "waivers[0].scope.providers[0]"],
])("what would quietly mean something else is refused: %s", (member, words) => {
  const text = `rules: [{ id: r, limit: { deletions: 0 } }]\nwaivers: [{ rule: r, ${member}, until: 2027-01-01, reason: x, owner: y }]`;
  expect(problems(`version: 1\n${text}`)).toContain(words);
});
