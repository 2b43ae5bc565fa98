import { type Money, minus, ZERO } from "../../kernel/money.ts";
import { listMissedSavings } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { Limit } from "../model/policy.ts";
import { findReportUsageDoubt, listFactDoubts, unknown } from "./doubts.ts";
import { measureCondition } from "./measure-condition.ts";
import { measureBudget, measureCosts } from "./measure-costs.ts";
import { measureCounts } from "./measure-counts.ts";
import { measureTags } from "./measure-tags.ts";
import { createUndecided, type Measurement, type RuleKind, type SubjectValue } from "./measurement.ts";

const ALL = ["pull-request", "stage", "module", "resource-type", "tag"] as const;
const PARTS = ["modules", "types", "tags"] as const;
const COST = { granularities: ALL, parts: PARTS, measure: measureCosts } as const;
const COUNT = {
  unit: "count",
  granularities: ["pull-request", "stage"],
  parts: PARTS,
  measure: measureCounts,
} as const;
const WHOLE = { granularities: ["pull-request"], parts: [] } as const;

/** Everything about every kind of limit. The compiler rejects a kind that is missing here. */
export const RULE_KINDS: { readonly [kind in Limit["kind"]]: RuleKind<kind> } = {
  increase: { ...COST, unit: "money", words: "Most that the monthly cost may rise." },
  decrease: { ...COST, unit: "money", words: "Most that the monthly cost may fall." },
  percent: {
    ...COST,
    unit: "percent",
    words: "Most that the monthly cost may rise, in percent. A rise from zero exceeds every percentage.",
  },
  total: {
    ...COST,
    unit: "money",
    words:
      "Most that may be paid per month afterwards. A change that does not raise what is paid is only warned about.",
    // Groups by resource type list changed resources only.
    granularities: ["pull-request", "stage", "module", "tag"],
    parts: ["modules", "tags"],
  },
  deletions: { ...COUNT, words: "Most resources that may be deleted, replaced ones included." },
  replacements: { ...COUNT, words: "Most resources that may be deleted and created again." },
  changes: {
    ...COUNT,
    words: "Most creations, changes, deletions, imports and removals in all.",
    parts: [],
  },
  invocations: {
    ...COUNT,
    words: "Most actions that the plan may invoke (Terraform 1.14).",
    // Actions have no tags.
    parts: ["modules", "types"],
  },
  drift: {
    ...COUNT,
    words:
      "Most resources that may have been changed outside of the plan, of those that the plan changes too.",
    takesExisting: true,
  },
  unpriced: {
    ...COUNT,
    words: "Most created or changed resources that the estimator cannot price.",
    parts: ["types"],
    takesExisting: true,
  },
  usage: {
    ...COUNT,
    words: "Most created or changed resources whose price depends on usage that is not given.",
    takesExisting: true,
  },
  untagged: {
    ...COUNT,
    words:
      "Most created or changed resources that miss a required tag or have a value of it that is not allowed.",
    measure: measureTags,
  },
  "untagged-cost": {
    ...COUNT,
    unit: "money",
    words: "Most that such resources may cost per month afterwards.",
    // What the estimator cannot price is not known part by part.
    parts: ["types"],
    measure: measureTags,
  },
  "finops-issues": {
    ...COUNT,
    words: "Most new issues that the estimator's own FinOps policies may find (Infracost 2 with a base).",
    parts: [],
  },
  "estimator-policies": {
    ...COUNT,
    words:
      "Most of the estimator's own policies about tags, guardrails and budgets that may be violated (Infracost 2).",
    parts: [],
  },
  "missed-savings": {
    words: "Most that could be saved on resources that the pull request touches.",
    unit: "money",
    ...WHOLE,
    measure: ({ context }, { limit }) =>
      measureFact(context.savings, ({ totals, items, unmatched }) => ({
        values: (totals.length === 0 ? [{ ...limit.amount, amount: ZERO }] : totals).map(toMoneyValue),
        items: listMissedSavings({ items }).map(({ workspace, address }) => `${workspace}: ${address}`),
        because: unmatched > 0 ? [{ kind: "partial" }] : [],
      })),
  },
  anomalies: {
    words: "Most open cost anomalies of the granted perspectives.",
    unit: "count",
    ...WHOLE,
    measure: ({ context }) =>
      measureFact(context.anomalies, ({ count, items }) => ({
        values: [{ kind: "count", count }],
        items: items.map(({ id, resource }) => `${resource} (${id})`),
      })),
  },
  "anomaly-cost": {
    words: "Most that the open cost anomalies of the granted perspectives may cost above what was expected.",
    unit: "money",
    ...WHOLE,
    measure: ({ context }, { limit }) =>
      measureFact(context.anomalies, ({ count, impact, items }) => ({
        values: [toMoneyValue(count === 0 || impact === null ? { ...limit.amount, amount: ZERO } : impact)],
        items: items.map(({ id, resource }) => `${resource} (${id})`),
        because: count > 0 && impact === null ? [unknown("not_stated")] : [],
      })),
  },
  "governance-failures": {
    words: "Most governance evaluations that did not pass.",
    unit: "count",
    ...WHOLE,
    measure: ({ context }) =>
      measureFact(context.governance, ({ failed }) => ({ values: [{ kind: "count", count: failed }] })),
  },
  "unit-cost": {
    words: "Most that the cost of one unit of a metric may rise.",
    unit: "unit-cost",
    ...WHOLE,
    measure: (report, { limit }) =>
      measureFact(report.context.unitCosts, (costs) => {
        const units = costs.filter(({ metric }) => metric === limit.metric);
        const values = units.flatMap(({ before, after }): readonly SubjectValue[] =>
          before === null || after === null
            ? []
            : [{ kind: "percent", before, change: minus(after, before) }],
        );
        const isComplete = values.length > 0 && values.length === units.length;
        return { values, because: isComplete ? findReportUsageDoubt(report) : [unknown("not_stated")] };
      }),
  },
  budget: { ...WHOLE, parts: ["tags"], unit: "money", words: null, measure: measureBudget },
  when: { ...WHOLE, unit: "condition", words: null, parts: PARTS, measure: measureCondition },
};

const toMoneyValue = ({ amount, currency }: Money): SubjectValue => ({ kind: "money", amount, currency });

interface FactValues {
  readonly values: readonly SubjectValue[];
  readonly items?: readonly string[];
  /** Why the values are unreliable; empty or absent: they are reliable. */
  readonly because?: readonly UndecidedReason[];
}

/** Measures a fact about the whole pull request. An unknown or stale fact makes the rule undecided. */
function measureFact<T>(fact: Fact<T>, read: (value: T) => FactValues): readonly Measurement[] {
  if (fact.state !== "known") return [createUndecided(listFactDoubts(fact))];
  const { values, items = [], because = [] } = read(fact.value);
  if (because.length > 0) return [createUndecided(because)];
  return values.map((value) => ({ subject: null, value, because: [], items }));
}
