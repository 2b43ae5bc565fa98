import { compare, type Decimal, ZERO } from "../../../../kernel/money.ts";
import type { MoneyStyle } from "../../../../render/format/money.ts";
import { formatPercent } from "../../../../render/format/percent.ts";
import type { TableCell } from "../../../page/table.ts";

const UNKNOWN: TableCell = { text: "unknown", tone: "muted" };

/** The cell of a monthly amount; null: unknown. */
export const buildAmountCell = (amount: Decimal | null, style: MoneyStyle): TableCell =>
  amount === null ? UNKNOWN : { text: style.amount(amount) };

/** The cell of a change of the monthly cost; null: unknown. */
export function buildChangeCell(change: Decimal | null, style: MoneyStyle): TableCell {
  if (change === null) return UNKNOWN;
  const tone = chooseTone(change);
  return { text: style.change(change), ...(tone !== null && { tone }) };
}

/** The cell of a percentage; null: not stated, or nothing was paid before. */
export const buildPercentCell = (percent: Decimal | null): TableCell =>
  percent === null ? { text: "–", tone: "muted" } : { text: formatPercent(percent) };

/** The colour of a change of cost; null: it does not change. */
export function chooseTone(change: Decimal): "danger" | "success" | null {
  const sign = compare(change, ZERO);
  return sign === 0 ? null : sign > 0 ? "danger" : "success";
}
