import { type Decimal, toPlaces } from "../../kernel/money.ts";
import type { Cell } from "../escape.ts";
import { placesToSee, placesToTellApart } from "./money.ts";

/** "+31.7%", "−43%": one place after the point, more where the value would read as zero, none where it is a whole number. */
export function percentText(percent: Decimal): Cell {
  return written(percent, placesToSee([percent], 1));
}

/** Two percentages that are compared: with the same places, as many as it takes for them to read differently. */
export function percentPair(a: Decimal, b: Decimal): readonly [Cell, Cell] {
  const places = placesToTellApart(a, b, placesToSee([a, b], 1));
  return [written(a, places), written(b, places)];
}

function written(percent: Decimal, places: number): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: places, signDisplay: "exceptZero" });
  // Intl reads decimal text exactly; its type knows such text only as a template of numbers.
  const text = format.format(toPlaces(percent, places) as Intl.StringNumericLiteral);
  return `${text.replace("-", "−")}%` as Cell; // digits, separators and signs only
}
