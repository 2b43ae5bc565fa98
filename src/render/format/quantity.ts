import { type Decimal, toPlaces } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

const MAX_PLACES = 2;

/** Formats a quantity with at most two decimal places: "1,000", "0.5". */
export function formatQuantity(value: Decimal): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: MAX_PLACES });
  // Intl formats decimal text exactly, but its type accepts only numeric template literals.
  const text = format.format(toPlaces(value, MAX_PLACES) as Intl.StringNumericLiteral);
  return text.replace("-", "−") as Cell; // digits, separators and a sign only
}
