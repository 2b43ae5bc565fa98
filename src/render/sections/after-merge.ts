import { type Decimal, minus } from "../../kernel/money.ts";
import type { AfterMerge, UnitAfterMerge } from "../../policy/model/evaluation.ts";
import { countText } from "../format/count.ts";
import { type MoneyStyle, styleToTellApart } from "../format/money.ts";
import { roundsAway } from "../format/rounding.ts";
import { formatDay } from "../format/time.ts";
import { type Cell, type Inline, name } from "../markup/escape.ts";
import type { Section, Subject } from "./section.ts";
import { UNITS, unitStyle } from "./unit-costs.ts";

/** The section about a merged pull request: estimated cost, actual cost, and their difference. */
export function afterMergeSection({ evaluation }: Subject): Section {
  const { afterMerge, pull } = evaluation;
  return {
    template: "after-merge",
    rows: 0,
    keep: true,
    view: () => (afterMerge === undefined || !pull.figures ? null : view(afterMerge)),
  };
}

function view({ days, compared, workspaces, totals, units = [] }: AfterMerge): object {
  const told = totals.map(totalView);
  const ones = units.slice(0, UNITS).map(unitView);
  return {
    days,
    oneDay: days === 1,
    some: compared > 0 && compared < workspaces,
    compared: countText(compared),
    workspaces: countText(workspaces),
    totals: told,
    units: ones,
    rounded: [...told, ...ones].some(({ rounded }) => rounded),
  };
}

interface TotalView {
  readonly estimated: Cell;
  readonly actual: Cell;
  readonly difference: Cell;
  /** The rounded difference is not the difference of the rounded amounts. */
  readonly rounded: boolean;
}

const totalView = ({ currency, estimated, actual }: AfterMerge["totals"][number]): TotalView =>
  difference(styleToTellApart(currency, [estimated, actual]), estimated, actual);

function difference({ amount, change, rounded }: MoneyStyle, estimated: Decimal, actual: Decimal): TotalView {
  const by = minus(actual, estimated);
  return {
    estimated: amount(estimated),
    actual: amount(actual),
    difference: change(by),
    rounded: roundsAway([rounded(estimated), rounded(by)], rounded(actual)),
  };
}

interface UnitView extends TotalView {
  readonly unit: Inline;
  readonly before: Cell;
  readonly asOf: Inline | null;
  readonly actualAsOf: Inline;
}

function unitView({ currency, before, after, actual, asOf, ...unit }: UnitAfterMerge): UnitView {
  const style = unitStyle(currency, [before, after, actual]);
  return {
    ...difference(style, after, actual),
    unit: name(unit.name),
    before: style.amount(before),
    asOf: asOf === null ? null : formatDay(asOf),
    actualAsOf: formatDay(unit.actualAsOf),
  };
}
