import { z } from "zod";
import { type Decimal, decimal, type Money } from "../../kernel/money.ts";

const NUMBER_ERROR = { error: "an amount, such as 100 or 12.5" };

/** An amount without its currency: a number, or a text where it has many digits. */
export const before = z
  .union(
    [
      z.number(NUMBER_ERROR),
      z.string(NUMBER_ERROR).regex(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?$/, NUMBER_ERROR),
    ],
    NUMBER_ERROR,
  )
  .transform((value): Decimal => decimal(String(value)));

/** Before and after. */
export const pair = z.tuple([before, before], { error: "two amounts, before and after: [50, 100]" });

export const currency = z
  .string({ error: "a currency code, such as USD" })
  .regex(/^[A-Z]{3}$/, { error: "a currency code, such as USD" });

/** `500 USD`, negative ones too. */
export const decimalAmount = z
  .string({ error: 'an amount with its currency, such as "500 USD"' })
  .regex(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})? [A-Z]{3}$/, {
    error: 'an amount with its currency, such as "500 USD"',
  })
  .transform((text): Money => {
    const [amount = "0", code = ""] = text.split(" ");
    return { amount: decimal(amount), currency: code };
  });
