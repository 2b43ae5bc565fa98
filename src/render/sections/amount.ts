import { absolute, compare, computePercentChange, ZERO } from "../../kernel/money.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Report, TotalReport } from "../../report/model/report.ts";
import type { Cell } from "../escape.ts";
import { type CurrencyFigures, formatPercent, isCostUnchanged, listCurrencyFigures } from "../format.ts";

/** The change of the monthly cost by merging, in one phrase. */
export interface AmountView {
  /** `redacted`: figures are not shown in this repository. `none`: no stage was read, so there is no amount. */
  readonly state: "redacted" | "none" | "unknown" | "zero" | "changed";
  /** One change per currency, the largest first. */
  readonly changes: readonly Cell[];
  /** Currencies beyond those in `changes`. */
  readonly more: number;
  readonly percent: Cell | null;
  /** True: nothing was paid before, so there is no percentage. */
  readonly fromZero: boolean;
  /** The change without its sign where it is a pure saving; null: it is not. */
  readonly saved: Cell | null;
  /**
   * Why the change is not the full change; null: it is the full change. A partial change has no percentage.
   */
  readonly incompleteness: AmountQualifier;
}

/**
 * `at_least`, `at_most`: the unknown part can only raise, or only lower, the cost. `rest_unknown`: it can do
 * either. `unsure`: the change includes unreliable figures.
 */
type AmountQualifier = "at_least" | "at_most" | "rest_unknown" | "unsure" | null;

const MAX_CURRENCIES = 3;
const EMPTY_AMOUNT = {
  changes: [],
  more: 0,
  percent: null,
  fromZero: false,
  saved: null,
  incompleteness: null,
} as const;

export function buildAmountView({ pull, report }: Evaluation): AmountView {
  if (!pull.figures) return { ...EMPTY_AMOUNT, state: "redacted" };
  if (report.stages.length === 0) return { ...EMPTY_AMOUNT, state: "none" };
  const known = listCurrencyFigures(report).filter(({ total }) => total.change !== null);
  if (known.length === 0) return { ...EMPTY_AMOUNT, state: "unknown" };
  const incompleteness = findPartlyUnknown(report);
  if (isCostUnchanged(known.map(({ total }) => total)))
    return { ...EMPTY_AMOUNT, state: "zero", incompleteness };
  const changedFigures = known.filter(
    ({ total }) => total.change !== null && compare(total.change, ZERO) !== 0,
  );
  const view = buildChangedAmount(changedFigures);
  if (incompleteness === null) return { ...view, incompleteness };
  return {
    ...view,
    percent: null,
    saved: null,
    fromZero: view.fromZero && incompleteness === "at_least",
    incompleteness,
  };
}

/** A new usage-based resource can only raise the cost; a deleted one can only lower it. */
function findPartlyUnknown({ totals, stages, usage }: Report): AmountQualifier {
  const states = new Set([...totals, ...stages].map(({ state }) => state));
  if (states.has("unknown") || states.has("inconsistent")) return "unsure";
  const { introduced = 0, deleted = 0 } = usage ?? {};
  if (states.has("partial") || (introduced > 0 && deleted > 0)) return "rest_unknown";
  if (introduced > 0) return "at_least";
  return deleted > 0 ? "at_most" : null;
}

function buildChangedAmount(figures: readonly CurrencyFigures[]): Omit<AmountView, "incompleteness"> {
  const changes = figures.map(({ style, total }) => style.change(total.change ?? ZERO));
  const only = figures.length === 1 ? figures[0] : undefined;
  return {
    state: "changed",
    changes: changes.slice(0, MAX_CURRENCIES),
    more: Math.max(0, changes.length - MAX_CURRENCIES),
    percent: only === undefined ? null : formatPercentChange(only.total),
    fromZero: only !== undefined && only.total.before === ZERO && (only.total.usage?.before ?? 0) === 0,
    saved: only === undefined ? null : formatSaving(only),
  };
}

function formatSaving({ style, total }: CurrencyFigures): Cell | null {
  const change = total.change ?? ZERO;
  return compare(change, ZERO) < 0 ? style.amount(absolute(change)) : null;
}

/** Null also where the percentage would be displayed as 0%: a change is never shown as none. */
function formatPercentChange({ before, after }: TotalReport): Cell | null {
  if (before === null || after === null) return null;
  const percent = computePercentChange(before, after);
  return percent === null || compare(percent, ZERO) === 0 ? null : formatPercent(percent);
}
