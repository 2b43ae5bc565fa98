import type { Decimal } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

/**
 * Formats a percentage with all its digits: "+31.67%", "−43%". It was rounded when it was computed, and is
 * not rounded again.
 */
export function formatPercent(percent: Decimal): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 100, signDisplay: "exceptZero" });
  // Intl formats decimal text exactly, but its type accepts only numeric template literals.
  const text = format.format(percent as string as Intl.StringNumericLiteral);
  return `${text.replace("-", "−")}%` as Cell; // digits, separators and signs only
}
