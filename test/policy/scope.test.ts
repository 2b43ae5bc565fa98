import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimal, plus, ZERO } from "../../src/kernel/money.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { Scope } from "../../src/policy/model/policy.ts";
import { isScopeCertain } from "../../src/policy/scope/mismatch.ts";
import { excludeScope, narrowToSureScope } from "../../src/policy/scope/scope.ts";
import { buildReport } from "../../src/report/build.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import type { Report } from "../../src/report/model/report.ts";
import {
  cost,
  counts,
  facts,
  group,
  known,
  listed,
  moduleCost,
  resource,
  row,
  stage,
} from "../report/facts.ts";
import { casesToTry } from "../world/depth.ts";
import { describeFindings, HIDDEN, verdict } from "./evaluate-facts.ts";
import { CONTEXT, policy, rule } from "./policies.ts";
import { about, EMPTY, GROWN } from "./scopes.ts";

const NAMED = 'stages: [{ match: { workspace: "prod-*" }, name: Production }]';
const named = (scope: string) =>
  policy(`${NAMED}\nrules: [{ id: r, limit: { increase: 0 USD }, scope: { ${scope} } }]`);

describe("which pull requests a rule is about", () => {
  test.each<[string, Partial<EvaluationContext>, boolean]>([
    ["branches: [main]", { baseRef: "main" }, true],
    ["branches: [main]", { baseRef: "release/1" }, false],
    ['branches: ["release/*"]', { baseRef: "release/1" }, true],
    ['paths: ["infra/**"]', { paths: ["docs/a.md", "infra/main.tf"] }, true],
    ['paths: ["infra/**"]', { paths: ["docs/a.md"] }, false],
    ["paths: [infra]", { paths: ["infra/live/main.tf"] }, true],
    ["paths: [infra]", { paths: ["infrastructure/main.tf", "a/infra/x"] }, false],
    ["paths: [Makefile]", { paths: ["Makefile"] }, true],
    ["not: { paths: [docs] }", { paths: ["docs/a.md"] }, false],
    ['paths: ["infra/**"]', { paths: ["docs/a.md"], pathsComplete: false }, true],
    ["labels: [cost]", { labels: ["Cost", "x"] }, true],
    ["labels: [cost]", { labels: ["x"] }, false],
    ["labels: [cost]", { labels: [] }, false],
    ["labels: [cost]", { labels: null }, true],
    ["authors: [Alice]", { author: "alice" }, true],
    ["authors: [alice]", { author: "bob" }, false],
    ["authors: [alice]", { author: null }, true],
    ["authors: [shop-bumper]", { author: "shop-bumper[bot]" }, true],
    ['authors: ["shop-bumper[bot]"]', { author: "shop-bumper[bot]" }, true],
    ["branches: [main], labels: [cost]", { baseRef: "main", labels: [] }, false],
  ])("%s of one with %j: %s", (scope, pull, isIn) => {
    expect(describeFindings(about(scope), { stages: [GROWN], pull })).toEqual([
      isIn ? "violated 60 USD" : "not_applicable",
    ]);
  });
});

describe("which parts of a pull request a rule is about", () => {
  test.each([
    ['workspaces: ["prod-*"]', "violated 60 USD"],
    ["workspaces: [staging]", "not_applicable"],
    ["stages: [Production]", "violated 60 USD"],
    ["stages: [prod-network]", "not_applicable"],
    ['modules: ["web/*"]', "violated 50 USD"],
    ["modules: [web]", "not_applicable"],
    ["modules: [root]", "violated 10 USD"],
    ['resource_types: ["aws_*"]', "violated 50 USD"],
    ["resource_types: [aws_db]", "not_applicable"],
    ["providers: [google]", "violated 10 USD"],
    ["providers: [azurerm]", "not_applicable"],
    ["providers: [Google]", "violated 10 USD"],
    ['modules: ["module.web.module.*"]', "violated 50 USD"],
    ['modules: ["module.{web,api}/**"]', "violated 50 USD"],
    ['modules: ["web/*"], resource_types: ["aws_*"]', "violated 50 USD"],
    ['modules: [root], resource_types: ["aws_*"]', "passed 0 USD"],
    ["stages: [Production], providers: [aws, google]", "violated 60 USD"],
  ])("%s: %s", (scope, expected) => {
    expect(describeFindings(named(scope), { stages: [GROWN] })).toEqual([expected]);
  });

  test("an execution of which not even the workspaces could be read is in every scope", () => {
    const unread = stage({
      workspace: "execution-1",
      isUnread: true,
      cost: { state: "unknown", reason: "timed_out" },
      counts: { state: "unknown", reason: "timed_out" },
    });
    for (const scope of ["workspaces: [prod]", "stages: [prod]", "modules: [web]", "providers: [aws]"])
      expect([scope, ...describeFindings(about(scope), { stages: [unread] })]).toEqual([
        scope,
        "undecided timed_out",
      ]);
  });

  test("an execution whose id is the name of a workspace is of its own workspace", () => {
    const named = stage({ workspace: "production", executionId: "production", cost: known(cost("0 > 100")) });
    expect(describeFindings(about("workspaces: [staging]"), { stages: [named] })).toEqual(["not_applicable"]);
  });

  test("an execution that may not be shown may be in every scope", () => {
    for (const scope of ["workspaces: [staging]", "modules: [web]", "providers: [azurerm]"])
      expect(verdict(about(scope), { stages: [GROWN], refused: [HIDDEN] }).kind).toBe("undecided");
  });

  test.each<[string, string, Partial<StageFacts>]>([
    ["modules: [web]", "modules are not known", { modules: { state: "unknown", reason: "timed_out" } }],
    ["modules: [web]", "modules leave some of the change", { modules: known([moduleCost("web", "0 > 0")]) }],
    [
      "modules: [web]",
      "a module is of another currency",
      { modules: known([moduleCost("web", "0 > 0"), moduleCost("root", "100 > 160", "EUR")]) },
    ],
    ["providers: [aws]", "types leave some of the change", { cost: known(cost("100 > 160")) }],
    [
      "modules: [web], providers: [aws]",
      "resources of the types are not listed",
      { cost: known(cost("100 > 160", { groups: [group("aws_instance", "100 > 160")] })) },
    ],
  ])("%s is undecided where %s", (scope, _, but) => {
    expect(verdict(about(scope), { stages: [{ ...GROWN, ...but }] }).kind).toBe("undecided");
  });

  test("the total cost is undecided where the modules do not state all of it", () => {
    const rule = policy("rules: [{ id: r, limit: { total: 500 USD }, scope: { modules: [web] } }]");
    const cheap = stage({ cost: known(cost("9000 > 9000")), modules: known([moduleCost("web", "1 > 1")]) });
    expect(describeFindings(rule, { stages: [cheap] })).toEqual(["undecided partial"]);
    const whole = stage({ cost: known(cost("1 > 1")), modules: known([moduleCost("web", "1 > 1")]) });
    expect(describeFindings(rule, { stages: [whole] })).toEqual(["passed 1 USD"]);
  });

  test("a rule per resource type in a module's scope is refused, as its types occur in other modules too", () => {
    const scoped = (per: string, scope: string) =>
      policy(`rules: [{ id: r, limit: { increase: 5 USD }, per: ${per}, scope: { ${scope} } }]`);
    expect(() => scoped("resource-type", "modules: [web]")).toThrow("no such lines");
    expect(() => scoped("module", "providers: [aws]")).toThrow("no such lines");
    expect(describeFindings(scoped("module", 'modules: ["web/*"]'), { stages: [GROWN] })).toEqual([
      "violated web.db: 50 USD",
    ]);
    expect(describeFindings(scoped("resource-type", "providers: [aws]"), { stages: [GROWN] })).toEqual([
      "violated aws_instance: 50 USD",
    ]);
  });

  test("counts are those of the rows of the part", () => {
    const rows = [
      row("aws_db_instance.a", "deleted"),
      row("aws_instance.b", "deleted"),
      row("aws_s3.c", "drifted"),
    ];
    const EXISTING: Readonly<Record<string, string>> = { drift: "existing: include" };
    const changed = (omitted: number) =>
      stage({ counts: known(counts({ deleted: 2, drifted: 1 })), rows: known({ rows, omitted, unread: 0 }) });
    const counted = (limit: string, scope: string, omitted = 0) =>
      describeFindings(
        policy(`rules: [{ id: r, limit: { ${limit}: 0 }, scope: { ${scope} }, ${EXISTING[limit] ?? ""} }]`),
        {
          stages: [changed(omitted)],
        },
      );
    expect(counted("deletions", "resource_types: [aws_db_instance]")).toEqual(["violated 1"]);
    expect(counted("deletions", "providers: [google]")).toEqual(["not_applicable"]);
    expect(counted("drift", "resource_types: [aws_instance]")).toEqual(["passed 0"]);
    expect(counted("drift", "resource_types: [aws_s3]")).toEqual(["violated 1"]);
    expect(counted("deletions", "providers: [google]", 1)).toEqual(["undecided too_large"]);
  });
});

describe("a waiver's scope contains only what is known to match", () => {
  test.each<[Partial<Scope>, Partial<EvaluationContext>, boolean]>([
    [{}, {}, true],
    [{ authors: ["alice"] }, { author: "alice" }, true],
    [{ authors: ["alice"] }, { author: null }, false],
    [{ authors: ["shop-bumper"] }, { author: "shop-bumper[bot]" }, false],
    [{ labels: ["cost"] }, { labels: null }, false],
    [{ labels: ["cost"] }, { labels: ["cost"] }, true],
    [{ paths: ["sandbox/**"] }, { paths: ["sandbox/a", "sandbox/b"] }, true],
    [{ paths: ["sandbox/**"] }, { paths: ["sandbox/a", "infra/b"] }, false],
    [{ paths: ["sandbox/**"] }, { paths: ["sandbox/a"], pathsComplete: false }, false],
    [{ paths: ["sandbox/**"] }, { paths: [] }, false],
    [{ branches: ["main"] }, { baseRef: "release" }, false],
  ])("%j of one with %j: %s", (scope, pull, isIn) => {
    expect(isScopeCertain({ ...EMPTY, ...scope }, { ...CONTEXT, ...pull })).toBe(isIn);
  });
});

const cents = fc.integer({ min: -50_000, max: 50_000 }).map((value) => (value / 100).toFixed(2));
const TYPES = ["aws_instance", "aws_db_instance", "google_sql"];
const MODULES = ["root", "web", "web.db"];

/** A stage whose types and modules explain it in full. */
const sound = fc
  .tuple(
    fc.constantFrom("prod-a", "prod-b", "staging"),
    fc.array(fc.tuple(fc.constantFrom(...TYPES), fc.constantFrom(...MODULES), cents), { maxLength: 6 }),
  )
  .map(([workspace, parts]) => {
    const sumOf = (own: typeof parts) =>
      own.reduce((total, [, , amount]) => plus(total, decimal(amount.replace(/^-0\.00$/, "0"))), ZERO);
    const by = (at: 0 | 1) => [...Map.groupBy(parts, (part) => part[at])];
    const groups = by(0).map(([type, own]) =>
      group(
        type,
        `0 > ${sumOf(own)}`,
        own.map(([, module, amount], index) => {
          const path = module === "root" ? "" : `module.${module.replace(".", ".module.")}.`;
          return resource(`${path}${type}.r${index}`, `0 > ${decimal(amount.replace(/^-0\.00$/, "0"))}`);
        }),
      ),
    );
    return stage({
      workspace,
      cost: known(cost(`0 > ${sumOf(parts)}`, { groups })),
      modules: known(by(1).map(([module, own]) => moduleCost(module, `0 > ${sumOf(own)}`))),
    });
  });
const reports = fc
  .uniqueArray(sound, { minLength: 1, maxLength: 3, selector: ({ workspace }) => workspace })
  .map((stages) => buildReport(facts(...stages), { stages: [] }));
const partScope = fc.constantFrom<Partial<Scope>>(
  { workspaces: ["prod-*"] },
  { stages: ["prod-a"] },
  { modules: ["web"] },
  { modules: ["web/**", "web"] },
  { resource_types: ["aws_*"] },
  { providers: ["google"] },
  { modules: ["web"], providers: ["aws"] },
  { workspaces: ["prod-a"], modules: ["root"] },
  { stages: ["staging"], resource_types: ["aws_db*"] },
);
const changeOf = (report: Report | null) => report?.totals[0]?.change ?? ZERO;

describe("parts of a report", () => {
  test("what is in a scope and what is not are the whole, exactly", () => {
    fc.assert(
      fc.property(reports, partScope, (report, parts) => {
        const scope = { ...EMPTY, ...parts };
        const [inside, outside] = [narrowToSureScope(report, scope), excludeScope(report, scope)];
        expect(plus(changeOf(inside), changeOf(outside))).toBe(changeOf(report));
        const rows = (part: Report | null) => part?.resources.length ?? 0;
        expect(rows(inside) + rows(outside)).toBe(rows(report));
        for (const part of [inside, outside])
          expect(part?.totals.every(({ state }) => state === "known") ?? true).toBe(true);
      }),
      { numRuns: casesToTry({ usual: 25, deep: 300 }) },
    );
  });
});

describe("a resource whose type nobody stated", () => {
  const stages = [
    stage({
      counts: known(counts({ deleted: 1 })),
      rows: listed({ ...row("a", "deleted"), type: "" }),
    }),
  ];

  test.each(['resource_types: ["aws_db_*"]', "providers: [aws]"])("may be in a scope by %s", (scope) => {
    expect(describeFindings(rule("deletions: 0", `scope: { ${scope} }`), { stages })).toEqual(["violated 1"]);
  });

  test("is in no waiver by type", () => {
    const excepted = policy(
      'rules: [{ id: r, limit: { deletions: 0 } }]\nwaivers: [{ rule: r, scope: { resource_types: ["aws_*"] }, until: 2027-01-01, reason: x, owner: y }]',
    );
    expect(describeFindings(excepted, { stages })).toEqual(["violated 1"]);
  });

  test("leaves a condition about rows undecided", () => {
    const condition = policy(
      'rules: [{ id: r, when: \'changes.rows.exists(r, r.action == "deleted" && r.type == "aws_db_instance")\' }]',
    );
    expect(describeFindings(condition, { stages })).toEqual(["undecided not_stated"]);
  });
});
