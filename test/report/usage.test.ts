import { describe, expect, test } from "vitest";
import { buildReport } from "../../src/report/build.ts";
import type {
  ChangeKind,
  StageFacts,
  UsageBasedResources,
  UsageChange,
} from "../../src/report/model/facts.ts";
import { narrowReport } from "../../src/report/narrow.ts";
import { cost, facts, group, known, listed, moduleCost, resource, row, stage } from "./facts.ts";

const ADDRESS = "aws_lambda_function.worker";

const usage = (
  resources: Readonly<Record<string, UsageChange>>,
  but: Partial<UsageBasedResources> = {},
): UsageBasedResources => ({
  resources: Object.entries(resources).map(([address, change]) => ({
    address,
    type: address.split(".").at(-2) ?? "",
    change,
  })),
  unnamed: 0,
  unnamedUnchanged: 0,
  ...but,
});

const report = (...stages: readonly StageFacts[]) => buildReport(facts(...stages), { stages: [] });
const withUsage = (used: UsageBasedResources, but: Partial<StageFacts> = {}) =>
  stage({ cost: known(cost("10 > 10", { usage: used })), ...but });
const rows = (...kinds: readonly ChangeKind[]) => listed(...kinds.map((kind) => row(ADDRESS, kind)));
const NO_PLAN = { state: "unknown", reason: "no_plan" } as const;

describe("what happens to a usage-based resource", () => {
  test.each<{ is: UsageChange; what: string; planned: StageFacts["rows"]; expected: UsageChange }>([
    { is: "unchanged", what: "no row of it", planned: rows(), expected: "unchanged" },
    { is: "unchanged", what: "no plan", planned: NO_PLAN, expected: "unchanged" },
    { is: "unchanged", what: "a changed row", planned: rows("changed"), expected: "changed" },
    { is: "unchanged", what: "drift alone", planned: rows("drifted"), expected: "unchanged" },
    { is: "unchanged", what: "a replacement", planned: rows("replaced"), expected: "changed" },
    { is: "unchanged", what: "a deletion", planned: rows("deleted"), expected: "deleted" },
    { is: "unstated", what: "no row of it", planned: rows(), expected: "unchanged" },
    { is: "unstated", what: "no plan", planned: NO_PLAN, expected: "unstated" },
    {
      is: "unstated",
      what: "rows that are not all there",
      planned: known({ rows: [], omitted: 0, unread: 1 }),
      expected: "unstated",
    },
    { is: "unstated", what: "an added row", planned: rows("added"), expected: "added" },
    { is: "unstated", what: "an imported row", planned: rows("imported"), expected: "unchanged" },
    { is: "unchanged", what: "a row no longer managed", planned: rows("removed"), expected: "unchanged" },
    { is: "added", what: "no row of it", planned: rows(), expected: "added" },
    { is: "deleted", what: "no row of it", planned: rows(), expected: "deleted" },
  ])("that is $is by the estimate, with $what in the plan, is $expected", ({ is, planned, expected }) => {
    const [one] = report(withUsage(usage({ [ADDRESS]: is }), { rows: planned })).usageBased ?? [];
    expect(one?.change).toBe(expected);
  });

  test("is none where the plan only calls it otherwise", () => {
    const moved = { ...row("aws_lambda_function.new", "moved"), previousAddress: ADDRESS };
    const given = usage({ [ADDRESS]: "deleted", "aws_lambda_function.new": "added" });
    expect(report(withUsage(given, { rows: listed(moved) })).usageBased).toMatchObject([
      { address: "aws_lambda_function.new", change: "unchanged" },
    ]);
  });

  test("is a change where a platform lists it without an amount and states nothing more", () => {
    const parts = [{ name: "Requests", before: null, after: null, change: null, percent: null }];
    const listed = { ...resource(ADDRESS, "? > ?"), components: parts };
    const told = report(
      stage({ cost: known(cost("1 > 1", { groups: [group("aws_lambda_function", "0 > 0", [listed])] })) }),
    );
    expect(told.usageBased).toMatchObject([{ address: ADDRESS, change: "changed" }]);
    expect(told.stages[0]?.usageBased?.isStated).toBe(false);
    expect(told.resources[0]?.usageBased).toBe(true);
  });
});

describe("usage-based resources are counted", () => {
  const MIXED = usage(
    {
      "aws_s3_bucket.a": "added",
      "module.web.aws_s3_bucket.b": "deleted",
      "module.web.aws_lambda_function.c": "unchanged",
    },
    { unnamed: 1, unnamedUnchanged: 2 },
  );
  const counted = { before: 4, after: 5, introduced: 2, deleted: 1 };
  const groups = [group("aws_s3_bucket", "0 > 0"), group("aws_lambda_function", "0 > 0")];
  const told = report(
    stage({
      cost: known(cost("10 > 10", { usage: MIXED, groups })),
      modules: known([moduleCost("root", "10 > 10"), moduleCost("web", "0 > 0")]),
    }),
    stage({ workspace: "euro", cost: known(cost("1 > 1", { currency: "EUR" })) }),
  );

  test("in the stage, in the total of its currency, and over all", () => {
    expect(told.stages.map((line) => line.usage)).toEqual([counted, undefined]);
    expect(told.totals.map(({ currency, usage: own }) => [currency, own])).toEqual([
      ["EUR", undefined],
      ["USD", counted],
    ]);
    expect(told.usage).toEqual(counted);
  });

  test("in their module and in their type, as far as they are named", () => {
    const named = told.modules.filter(({ unattributed }) => !unattributed);
    expect(named.map((line) => [line.module, line.usage])).toEqual([
      ["root", { before: 0, after: 1, introduced: 1, deleted: 0 }],
      ["web", { before: 2, after: 1, introduced: 0, deleted: 1 }],
    ]);
    expect(told.resourceTypes.map((line) => [line.type, line.usage?.after])).toEqual([
      ["aws_lambda_function", 1],
      ["aws_s3_bucket", 1],
      ["unattributed", undefined],
      ["unattributed", undefined],
    ]);
  });

  test("in the measured parts only; an unnamed resource may be in any of them", () => {
    const narrowed = narrowReport(told, () => ({ by: "module", isMatch: ({ module }) => module === "root" }));
    expect(narrowed.usageBased?.map(({ address }) => address)).toEqual(["aws_s3_bucket.a"]);
    expect(narrowed.usage).toEqual({ before: 2, after: 4, introduced: 2, deleted: 0 });
  });
});

test("a stage that states no usage counts none", () => {
  const [line] = report(stage()).stages;
  expect([line?.usage, line?.usageBased?.isStated]).toEqual([undefined, false]);
});
