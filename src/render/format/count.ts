import type { Cell } from "../markup/escape.ts";

/** Formats a count: "1,234". */
export function formatCount(count: number): Cell {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }).format(count) as Cell; // digits and separators only
}
