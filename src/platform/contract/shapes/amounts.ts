import { z } from "zod";
import { type Decimal, parseDecimal } from "../../../kernel/money.ts";
import { markAlwaysWritten } from "../wire/written.ts";

/** Money on the wire: a plain decimal ("12.30", "-0.5"); "" or null: unknown, which is not zero. */
export type MoneyText = string | null;
/** A percentage on the wire: a number or a plain decimal; null: unknown, or an increase from zero. */
export type PercentText = number | string | null;

const isKnownOrEmpty = (text: string): boolean => text === "" || parseDecimal(text) !== null;

/** Money in a request: not converted, and refused unless it is a plain decimal, "" or null. */
export const moneyToWrite: z.ZodType<MoneyText, MoneyText> = z
  .string()
  .refine(isKnownOrEmpty, "expected a plain decimal such as 12.30")
  .nullable();

/** A percentage in a request: a number, as the document has it; a decimal text is read as one. */
export const percentToWrite: z.ZodType<number | null | undefined, PercentText | undefined> = z
  .union([
    z.number(),
    z
      .string()
      .refine((text) => parseDecimal(text) !== null, "expected a plain decimal such as 12.3")
      .transform(Number),
  ])
  .nullish();

const readText = (text: string | null | undefined): Decimal | null =>
  text === null || text === undefined ? null : parseDecimal(text.trim());

/** Money in an answer: decimal text as a decimal; absent, null, "" and other text as null (unknown). */
export const money = markAlwaysWritten(
  z.string().nullish().transform(readText),
  () => true,
) as unknown as z.ZodType<Decimal | null, MoneyText>; // absent is read and never written

/**
 * A percentage in an answer: a number, a decimal text, null or absent. An increase from zero has no
 * percentage.
 */
export const percent: z.ZodType<Decimal | null, PercentText | undefined> = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => readText(typeof value === "number" ? formatPlainNumber(value) : value));

/**
 * A number in decimal notation; one with too many digits becomes an unreadable text, which is read as
 * unknown.
 */
function formatPlainNumber(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 100 });
}
