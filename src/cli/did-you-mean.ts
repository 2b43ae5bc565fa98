import { suggest } from "../kernel/suggest.ts";

/** ` Did you mean …?` or nothing. */
export function suggestion(typed: string, known: readonly string[], prefix = ""): string {
  const word = suggest(typed, known);
  return word === null ? "" : ` Did you mean ${prefix}${word}?`;
}
