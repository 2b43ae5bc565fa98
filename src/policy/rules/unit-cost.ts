import { minus, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/context.ts";
import { unknown } from "./because.ts";
import { factReadings } from "./fact-reading.ts";
import type { RuleKind, Value } from "./rule-kind.ts";

/** By how many percent one unit of a metric (an order, a customer) gets dearer. */
export const unitCost: RuleKind<"unit-cost"> = {
  pers: ["pull-request"],
  parts: [],
  read: ({ context }, { limit }) =>
    factReadings(context.unitCosts, (costs) => {
      const value = ratioOf(costs.find(({ metric }) => metric === limit.metric));
      if (value === null) return { values: [], items: [], because: [unknown("not_stated")] };
      return { values: [value], items: [], because: [] };
    }),
};

function ratioOf(cost: UnitCost | undefined): Value | null {
  if (cost === undefined || cost.before === null || cost.after === null) return null;
  const previous = cost.before;
  const change = minus(cost.after, previous);
  const rough =
    previous === ZERO ? fromZero(Number(change)) : (Number(change) * 100) / Math.abs(Number(previous));
  return { kind: "percent", previous, change, rough };
}

const fromZero = (change: number): number => (change > 0 ? Number.POSITIVE_INFINITY : 0);
