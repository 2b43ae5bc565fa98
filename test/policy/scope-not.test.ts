import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { Scope, ScopeNames } from "../../src/policy/model/policy.ts";
import { canScopeApply, isScopeCertain } from "../../src/policy/scope/mismatch.ts";
import { cost, known, stage } from "../report/facts.ts";
import { describeFindings, verdict } from "./evaluate-facts.ts";
import { CONTEXT, policy, problems } from "./policies.ts";
import { about, EMPTY, GROWN } from "./scopes.ts";

const DEV = stage({ workspace: "dev-1", cost: known(cost("0 > 1000")) });

describe("what a scope leaves out with not", () => {
  test.each<[string, Partial<EvaluationContext>, boolean]>([
    ['not: { authors: ["shop-bumper[bot]"] }', { author: "shop-bumper[bot]" }, false],
    ['not: { authors: ["shop-bumper[bot]"] }', { author: "alice" }, true],
    ["not: { authors: [shop-bumper] }", { author: "shop-bumper[bot]" }, true],
    ["not: { authors: [Alice] }", { author: "alice" }, false],
    ["not: { authors: [alice] }", { author: null }, true],
    ["not: { labels: [cost-ok] }", { labels: ["Cost-OK"] }, false],
    ["not: { labels: [cost-ok] }", { labels: [] }, true],
    ["not: { labels: [cost-ok] }", { labels: null }, true],
    ['not: { paths: ["docs/**"] }', { paths: ["docs/a.md"] }, false],
    ['not: { paths: ["docs/**"] }', { paths: ["docs/a.md", "main.tf"] }, true],
    ['not: { paths: ["docs/**"] }', { paths: ["docs/a.md"], pathsComplete: false }, true],
    ['not: { paths: ["docs/**"] }', { paths: [] }, true],
    ['paths: ["infra/**"], not: { paths: ["infra/docs/**"] }', { paths: ["infra/docs/a", "b"] }, false],
    ['paths: ["infra/**"], not: { paths: ["infra/docs/**"] }', { paths: ["infra/docs/a", "infra/b"] }, true],
    ['not: { branches: ["release/*"] }', { baseRef: "release/1" }, false],
    ['not: { branches: ["release/*"] }', { baseRef: "main" }, true],
  ])("%s of a pull request with %j: about it is %s", (scope, pull, isIn) => {
    expect(describeFindings(about(scope), { stages: [GROWN], pull })).toEqual([
      isIn ? "violated 60 USD" : "not_applicable",
    ]);
  });

  test.each([
    ['not: { stages: ["dev-*"] }', "violated 60 USD"],
    ['not: { workspaces: ["dev-*"] }', "violated 60 USD"],
    ['workspaces: ["*"], not: { workspaces: [prod-network] }', "violated 1000 USD"],
    ["not: { workspaces: [dev-1, prod-network] }", "not_applicable"],
  ])("%s of two stages: %s", (scope, expected) => {
    expect(describeFindings(about(scope), { stages: [GROWN, DEV] })).toEqual([expected]);
  });

  test.each([
    ["not: { modules: [web/db] }", "violated 10 USD"],
    ['not: { modules: ["module.web.module.*"] }', "violated 10 USD"],
    ['not: { resource_types: ["aws_*"] }', "violated 10 USD"],
    ["not: { providers: [Google] }", "violated 50 USD"],
    ['resource_types: ["*"], not: { providers: [aws, google] }', "not_applicable"],
  ])("%s of one stage: %s", (scope, expected) => {
    expect(describeFindings(about(scope), { stages: [GROWN] })).toEqual([expected]);
  });

  test("is reported as what it is, and never as a misspelling", () => {
    const [finding] = verdict(about('not: { stages: ["dev-*"] }'), { stages: [DEV] }).findings;
    expect(finding?.mismatch).toEqual({
      member: "stages",
      patterns: ["dev-*"],
      here: ["dev-1"],
      more: 0,
      meant: null,
      excluded: true,
    });
  });

  test("an execution of which nothing could be read is not left out", () => {
    const unread = stage({
      workspace: "execution-1",
      isUnread: true,
      cost: { state: "unknown", reason: "timed_out" },
    });
    expect(describeFindings(about('not: { workspaces: ["execution-*"] }'), { stages: [unread] })).toEqual([
      "undecided timed_out",
    ]);
  });

  test("a waiver covers only what is surely not left out", () => {
    const waived = (not: string, pull: Partial<EvaluationContext>) =>
      verdict(
        policy(`rules: [{ id: r, limit: { increase: 0 USD } }]
waivers: [{ rule: r, scope: { not: { ${not} } }, up_to: 90 USD, until: 2027-03-31, reason: x, owner: o }]`),
        { stages: [GROWN], pull },
      ).kind;
    expect(waived("authors: [bob]", { author: "alice" })).toBe("pass");
    expect(waived("authors: [bob]", { author: null })).toBe("block");
    expect(waived("authors: [shop-bumper]", { author: "shop-bumper[bot]" })).toBe("block");
    expect(waived("labels: [x]", { labels: null })).toBe("block");
    expect(waived('paths: ["docs/**"]', { paths: ["docs/a", "b.tf"] })).toBe("block");
    expect(waived('paths: ["docs/**"]', { paths: ["b.tf"] })).toBe("pass");
    expect(waived("workspaces: [prod-network]", {})).toBe("block");
  });
});

describe("not in a policy file", () => {
  const said = (scope: string, limit = "increase: 5 USD") =>
    problems(`version: 1\nrules:\n  - { id: r, limit: { ${limit} }, scope: { ${scope} } }\n`);

  test.each([
    ["not: {}", "rules[0].scope.not: found an empty mapping, expected at least one of branches, paths"],
    ["not: { author: [a] }", "rules[0].scope.not.author: is not a key here; did you mean authors?"],
    ["not: { stages: [] }", "rules[0].scope.not.stages: found an empty list, expected at least one entry"],
    ['stages: ["!dev"]', "leave things out with not, in a scope"],
  ])("scope { %s }: %s", (scope, words) => {
    expect(said(scope)).toContain(words);
  });

  test("names parts of a stage only for limits that are known part by part", () => {
    expect(said("not: { modules: [web] }", "changes: 5")).toContain(
      "rules[0].scope.not.modules: is not available for changes, which is not known part by part; remove it",
    );
  });
});

describe("whatever is left out", () => {
  const list = (...texts: string[]) => fc.subarray(texts);
  const names: fc.Arbitrary<ScopeNames> = fc
    .record({
      branches: list("main", "release/*"),
      paths: list("infra/**", "**/*.tf", "docs/**"),
      labels: list("cost", "x"),
      authors: list("alice", "shop-bumper"),
      stages: list("prod-*", "dev-1"),
      workspaces: list("prod-a", "*-1"),
    })
    .map((named) => ({ ...EMPTY, ...named }));
  const contexts = fc
    .record({
      baseRef: fc.constantFrom("main", "release/1", "other"),
      paths: list("infra/main.tf", "docs/a.md", "x"),
      pathsComplete: fc.boolean(),
      labels: fc.option(list("cost", "y")),
      author: fc.constantFrom("alice", "shop-bumper[bot]", "bob", null),
    })
    .map((pull): EvaluationContext => ({ ...CONTEXT, ...pull }));

  test("a scope with not is about no more than without, and what it surely is about it is about", () => {
    fc.assert(
      fc.property(names, names, contexts, (own, not, context) => {
        const scope: Scope = { ...own, not };
        const [may, mayWithout] = [canScopeApply(scope, context), canScopeApply(own, context)];
        const [surely, surelyWithout] = [isScopeCertain(scope, context), isScopeCertain(own, context)];
        // What is surely meant may be meant, and what is meant is meant without the exception too.
        expect([mayWithout || !may, surelyWithout || !surely]).toEqual([true, true]);
        expect([may || !surely, mayWithout || !surelyWithout]).toEqual([true, true]);
      }),
    );
  });
});
