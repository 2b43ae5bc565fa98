import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { listWrittenPatterns } from "../../src/policy/file/policy-patterns.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import { collectRecentNames, findUnmatchedPatterns } from "../../src/policy/recent-names.ts";
import type { Report } from "../../src/report/model/report.ts";
import { moduleCost, report, resource, row, stage } from "../render/evaluation-builder.ts";
import { HIDDEN } from "./evaluate-facts.ts";
import { CONTEXT } from "./policies.ts";

const PROD = stage("prod-network", ["1", "2"], { modules: [moduleCost("web.db", "1")], types: [] });
const USUAL = report([PROD], { resources: [resource("module.web.module.db.aws_instance.a", "1")] });
const STAGES = [{ workspace: "prod-*", name: "production" }];

/** Patterns of the rules' scopes that nothing of these pull requests matches. */
function unmatched(rules: string, pulls: readonly Report[], context: Partial<EvaluationContext> = {}) {
  const text = `version: 1\nrules: [{ id: r, limit: { increase: 0 USD }, ${rules} }]\n`;
  const recent = collectRecentNames(
    pulls.map((one) => ({ report: one, context: { ...CONTEXT, ...context } })),
  );
  const found = findUnmatchedPatterns(listWrittenPatterns(text), recent, STAGES);
  return found.map(({ path, pattern, there, meant }) => ({ path, pattern, there, meant }));
}

describe("a pattern that matches nothing of recent pull requests is reported by itself", () => {
  const stage = { there: ["production"], meant: "production" };
  const far = { ...stage, meant: null };
  test.each([
    ["scope: { stages: [prodution, production] }", { path: "scope.stages[0]", ...stage }],
    ["scope: { stages: [prod-network] }", { path: "scope.stages[0]", ...far }],
    ['scope: { workspaces: ["*", "prd-*"] }', { path: "scope.workspaces[1]", there: ["prod-network"] }],
    [
      "scope: { modules: [web.db, web/bd] }",
      { path: "scope.modules[1]", there: ["root", "web/db"], meant: "web/db" },
    ],
    [
      "scope: { resource_types: [aws_instanc] }",
      { path: "scope.resource_types[0]", there: ["aws_instance"], meant: "aws_instance" },
    ],
    ["scope: { providers: [AWS, azurerm] }", { path: "scope.providers[1]", there: ["aws"], meant: null }],
    ["scope: { not: { stages: [prodution] } }", { path: "scope.not.stages[0]", ...stage }],
    ['enforce: { prodution: block, "*": warn }', { path: "enforce.prodution", ...stage }],
    ['enforce: { "prd-*": block, "*": warn }', { path: 'enforce["prd-*"]', ...far }],
  ])("%s", (rules, { path, ...expected }) => {
    expect(unmatched(rules, [USUAL, report([])])).toMatchObject([{ path: `rules[0].${path}`, ...expected }]);
  });

  test.each([
    'scope: { stages: [production], workspaces: ["prod-{network,dns}"], modules: ["web/*"] }',
    "scope: { resource_types: [aws_*], providers: [Aws], branches: [nowhere], authors: [nobody] }",
    'scope: { not: { modules: ["**"] } }, enforce: { production: block, "*": warn }',
    "enforce: warn",
  ])("not where each matches something: %s", (rules) => {
    expect(unmatched(rules, [USUAL])).toEqual([]);
  });
});

const TYPO = "scope: { stages: [prodution], modules: [web/bd], resource_types: [aws_db_*] }";
const UNREAD = stage("kX7pQ2mVTzW9", ["1", "2"], { isUnread: true });

describe("nothing is reported where recent pull requests may have what the pattern is about", () => {
  test.each<[string, readonly Report[], readonly string[]]>([
    ["none was evaluated", [], []],
    ["none has a stage", [report([])], []],
    ["an execution could not be read", [report([UNREAD])], []],
    ["an execution may not be shown", [{ ...USUAL, refused: [HIDDEN] }], []],
    [
      "neither modules nor rows are known",
      [report([stage("a", ["1", "2"], { rowsBecause: "no_plan" })])],
      ["prodution"],
    ],
    ["not all rows are listed", [report([{ ...PROD, omittedRows: 1 }])], ["prodution", "web/bd"]],
    ["a type is not stated", [report([PROD], { rows: [row("changed", "a")] })], ["prodution", "web/bd"]],
    ["one of two is known whole", [USUAL, report([UNREAD])], ["prodution", "web/bd", "aws_db_*"]],
  ])("%s", (_, pulls, patterns) => {
    expect(unmatched(TYPO, pulls).map(({ pattern }) => pattern)).toEqual(patterns);
  });

  test("a workspace that the repository is known to have is there, though no pull request touches it", () => {
    const known = {
      org: "o",
      project: "p",
      workspace: "staging",
      currency: "USD",
      amount: decimal("5"),
    };
    const budgetUse = { workspaces: [known], pulls: [], unknown: [] };
    expect(unmatched("scope: { workspaces: [staging] }", [USUAL])).toHaveLength(1);
    expect(unmatched("scope: { workspaces: [staging] }", [USUAL], { budgetUse })).toEqual([]);
  });
});

test("patterns of names, expectations, budgets and waivers are reported with their places", () => {
  const text = `version: 1
stages: [{ match: { workspace: "prod-*" }, name: production }]
expect: [{ paths: ["**"], workspaces: [dns] }]
rules: [{ id: r, limit: { drift: 0 }, enforce: { production: warn } }]
budgets: [{ id: b, amount: 5 USD, scope: { not: { stages: [staging] } } }]
waivers: [{ rule: r, scope: { stages: [x] }, until: 2999-01-01, reason: x, owner: o }]
`;
  expect(
    listWrittenPatterns(text).map(
      ({ line, column, path, pattern }) => `${line}:${column} ${path} ${pattern}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "2:32 stages[0].match.workspace prod-*",
      "3:40 expect[0].workspaces[0] dns",
      "4:50 rules[0].enforce.production production",
      "5:60 budgets[0].scope.not.stages[0] staging",
      "6:40 waivers[0].scope.stages[0] x",
    ]
  `);
  expect(listWrittenPatterns("version: 1\nrules: [{ id: r }]\n")).toEqual([]);
});
