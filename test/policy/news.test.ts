import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { SmallChange } from "../../src/policy/model/policy.ts";
import { hasNews, isReasonGone } from "../../src/policy/news.ts";
import type { Report } from "../../src/report/model/report.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  money,
  report,
  row,
  stage,
} from "../render/evaluation-builder.ts";

const TEN: SmallChange = { amount: money("10"), percent: null };
const ONE_PERCENT: SmallChange = { amount: null, percent: decimal("1") };
const BOTH: SmallChange = { ...TEN, ...{ percent: decimal("1") } };

const evaluated = (kind: "pass" | "warn" | "block"): Evaluation["situation"] => ({
  kind: "evaluated",
  verdict: { kind, findings: [] },
});

function passing(cost: readonly [string, string], rest: Partial<Report> = {}): Evaluation {
  const told = report([stage("prod", cost, { counts: changes({ changed: 1 }) })], {
    changes: changes({ changed: 1 }),
    changesAreComplete: true,
    ...rest,
  });
  return evaluation({ report: told, situation: evaluated("pass") });
}

const speaks = (one: Evaluation, smallChange: SmallChange) => hasNews({ ...one, smallChange });

describe("a passing change of cost below the policy's thresholds", () => {
  it.each([
    ["up by less than the amount", ["100", "109.99"], TEN, false],
    ["down by less than the amount", ["100", "90.01"], TEN, false],
    ["up by exactly the amount", ["100", "110"], TEN, true],
    ["down by exactly the amount", ["100", "90"], TEN, true],
    ["nothing", ["100", "100"], TEN, false],
    ["under the percentage", ["10000", "10099.99"], ONE_PERCENT, false],
    ["at the percentage", ["10000", "10100"], ONE_PERCENT, true],
    ["from nothing, of which there is no percentage", ["0", "1"], ONE_PERCENT, true],
    ["under the amount and over the percentage", ["100", "105"], BOTH, true],
    ["over the amount and under the percentage", ["10000", "10050"], BOTH, true],
    ["under both", ["10000", "10005"], BOTH, false],
  ] as const)("%s", (...[, cost, small, expected]) => {
    expect(speaks(passing(cost), small)).toBe(expected);
  });

  it("is shown all the same where it is in another currency", () => {
    const euros = passing(["100", "101"], {});
    const totals = euros.report.totals.map((total) => ({ ...total, currency: "EUR" }));
    expect(speaks({ ...euros, report: { ...euros.report, totals } }, TEN)).toBe(true);
  });

  it.each<[string, Partial<Report>]>([
    ["a resource is deleted", { changes: changes({ deleted: 1 }) }],
    ["a resource is forgotten", { changes: changes({ removed: 1 }) }],
    ["its changes are not known", { changes: null }],
    ["some changes are not known", { changesAreComplete: false }],
    ["something new is paid by usage", { usage: { before: 0, after: 1, introduced: 1, deleted: 0 } }],
    [
      "something without a price is new",
      {
        rows: [row("added", "aws_vm.a")],
        unpriced: { count: 1, types: { aws_vm: 1 } },
        unpricedIsComplete: true,
      },
    ],
  ])("is shown all the same where %s", (_, rest) => {
    expect(speaks(passing(["100", "101"], rest), TEN)).toBe(true);
  });

  it("is shown all the same where the total is not known", () => {
    const known = passing(["100", "101"]);
    for (const state of ["partial", "inconsistent", "unknown"] as const) {
      const totals = known.report.totals.map((total) => ({ ...total, state }));
      expect(speaks({ ...known, report: { ...known.report, totals } }, TEN)).toBe(true);
    }
  });

  it("is shown all the same where the verdict does not pass", () => {
    for (const kind of ["warn", "block"] as const)
      expect(speaks({ ...passing(["100", "101"]), situation: evaluated(kind) }, TEN)).toBe(true);
  });

  it.each([
    ["somebody approved what is violated", { outcome: "violated", approved: true }],
    [
      "a waiver covers what is violated",
      { outcome: "violated", waiver: { owner: "finops", reason: "test", untilMs: 0 } },
    ],
    [
      "a rule's scope may be misspelt",
      {
        outcome: "not_applicable",
        mismatch: { member: "stages", patterns: ["prodution"], here: ["production"], more: 0, meant: null },
      },
    ],
  ] as const)("is shown all the same where %s", (_, more) => {
    const situation = evaluatedSituation("pass", [finding("increase", more)]);
    expect(speaks({ ...passing(["100", "101"]), situation }, TEN)).toBe(true);
    const still = passing(["100", "100"], { changes: changes({}) });
    expect(hasNews({ ...still, situation, quiet: true })).toBe(true);
  });

  it("is no news where a rule is for other branches", () => {
    const mismatch = { member: "branches", patterns: ["dev"], here: ["main"], more: 0, meant: null } as const;
    const situation = evaluatedSituation("pass", [
      finding("increase", { outcome: "not_applicable", mismatch }),
    ]);
    expect(speaks({ ...passing(["100", "101"]), situation }, TEN)).toBe(false);
  });
});

describe("the reason of a comment", () => {
  const nothing = (kind: "nothing_expected" | "draft"): Evaluation =>
    evaluation({
      report: report([]),
      situation: kind === "draft" ? { kind, verdict: null, missing: [] } : { kind },
    });

  it("is gone once nothing is expected, or only a small change is left", () => {
    expect(isReasonGone(nothing("nothing_expected"))).toBe(true);
    expect(isReasonGone({ ...passing(["100", "101"]), smallChange: TEN })).toBe(true);
    expect(isReasonGone(passing(["100", "101"]))).toBe(false);
  });

  it("is not gone in a draft, and not after the merge", () => {
    expect(isReasonGone(nothing("draft"))).toBe(false);
    const afterMerge = { days: 7, compared: 1, workspaces: 1, totals: [] };
    expect(isReasonGone({ ...nothing("nothing_expected"), afterMerge })).toBe(false);
  });
});
