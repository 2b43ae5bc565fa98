import type { Decimal } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

/** "+31.67%", "−43%": all digits of a percentage, which was rounded when it was worked out and is not rounded again. */
export function percentText(percent: Decimal): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 100, signDisplay: "exceptZero" });
  // Intl reads decimal text exactly; its type knows such text only as a template of numbers.
  const text = format.format(percent as string as Intl.StringNumericLiteral);
  return `${text.replace("-", "−")}%` as Cell; // digits, separators and signs only
}
