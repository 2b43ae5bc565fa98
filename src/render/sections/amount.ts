import { absolute, compare, computePercentChange, ZERO } from "../../kernel/money.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Report, TotalReport } from "../../report/model/report.ts";
import type { Cell } from "../escape.ts";
import { formatPercent, listCurrencyFigures } from "../format.ts";

const MAX_CURRENCIES = 3;
const NO_AMOUNT = { changes: [], more: 0, percent: null, fromZero: false, saved: null, incompleteness: null };

/**
 * The change of the monthly cost by merging, in one phrase. `redacted`: figures are not shown in this repository; `none`: no stage was
 * read. `saved`: the change without its sign where it is a pure saving. A change that is not the full one has no percentage.
 */
export function buildAmountView({ pull, report }: Pick<Evaluation, "pull" | "report">) {
  if (!pull.figures) return { ...NO_AMOUNT, state: "redacted" };
  if (report.stages.length === 0) return { ...NO_AMOUNT, state: "none" };
  const known = listCurrencyFigures(report).flatMap(({ style, total }) =>
    total.change === null ? [] : [{ style, total, change: total.change }],
  );
  if (known.length === 0) return { ...NO_AMOUNT, state: "unknown" };
  const incompleteness = findIncompleteness(report);
  const changed = known.filter(({ change }) => change !== ZERO);
  if (changed.length === 0) return { ...NO_AMOUNT, state: "zero", incompleteness };
  const only = changed.length === 1 ? changed[0] : undefined;
  const wholeChange = incompleteness === null ? only : undefined;
  return {
    state: "changed",
    changes: changed.slice(0, MAX_CURRENCIES).map(({ style, change }) => style.change(change)),
    more: Math.max(0, changed.length - MAX_CURRENCIES),
    percent: wholeChange === undefined ? null : formatPercentChange(wholeChange.total),
    fromZero:
      (incompleteness === null || incompleteness === "at_least") &&
      only?.total.before === ZERO &&
      (only.total.usage?.before ?? 0) === 0,
    saved:
      wholeChange !== undefined && compare(wholeChange.change, ZERO) < 0
        ? wholeChange.style.amount(absolute(wholeChange.change))
        : null,
    incompleteness,
  };
}

/**
 * Why the change is not the full change; null: it is. `at_least`, `at_most`: the unknown part can only raise, or only lower, the cost: a new
 * usage-based resource can only raise it, a deleted one only lower it. `rest_unknown`: it can do either. `unsure`: the change includes
 * unreliable figures.
 */
function findIncompleteness({ totals, stages, usage }: Report) {
  const states = new Set([...totals, ...stages].map(({ state }) => state));
  if (states.has("unknown") || states.has("inconsistent")) return "unsure";
  const { introduced = 0, deleted = 0 } = usage ?? {};
  if (states.has("partial") || (introduced > 0 && deleted > 0)) return "rest_unknown";
  if (introduced > 0) return "at_least";
  return deleted > 0 ? "at_most" : null;
}

/** Null also where the percentage would be displayed as 0%: a change is never shown as none. */
function formatPercentChange({ before, after }: TotalReport): Cell | null {
  if (before === null || after === null) return null;
  const percent = computePercentChange(before, after);
  return percent === null || percent === ZERO ? null : formatPercent(percent);
}
