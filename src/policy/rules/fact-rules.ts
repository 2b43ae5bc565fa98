import { type Money, minus, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { listMissedSavings } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { findReportUsageDoubt, unknown } from "./doubts.ts";
import type { Measurement, RuleKind, SubjectValue } from "./rule-kind.ts";

interface FactValues {
  readonly values: readonly SubjectValue[];
  readonly items: readonly string[];
  /** Why the values are unreliable; empty: they are reliable. */
  readonly because: readonly UndecidedReason[];
}

/** Measures a fact about the whole pull request. An unknown or stale fact makes the rule undecided. */
export function measureFact<T>(fact: Fact<T>, tell: (value: T) => FactValues): readonly Measurement[] {
  switch (fact.state) {
    case "known":
      return toReadings(tell(fact.value));
    case "absent":
      return [{ subject: null, value: null, because: [unknown("not_stated")] }];
    case "stale":
      return [{ subject: null, value: null, because: [unknown("unavailable")] }];
    case "unknown":
      return [{ subject: null, value: null, because: [unknown(fact.reason)] }];
  }
}

function toReadings({ values, items, because }: FactValues): readonly Measurement[] {
  if (because.length > 0) return [{ subject: null, value: null, because }];
  return values.map((value) => ({ subject: null, value, because: [], items }));
}

/** Limits the open cost anomalies of the perspectives that the repository is granted. */
export const anomalies: RuleKind<"anomalies"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }) =>
    measureFact(context.anomalies, ({ count, items }) => ({
      values: [{ kind: "count", count }],
      items: items.map(({ id, resource }) => `${resource} (${id})`),
      because: [],
    })),
};

/** Limits the failed evaluations of the governance engine on their newest day. */
export const governanceFailures: RuleKind<"governance-failures"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }) =>
    measureFact(context.governance, ({ failed }) => ({
      values: [{ kind: "count", count: failed }],
      items: [],
      because: [],
    })),
};

/** Limits the recommended monthly savings on resources that the pull request touches. */
export const missedSavings: RuleKind<"missed-savings"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }, { limit }) =>
    measureFact(context.savings, ({ totals, items, unmatched }) => ({
      values: totals.length === 0 ? [createZeroValue(limit.amount)] : totals.map(toMoneyValue),
      items: listMissedSavings({ items }).map(({ workspace, address }) => `${workspace}: ${address}`),
      because: unmatched > 0 ? [{ kind: "partial" }] : [],
    })),
};

const toMoneyValue = ({ amount, currency }: Money) => ({ kind: "money", amount, currency }) as const;

const createZeroValue = ({ currency }: Money) => ({ kind: "money", amount: ZERO, currency }) as const;

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
