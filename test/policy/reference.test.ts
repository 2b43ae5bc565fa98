import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse as yaml } from "yaml";
import { fillPage, renderCaseSchema, renderPolicySchema } from "../../scripts/policy-reference.ts";
import { readCases } from "../../src/policy/cases/case-schema.ts";
import { evaluateCase } from "../../src/policy/cases/evaluate-case.ts";
import { DEFAULT_EXPECTATION, parsePolicy } from "../../src/policy/file/parse.ts";
import { RULE_KINDS } from "../../src/policy/rules/rule-kinds.ts";
import { compileCondition } from "../../src/policy/when/compile.ts";
import { policy, problems } from "./policies.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const read = (path: string) => readFileSync(join(DOCS, path), "utf8");
const page = read("policy-reference.md");
const examples = [...page.matchAll(/```yaml(?<whose> organisation)?\n(?<text>[\s\S]*?)```/g)]
  .map(({ groups }, index) => ({
    index,
    organisation: groups?.["whose"] !== undefined,
    text: groups?.["text"] ?? "",
  }))
  .filter(({ text }) => !/^cases:/m.test(text));
const recipes = readdirSync(join(DOCS, "recipes")).map((name) => `recipes/${name}`);
const LEAVE = "version: 1\nallow_warn_on_unknown: [monthly-increase]\n";

/** Scopes and approvals are told once, where rules are. */
const SAME_AS_OF_RULES = /^(budgets|waivers)\[\]\.(scope|approve)\./;

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
    const told = keysOf(JSON.parse(renderPolicySchema())).filter((key) => !SAME_AS_OF_RULES.test(key));
    expect(told.filter((key) => !used.has(key))).toEqual([]);
  });

  test("has cases of every limit, met and exceeded", () => {
    const cases = readCases(read("../examples/policies/limits.test.yml"));
    const parsed = parsePolicy({
      repository: { file: "limits.yml", text: read("../examples/policies/limits.yml") },
      organisation: null,
    });
    if (cases.state !== "ok" || parsed.state !== "ok") throw new Error("the examples cannot be read");
    const { rules } = parsed.policy;
    expect(new Set(rules.map(({ limit }) => limit.kind))).toEqual(new Set(Object.keys(RULE_KINDS)));
    const results = cases.file.cases.map((each) => evaluateCase(each, parsed.policy));
    expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
    for (const { id } of rules) {
      const outcomes = results.flatMap(({ verdict }) => verdict.findings.filter(({ rule }) => rule === id));
      const found = new Set(outcomes.map(({ outcome }) => outcome));
      expect([id, found.has("passed"), found.has("violated")]).toEqual([id, true, true]);
    }
  });

  test("has members of cases for the platform's facts", () => {
    const rules = policy(`rules:
  - { id: suggested, when: 'governance_prompts.exists(p, p.type == "aws_instance")' }
  - { id: short, when: 'lifetimes.exists(l, l.hours > 8.0 && l.amount > 1)' }
`);
    const stages = "stages: [{ workspace: w, before: 0, after: 730 }]";
    const cases = readCases(`cases:
  - { case: nothing, ${stages}, expect: { verdict: pass } }
  - case: both
    ${stages}
    lifetime: 10h
    governance_prompts: [{ type: aws_instance, description: Stop idle instances }]
    expect: { findings: { suggested: violated, short: violated } }
  - case: neither is known
    ${stages}
    unknown: [governance_prompts, lifetimes]
    expect: { findings: { suggested: undecided, short: undecided } }
`);
    if (cases.state !== "ok") throw new Error(JSON.stringify(cases));
    const results = cases.file.cases.map((each) => evaluateCase(each, rules));
    expect(results.flatMap(({ differences }) => differences)).toEqual([]);
  });

  test("shows the default expectation as it is", () => {
    const shown = examples.filter(({ text }) => text.includes("tftpl"));
    const read = shown.map(({ text }) =>
      parsePolicy({ repository: { file: "f", text }, organisation: null }),
    );
    expect(read).toMatchObject([{ state: "ok", policy: { expect: [DEFAULT_EXPECTATION] } }]);
  });
});

describe("what is generated is current", () => {
  test("the schemas", () => {
    expect(read("policy.schema.json")).toBe(renderPolicySchema());
    expect(read("policy-cases.schema.json")).toBe(renderCaseSchema());
  });

  test.each(["policy-reference.md", ...recipes])("%s", (path) => {
    const filled = fillPage(read(path), (file) => read(join(dirname(path), file)));
    expect(read(path)).toBe(filled);
    expect(filled).toContain("<!-- generated: ");
  });
});

describe("the recipes", () => {
  test("are at least ten, each with a policy, cases and a place in the reference", () => {
    expect(recipes.length).toBeGreaterThanOrEqual(10);
    const policies = readdirSync(join(DOCS, "../examples/policies"));
    for (const recipe of recipes) {
      const name = basename(recipe, ".md");
      expect(policies).toEqual(expect.arrayContaining([`${name}.yml`, `${name}.test.yml`]));
      expect(page).toContain(`](${recipe})`);
    }
  });
});

describe("the reference of conditions", () => {
  test("names operators and functions that there are", () => {
    for (const expression of [
      "pull.draft ? !pull.draft : pull.number >= 1 && pull.number <= 2 || pull.number != 3",
      '"x" in pull.labels && (cost.change + 1 - 2) * 3 > -cost.change',
      'stages.exists_one(s, s.name == "x") && stages.all(s, s.deleted < 1) && size(stages) > 1',
      "sum(stages.filter(s, s.added == 1).map(s, s.change)) > 5",
      'pull.base.startsWith("a") && pull.base.endsWith("b") && pull.base.contains("c") && pull.base.size() > 2',
      'pull.base.like("^a+$")',
    ])
      expect([expression, compileCondition(expression)]).toMatchObject([expression, { ok: true }]);
  });
});
