import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { evaluation, report, stage, unknownStage } from "./evaluation-builder.ts";
import { comment } from "./renderer.ts";

const SPAN = { from: "2026-11-16", to: "2027-01-31" };
const line = (stages: Evaluation["report"]["stages"], rest: Partial<Evaluation> = {}, more = {}) =>
  comment(evaluation({ report: report(stages, more), yearSpan: SPAN, ...rest }))
    .split("\n")
    .find((one) => one.startsWith("Until "));

describe("the cost until the end of the fiscal year", () => {
  it("is the change of each currency for the rest of it, rounded once", () => {
    expect(line([stage("a", ["100", "200.005"])])).toBe(
      "Until 31 Jan 2027, if merged on 16 Nov 2026: **+$250.01**.",
    );
    const euro = stage("b", ["9", "5"], { currency: "EUR" });
    expect(line([stage("a", ["0", "100"]), euro])).toBe(
      "Until 31 Jan 2027, if merged on 16 Nov 2026: **+$250.00**, **−€10.00**.",
    );
  });

  it("is unknown, at least, or no change, as the monthly change is", () => {
    const usage = { before: 0, after: 1, introduced: 1, deleted: 0 };
    const change = [stage("a", ["0", "2"])];
    expect(line(change, {}, { usage })).toContain(": at least **+$5.00**.");
    expect(line([stage("a", ["0", "2"], { state: "partial" })])).toContain(": **+$5.00**, the rest unknown.");
    expect(line([unknownStage("a")])).toContain(": unknown.");
    expect(line([stage("a", ["2", "2"])])).toContain(": no change.");
  });

  it("is not shown where the policy does not ask for it, without stages, and where figures are hidden", () => {
    const { yearSpan: _, ...without } = evaluation({ report: report([stage("a", ["0", "2"])]) });
    expect(comment(without)).not.toContain("Until ");
    expect(line([])).toBeUndefined();
    expect(
      line([stage("a", ["0", "2"])], { pull: { ...evaluation().pull, figures: false } }),
    ).toBeUndefined();
  });
});
