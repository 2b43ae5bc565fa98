import { compare, type Decimal, sum, ZERO } from "../../kernel/money.ts";
import { formatCount } from "../../render/format.ts";
import type { ChangeSum } from "../../store/history/open-pulls.ts";
import { buildChangeCell, formatChanges, NO_VALUE, UNKNOWN } from "../page/columns.ts";
import { type Html, html } from "../page/html.ts";
import type { TableCell } from "../page/table.ts";

/** Sums of changes in which some pull requests are missing. */
export interface PartialSums {
  /** One per currency. */
  readonly sums: readonly ChangeSum[];
  /** Number of pull requests whose change is unknown. */
  readonly unknown: number;
  /** Number of pull requests whose amounts this reader may not see. */
  readonly hidden: number;
}

/** Words for sums of which a part is unknown or not shown; `amount` null: none is known. */
export const describeSums = ({ sums, unknown, hidden }: PartialSums) => ({
  amount: sums.length === 0 ? null : formatChanges(sums.toSorted((a, b) => b.pulls - a.pulls)),
  isAtLeast: unknown > 0 && sums.every(({ change }) => compare(change, ZERO) >= 0),
  unknown,
  hidden,
});

/** The line below a number of pull requests: the change that is in them. */
export function renderSums(sums: PartialSums): Html {
  const { amount, isAtLeast, unknown, hidden } = describeSums(sums);
  if (amount === null) {
    if (unknown > 0) return html`<small>not fully known</small>`;
    return html`<small>${hidden > 0 ? "amounts not shown" : "no change of cost"}</small>`;
  }
  return html`<small>${isAtLeast && "at least "}${amount} a month${
    unknown > 0 && ` · ${formatCount(unknown)} not fully known`
  }${hidden > 0 && ` · ${formatCount(hidden)} not shown`}</small>`;
}

export function addSums(parts: readonly PartialSums[]): PartialSums {
  const known = parts.flatMap(({ sums }) => sums);
  return {
    sums: [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      change: sum(own.map(({ change }) => change)),
      pulls: own.reduce((total, { pulls }) => total + pulls, 0),
    })),
    unknown: parts.reduce((total, one) => total + one.unknown, 0),
    hidden: parts.reduce((total, one) => total + one.hidden, 0),
  };
}

/** The sum of a row in one currency. `pulls`: of which `unknown` are not fully known, and `hidden` not shown. */
export interface RowSum {
  readonly pulls: number;
  /** Null: no amount is known. */
  readonly currency: string | null;
  readonly change: Decimal;
  readonly unknown: number;
  readonly hidden?: number;
}

/** The cell of a sum in which some pull requests are missing. */
export function buildSumCell({ pulls, unknown, hidden = 0, change, currency }: RowSum): TableCell {
  const isNothingKnown = currency === null || pulls === unknown;
  if (isNothingKnown && hidden > 0) return { text: "not shown", tone: "muted" };
  if (isNothingKnown) return unknown > 0 ? UNKNOWN : NO_VALUE;
  const missing = [
    ...(unknown > 0 ? [`${formatCount(unknown)} not fully known`] : []),
    ...(hidden > 0 ? [`${formatCount(hidden)} not shown`] : []),
  ];
  const cell = buildChangeCell(change, currency);
  return missing.length === 0 ? cell : { ...cell, note: `and ${missing.join(", ")}` };
}
