import type { Decimal } from "../../kernel/money.ts";
import type { CostDelta } from "../../report/model/facts.ts";
import type { CurrencyFigures } from "../format/figures.ts";
import { createDistinctStyle, type Figure, type MoneyStyle } from "../format/money.ts";
import { isRoundingVisible } from "../format/rounding.ts";

/** The format in which different amounts before and after are displayed differently. */
export const chooseStageStyle = (
  { currency, style }: CurrencyFigures,
  { before, after }: CostDelta,
): MoneyStyle => (before === null || after === null ? style : createDistinctStyle(currency, [before, after]));

/** Whether the displayed amounts of a line, or of a column and its total, do not add up. */
export function isRounded(
  figures: CurrencyFigures,
  parts: readonly CostDelta[],
  total: CostDelta | null,
): boolean {
  const lines = parts.map((part) => roundLine(figures, part));
  const sums = total === null ? null : roundLine(figures, total);
  const all = sums === null ? lines : [...lines, sums];
  const across = all.some(({ before, change, after }) => hasRoundingGap([before, change], after));
  return (
    across ||
    (sums !== null &&
      COLUMNS.some((column) =>
        hasRoundingGap(
          lines.map((line) => line[column]),
          sums[column],
        ),
      ))
  );
}

const COLUMNS = ["before", "change", "after"] as const;
type RoundedLine = Readonly<Record<(typeof COLUMNS)[number], Figure | null>>;

function roundLine(figures: CurrencyFigures, amounts: CostDelta): RoundedLine {
  const { rounded } = chooseStageStyle(figures, amounts);
  const figure = (value: Decimal | null): Figure | null => (value === null ? null : rounded(value));
  return {
    before: figure(amounts.before),
    change: figure(amounts.change),
    after: figure(amounts.after),
  };
}

/**
 * Whether displayed parts do not add up to the displayed total. With an unknown amount there is nothing to
 * compare.
 */
function hasRoundingGap(parts: readonly (Figure | null)[], total: Figure | null): boolean {
  const known = parts.filter((part) => part !== null);
  return total !== null && known.length === parts.length && isRoundingVisible(known, total);
}
