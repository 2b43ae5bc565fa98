import { z } from "zod";
import type { Sha } from "./ids.ts";
import type { Decimal, Money } from "./money.ts";

/** The values that a schema reads: readonly at each level. */
export type ValueOf<S extends z.ZodType> = Immutable<z.output<S>>;

type Primitive = string | number | boolean | null | undefined;
type Immutable<T> = T extends Primitive ? T : { readonly [K in keyof T]: Immutable<T[K]> };

/** A decimal number as `parseDecimal` writes it. */
export const decimal = z
  .string()
  .max(64)
  .regex(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/) as unknown as z.ZodType<Decimal>; // the pattern is the brand's
export const money: z.ZodType<Money> = z.object({ amount: decimal, currency: z.string() });

export const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) as unknown as z.ZodType<Sha>; // the pattern is the brand's

export const count = z.int().min(0);
export const texts = z.array(z.string());
