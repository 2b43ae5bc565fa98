import { minus } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { unknown } from "./doubts.ts";
import { measureFact } from "./measure-fact.ts";
import type { RuleKind, SubjectValue } from "./rule-kind.ts";
import { findReportUsageDoubt } from "./usage-doubt.ts";

/** Limits the increase in percent of the cost of one unit of a metric (an order, a customer). */
export const unitCost: RuleKind<"unit-cost"> = {
  granularities: ["pull-request"],
  parts: [],
  read: (report, { limit }) =>
    measureFact(report.context.unitCosts, (costs) => {
      const values = costs.filter(({ metric }) => metric === limit.metric).map(computeRatio);
      const knownValues = values.filter((value) => value !== null);
      const isComplete = knownValues.length > 0 && knownValues.length === values.length;
      return {
        values: knownValues,
        items: [],
        because: isComplete ? findReportUsageDoubt(report) : [unknown("not_stated")],
      };
    }),
};

function computeRatio({ before, after }: UnitCost): SubjectValue | null {
  if (before === null || after === null) return null;
  return { kind: "percent", before, change: minus(after, before) };
}
