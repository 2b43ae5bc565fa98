import type { Decimal } from "../../kernel/money.ts";
import { formatCount } from "../../render/format.ts";
import { addChangeSums, type ChangeSum } from "../../store/history/open-pulls.ts";
import {
  buildChangeCell,
  buildCountColumn,
  buildCurrencyColumn,
  buildFigureColumn,
  buildFileColumn,
  formatChanges,
  NO_VALUE,
  NOT_SHOWN,
  UNKNOWN,
} from "../page/columns.ts";
import { type Html, html } from "../page/html.ts";
import type { Column, TableCell } from "../page/table.ts";

/** Sums of changes in which some pull requests are missing. */
export interface PartialSums {
  /** One per currency. */
  readonly sums: readonly ChangeSum[];
  /** Number of pull requests whose change is unknown. */
  readonly unknown: number;
  /** Number of pull requests whose amounts this reader may not see. */
  readonly hidden: number;
}

/** What sums lack, in words: "3 not fully known", "1 not shown". */
export const listMissing = ({
  unknown,
  hidden,
}: Pick<PartialSums, "unknown" | "hidden">): readonly string[] => [
  ...(unknown > 0 ? [`${formatCount(unknown)} not fully known`] : []),
  ...(hidden > 0 ? [`${formatCount(hidden)} not shown`] : []),
];

/** The sums in words, that of most pull requests first; null: none is known. */
export const formatSums = ({ sums, unknown }: PartialSums): string | null =>
  sums.length === 0
    ? null
    : formatChanges(
        sums.toSorted((a, b) => b.pulls - a.pulls),
        unknown > 0,
      );

/** The line below a number of pull requests: the change that is in them. */
export function renderSums(sums: PartialSums): Html {
  const amount = formatSums(sums);
  if (amount !== null) return html`<small>${[`${amount} a month`, ...listMissing(sums)].join(" · ")}</small>`;
  if (sums.unknown > 0) return html`<small>not fully known</small>`;
  return html`<small>${sums.hidden > 0 ? "amounts not shown" : "no change of cost"}</small>`;
}

export const addSums = (parts: readonly PartialSums[]): PartialSums => ({
  sums: addChangeSums(parts.flatMap(({ sums }) => sums)),
  unknown: parts.reduce((total, one) => total + one.unknown, 0),
  hidden: parts.reduce((total, one) => total + one.hidden, 0),
});

/** In a file a pull request has one row per currency. */
export const splitCurrencies = <Row extends { readonly totals: readonly unknown[] }>(
  pull: Row,
): readonly Row[] =>
  pull.totals.length < 2 ? [pull] : pull.totals.map((total) => ({ ...pull, totals: [total] }));

/** The sum of a row in one currency. `pulls`: of which `unknown` are not fully known, and `hidden` not shown. */
interface RowSum {
  readonly pulls: number;
  /** Null: no amount is known. */
  readonly currency: string | null;
  readonly change: Decimal;
  readonly unknown: number;
  readonly hidden?: number;
}

/** Columns of sums in which some pull requests are missing. `label`: of their number. */
export const buildSumColumns = <Row extends RowSum>(label: string): readonly Column<Row>[] => [
  buildCountColumn({ key: "pulls", label }, ({ pulls }) => pulls),
  buildFigureColumn(
    { key: "change", label: "Monthly change" },
    ({ currency, pulls, unknown, change }) => (currency === null || pulls === unknown ? null : change),
    buildSumCell,
  ),
  buildFileColumn("unknown", ({ unknown }) => unknown),
  buildCurrencyColumn(),
];

function buildSumCell({ pulls, unknown, hidden = 0, change, currency }: RowSum): TableCell {
  const isNothingKnown = currency === null || pulls === unknown;
  if (isNothingKnown && hidden > 0) return NOT_SHOWN;
  if (isNothingKnown) return unknown > 0 ? UNKNOWN : NO_VALUE;
  const missing = listMissing({ unknown, hidden });
  const cell = buildChangeCell(change, currency);
  return missing.length === 0 ? cell : { ...cell, note: `and ${missing.join(", ")}` };
}
