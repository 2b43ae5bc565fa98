import { z } from "zod";
import { type Decimal, parseDecimal } from "../../../kernel/money.ts";
import { alwaysWritten } from "../wire/written.ts";

/** Money as written: a plain decimal ("12.30", "-0.5"); "" or null: not known, which is not zero. */
export type MoneyText = string | null;
/** A percentage as written: a number or a plain decimal; null: not known, or grown from nothing. */
export type PercentText = number | string | null;

const isKnownOrEmpty = (text: string): boolean => text === "" || parseDecimal(text) !== null;

/** Money in a request: kept as written, refused unless it is a plain decimal, "" or null. */
export const moneyToWrite: z.ZodType<MoneyText, MoneyText> = z
  .string()
  .refine(isKnownOrEmpty, "expected a plain decimal such as 12.30")
  .nullable();

/** A percentage in a request: kept as written. */
export const percentToWrite: z.ZodType<PercentText | undefined, PercentText | undefined> = z
  .union([
    z.number(),
    z.string().refine((text) => parseDecimal(text) !== null, "expected a plain decimal such as 12.3"),
  ])
  .nullish();

const readText = (text: string | null | undefined): Decimal | null =>
  text === null || text === undefined ? null : parseDecimal(text.trim());

/** Money in an answer: any decimal text; absent, null, "" and text that is no decimal are null, "not known". */
export const money = alwaysWritten(
  z.string().nullish().transform(readText),
  () => true,
) as unknown as z.ZodType<Decimal | null, MoneyText>; // absent is read and never written

/** A percentage in an answer: whole, decimal, as text, null or absent. Of something that grew from nothing there is none. */
export const percent: z.ZodType<Decimal | null, PercentText | undefined> = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => readText(typeof value === "number" ? writtenOut(value) : value));

/** A number without exponent; what has more digits than any percentage becomes unreadable, hence not known. */
function writtenOut(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 100 });
}
