import type { Decimal } from "../../kernel/money.ts";
import { down, fromUnits, placesOf, toUnits } from "./units.ts";

/**
 * Rounds parts to `places` so that they add up to `total`, which is their exact sum rounded to as many. Each is one of the
 * two rounded neighbours of its exact value, and those that are farthest beyond the lower one go up. Where `total` is not
 * their sum, what cannot be made up for is left.
 */
export function apportion(parts: readonly Decimal[], total: Decimal, places: number): readonly Decimal[] {
  const scale = Math.max(places, ...parts.map(placesOf), placesOf(total));
  const step = 10n ** BigInt(scale - places);
  const split = parts.map((part, index) => {
    const exact = toUnits(part, scale);
    const units = down(exact, step);
    return { index, units, rest: exact - units * step };
  });
  const floor = split.reduce((sum, { units }) => sum + units, 0n);
  const lacking = Number(toUnits(total, scale) / step - floor);
  const up = split
    .filter(({ rest }) => rest > 0n)
    .sort((a, b) => Number(b.rest - a.rest) || a.index - b.index)
    .slice(0, Math.max(0, lacking));
  const raised = new Set(up.map(({ index }) => index));
  return split.map(({ index, units }) => fromUnits(raised.has(index) ? units + 1n : units, places));
}
