import { type Decimal, decimal } from "../../kernel/money.ts";

/** Digits after the point. */
export const placesOf = (value: Decimal): number => value.split(".")[1]?.length ?? 0;

/** The value in whole units of the last of `scale` places, which are enough for it. */
export function toUnits(value: Decimal, scale: number): bigint {
  const [whole = "0", fraction = ""] = value.split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}

export function fromUnits(units: bigint, places: number): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return decimal(units < 0n ? `-${text}` : text);
}

/** Rounded down to whole steps. */
export function down(value: bigint, step: bigint): bigint {
  return value >= 0n || value % step === 0n ? value / step : value / step - 1n;
}
