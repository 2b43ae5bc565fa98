import { minus } from "../../kernel/money.ts";
import type { AfterMerge } from "../../policy/evaluation.ts";
import type { Cell } from "../escape.ts";
import { countText } from "../format/count.ts";
import { moneyStyle, placesToSee, placesToTellApart, usualPlaces } from "../format/money.ts";
import type { Section, Subject } from "./section.ts";

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

function view({ days, compared, workspaces, totals }: AfterMerge): object {
  return {
    days,
    oneDay: days === 1,
    some: compared < workspaces,
    compared: countText(compared),
    workspaces: countText(workspaces),
    totals: totals.map(totalView),
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
