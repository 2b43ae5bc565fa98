import { minus } from "../../kernel/money.ts";
import type { AfterMerge, UnitAfterMerge } from "../../policy/evaluation.ts";
import { type Cell, type Inline, name } from "../escape.ts";
import { countText } from "../format/count.ts";
import { moneyStyle, placesToSee, placesToTellApart, usualPlaces } from "../format/money.ts";
import { dayOf } from "../format/time.ts";
import type { Section, Subject } from "./section.ts";
import { FINER, UNITS } from "./unit-costs.ts";

/** What came of a merged pull request: estimated, actual, and the difference. */
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
  return {
    days,
    oneDay: days === 1,
    some: compared > 0 && compared < workspaces,
    compared: countText(compared),
    workspaces: countText(workspaces),
    totals: totals.map(totalView),
    units: units.slice(0, UNITS).map(unitView),
  };
}

interface TotalView {
  readonly estimated: Cell;
  readonly actual: Cell;
  readonly difference: Cell;
}

function totalView({ currency, estimated, actual }: AfterMerge["totals"][number]): TotalView {
  const difference = minus(actual, estimated);
  const apart = placesToTellApart(estimated, actual, usualPlaces(currency));
  const style = moneyStyle(currency, placesToSee([estimated, actual, difference], apart));
  return {
    estimated: style.amount(estimated),
    actual: style.amount(actual),
    difference: style.change(difference),
  };
}

interface UnitView extends TotalView {
  readonly unit: Inline;
  readonly before: Cell;
  readonly asOf: Inline | null;
  readonly actualAsOf: Inline;
}

/** Amounts that differ read differently, and so does their difference from zero. */
function unitView({ currency, before, after, actual, asOf, ...unit }: UnitAfterMerge): UnitView {
  const difference = minus(actual, after);
  const seen = placesToSee([before, after, actual, difference], usualPlaces(currency)) + FINER;
  const apart = Math.max(placesToTellApart(before, after, seen), placesToTellApart(after, actual, seen));
  const style = moneyStyle(currency, apart);
  return {
    unit: name(unit.name),
    before: style.amount(before),
    asOf: asOf === null ? null : dayOf(asOf),
    estimated: style.amount(after),
    actual: style.amount(actual),
    actualAsOf: dayOf(unit.actualAsOf),
    difference: style.change(difference),
  };
}
