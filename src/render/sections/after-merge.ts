import { type Decimal, minus } from "../../kernel/money.ts";
import type { CostAfterMerge, UnitCostAfterMerge } from "../../policy/model/evaluation.ts";
import { formatName } from "../escape.ts";
import {
  createDistinctStyle,
  createUnitStyle,
  formatCount,
  formatDay,
  isRoundingVisible,
  type MoneyStyle,
} from "../format.ts";
import { MAX_UNITS } from "./context.ts";
import type { Section, SectionSource } from "./section.ts";

/** The section about a merged pull request: estimated cost, actual cost, and their difference. */
export const buildAfterMergeSection = ({ evaluation: { afterMerge, pull } }: SectionSource): Section => ({
  template: "after-merge",
  isRequired: true,
  view: () => (afterMerge === undefined || !pull.figures ? null : buildAfterMergeView(afterMerge)),
});

function buildAfterMergeView({ days, compared, workspaces, totals, units = [] }: CostAfterMerge) {
  const totalViews = totals.map(({ currency, estimated, actual }) =>
    buildDifferenceView(createDistinctStyle(currency, [estimated, actual]), estimated, actual),
  );
  const unitViews = units.slice(0, MAX_UNITS).map(buildUnitView);
  return {
    days,
    oneDay: days === 1,
    some: compared > 0 && compared < workspaces,
    compared: formatCount(compared),
    workspaces: formatCount(workspaces),
    totals: totalViews,
    units: unitViews,
    rounded: [...totalViews, ...unitViews].some(({ rounded }) => rounded),
  };
}

/** `rounded`: the rounded difference is not the difference of the rounded amounts. */
function buildDifferenceView({ amount, change, rounded }: MoneyStyle, estimated: Decimal, actual: Decimal) {
  const by = minus(actual, estimated);
  return {
    estimated: amount(estimated),
    actual: amount(actual),
    difference: change(by),
    rounded: isRoundingVisible([rounded(estimated), rounded(by)], rounded(actual)),
  };
}

function buildUnitView({ name, currency, before, after, actual, asOf, actualAsOf }: UnitCostAfterMerge) {
  const style = createUnitStyle(currency, [before, after, actual]);
  return {
    ...buildDifferenceView(style, after, actual),
    unit: formatName(name),
    before: style.amount(before),
    asOf: asOf === null ? null : formatDay(asOf),
    actualAsOf: formatDay(actualAsOf),
  };
}
