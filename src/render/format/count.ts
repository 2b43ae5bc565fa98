import type { Cell } from "../markup/escape.ts";

const FORMAT = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }); // once, because making one is slow

/** Formats a count: "1,234". */
export const formatCount = (count: number): Cell => FORMAT.format(count) as Cell; // digits and separators only
