import { z } from "zod";
import type { Sha } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";

/** A decimal number as `parseDecimal` writes it. */
export const decimal = z
  .string()
  .max(64)
  .regex(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/) as unknown as z.ZodType<Decimal>; // the pattern is the brand's
export const money = z.object({ amount: decimal, currency: z.string() });

export const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) as unknown as z.ZodType<Sha>; // the pattern is the brand's

export const count = z.int().min(0);
export const texts = z.array(z.string());
