import { compare, type Decimal, type Money, ZERO } from "../../kernel/money.ts";
import { createMoneyStyle } from "../../render/format/money.ts";

/** A monthly change in one currency; null: unknown. */
export interface ChangeAmount {
  readonly currency: string;
  readonly change: Decimal | null;
}

/** Formats a change with its sign: "+$5.00"; unknown is "unknown". */
export const formatChange = ({ currency, change }: ChangeAmount): string =>
  change === null ? "unknown" : createMoneyStyle(currency).change(change);

/** Formats changes in several currencies, which are never added: "+$5.00 and −€2.00". */
export const formatChanges = (changes: readonly ChangeAmount[]): string =>
  joinWords(changes.map(formatChange));

/** Formats amounts in several currencies: "$5.00 and €2.00"; none is an empty text. */
export const formatAmounts = (amounts: readonly Money[]): string =>
  joinWords(amounts.map(({ amount, currency }) => createMoneyStyle(currency).amount(amount)));

/** Joins words: "a", "a and b", "a, b and c". */
export const joinWords = (words: readonly string[]): string =>
  new Intl.ListFormat("en-GB", { type: "conjunction" }).format(words);

/** Colour of a change: more cost is a warning, less is good. */
export const chooseChangeTone = (change: Decimal | null): "danger" | "success" | "muted" =>
  change === null || compare(change, ZERO) === 0 ? "muted" : compare(change, ZERO) > 0 ? "danger" : "success";
