import { type Decimal, toPlaces } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

const PLACES = 2;

/** "1,000", "0.5": at most two digits after the point. */
export function quantityText(value: Decimal): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: PLACES });
  // Intl reads decimal text exactly; its type knows such text only as a template of numbers.
  const text = format.format(toPlaces(value, PLACES) as Intl.StringNumericLiteral);
  return text.replace("-", "−") as Cell; // digits, separators and a sign only
}
