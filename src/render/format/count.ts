import type { Cell } from "../markup/escape.ts";

/** Formats a count, an integer: "1,234". Without `Intl`, which takes 15 ms of a start to load its data. */
export const formatCount = (count: number): Cell => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",") as Cell; // digits and commas only
