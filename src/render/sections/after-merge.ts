import { type Decimal, minus } from "../../kernel/money.ts";
import type { CostAfterMerge, UnitCostAfterMerge } from "../../policy/model/evaluation.ts";
import { type Cell, formatName, type Inline } from "../escape.ts";
import {
  createDistinctStyle,
  formatCount,
  formatDay,
  isRoundingVisible,
  type MoneyStyle,
} from "../format.ts";
import type { Section, Subject } from "./section.ts";
import { createUnitStyle, MAX_UNITS } from "./unit-costs.ts";

/** The section about a merged pull request: estimated cost, actual cost, and their difference. */
export function buildAfterMergeSection({ evaluation }: Subject): Section {
  const { afterMerge, pull } = evaluation;
  return {
    template: "after-merge",
    rows: 0,
    isRequired: true,
    view: () => (afterMerge === undefined || !pull.figures ? null : buildAfterMergeView(afterMerge)),
  };
}

function buildAfterMergeView({ days, compared, workspaces, totals, units = [] }: CostAfterMerge): object {
  const totalViews = totals.map(buildMergedTotalView);
  const ones = units.slice(0, MAX_UNITS).map(buildMergedUnitView);
  return {
    days,
    oneDay: days === 1,
    some: compared > 0 && compared < workspaces,
    compared: formatCount(compared),
    workspaces: formatCount(workspaces),
    totals: totalViews,
    units: ones,
    rounded: [...totalViews, ...ones].some(({ rounded }) => rounded),
  };
}

interface AfterMergeTotalView {
  readonly estimated: Cell;
  readonly actual: Cell;
  readonly difference: Cell;
  /** The rounded difference is not the difference of the rounded amounts. */
  readonly rounded: boolean;
}

const buildMergedTotalView = ({
  currency,
  estimated,
  actual,
}: CostAfterMerge["totals"][number]): AfterMergeTotalView =>
  buildDifferenceView(createDistinctStyle(currency, [estimated, actual]), estimated, actual);

function buildDifferenceView(
  { amount, change, rounded }: MoneyStyle,
  estimated: Decimal,
  actual: Decimal,
): AfterMergeTotalView {
  const by = minus(actual, estimated);
  return {
    estimated: amount(estimated),
    actual: amount(actual),
    difference: change(by),
    rounded: isRoundingVisible([rounded(estimated), rounded(by)], rounded(actual)),
  };
}

interface AfterMergeUnitView extends AfterMergeTotalView {
  readonly unit: Inline;
  readonly before: Cell;
  readonly asOf: Inline | null;
  readonly actualAsOf: Inline;
}

function buildMergedUnitView({
  currency,
  before,
  after,
  actual,
  asOf,
  ...unit
}: UnitCostAfterMerge): AfterMergeUnitView {
  const style = createUnitStyle(currency, [before, after, actual]);
  return {
    ...buildDifferenceView(style, after, actual),
    unit: formatName(unit.name),
    before: style.amount(before),
    asOf: asOf === null ? null : formatDay(asOf),
    actualAsOf: formatDay(unit.actualAsOf),
  };
}
