import { readAmount } from "./evaluation-builder.ts";

/** What the comment says where rounded amounts do not add up. */
export const NOTE = "Amounts are rounded, so they may not add up exactly to the total.";

/** A decimal number as a whole number of 10^-12. */
export function picos(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(12, "0"));
}

/** What a person gets with a pencil: half away from zero at `places`, with the dollar sign and a comma at each thousand. */
export function pencil(exact: bigint, places: number, plus = ""): string {
  const step = 10n ** BigInt(12 - places);
  const size = exact < 0n ? -exact : exact;
  const steps = (size * 2n + step) / (step * 2n);
  const digits = String(steps).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  const sign = steps === 0n ? "" : exact < 0n ? "−" : plus;
  return `${sign}$${whole}.${digits.slice(-places)}`;
}

/** At cents, or at as many more places as it takes to see that it is not zero. */
export function shown(exact: bigint, plus = "", least = 2): string {
  let places = least;
  while (exact !== 0n && !/[1-9]/.test(pencil(exact, places))) places += 1;
  return pencil(exact, places, plus);
}

/** A figure of a comment; what is no figure counts for nothing. */
export const read = (text: string | undefined): bigint => picos(readAmount(text ?? "") ?? "0");

/** Whether a table of stages adds up as it is shown: each line across, and where there are several each column down. */
export function stagesAddUp(table: readonly (readonly string[])[]): boolean {
  const rows = table.slice(1).map((cells) => cells.slice(1).map(read));
  const total = rows.length > 1 ? rows.at(-1) : undefined;
  const across = rows.every(([change = 0n, before = 0n, after = 0n]) => before + change === after);
  const down = total?.every(
    (amount, column) => rows.slice(0, -1).reduce((all, row) => all + (row[column] ?? 0n), 0n) === amount,
  );
  return across && (down ?? true);
}
