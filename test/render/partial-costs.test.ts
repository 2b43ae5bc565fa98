import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { UsageCounts } from "../../src/report/model/report.ts";
import { evaluation, HEAD, report, stage } from "./evaluation-builder.ts";
import { comment } from "./renderer.ts";

describe("money that is not wholly known", () => {
  it("a stage whose cost is not known as a whole is marked beside its amount", () => {
    const stages = [stage("half", ["1", "1"], { state: "partial" }), stage("whole", ["1", "2"])];
    const text = comment(evaluation({ report: report(stages) }));
    expect(text).toContain("| `half` (partly unknown) | unknown | at least $1.00 | at least $1.00 |");
    expect(text).toContain("| `whole` | +$1.00 | $1.00 | $2.00 |");
    expect(text).toContain(
      "| **Total** | **+$1.00** known, rest unknown | at least **$2.00** | at least **$3.00** |",
    );
    expect(text).toContain("+$1.00 per month known, the rest unknown");
  });

  it("a stage of which no cost is known never costs $0.00", () => {
    const failed = stage("production", ["0", "0"], { state: "partial", because: ["not_estimated"] });
    const text = comment(evaluation({ report: report([failed, stage("dev", ["10", "82.08"])]) }));
    expect(text).toContain("| `production` (partly unknown) | unknown | unknown | unknown |");
    expect(text).toContain("| **Total** | **+$72.08** known, rest unknown |");
    expect(text).not.toMatch(/\$0\.00|%/);
  });

  it("a new usage-based resource can only add, a deleted one can only take away", () => {
    const headline = (usage: Partial<UsageCounts>): string => {
      const counts = { before: 0, after: 0, introduced: 0, deleted: 0, ...usage };
      const of = evaluation({ report: { ...report([stage("s", ["1", "2"])]), usage: counts } });
      return comment(of).split("\n")[0] ?? "";
    };
    expect(headline({ introduced: 1, after: 1 })).toContain("at least +$1.00 per month");
    expect(headline({ deleted: 1, before: 1 })).toContain("at most +$1.00 per month");
    expect(headline({ introduced: 1, deleted: 1 })).toContain("+$1.00 per month known, the rest unknown");
    expect(headline({})).toContain("+$1.00 per month (+100%)");
  });

  it("since the last push is shown only where both are known: a new usage-based resource may cost anything", () => {
    const stages = [stage("s", ["1", "2"])];
    const { totals } = report(stages);
    const at = (usage: UsageCounts | undefined) =>
      comment(
        evaluation({
          report: { ...report(stages), totals: totals.map((total) => ({ ...total, usage })) },
          previous: { headSha: HEAD, totals },
        }),
      );
    expect(at(undefined)).toContain("): no change in cost.");
    expect(at({ before: 0, after: 1, introduced: 1, deleted: 0 })).not.toContain("Since the last push");
    expect(at({ before: 1, after: 1, introduced: 0, deleted: 0 })).toContain("): no change in cost.");
  });

  it("a cost is called new only where it is known that nothing was paid before", () => {
    const fresh = report([stage("s", ["0", "2"])]);
    const used = { before: 1, after: 1, introduced: 0, deleted: 0 };
    const paidByUse = { ...fresh, totals: fresh.totals.map((total) => ({ ...total, usage: used })) };
    const failed = stage("b", ["0", "0"], { state: "partial", because: ["not_estimated"] });
    const headline = (of: Evaluation["report"]) => comment(evaluation({ report: of })).split("\n")[0] ?? "";
    expect(headline(fresh)).toContain("+$2.00 per month (new)");
    expect(headline(paidByUse)).toMatch(/\+\$2\.00 per month$/);
    expect(headline(report([stage("s", ["0", "2"]), failed]))).toContain(
      "+$2.00 per month known, the rest unknown",
    );
  });
});
