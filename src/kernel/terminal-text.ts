// Controls, formats (bidirectional, zero-width), lone surrogates, line separators, and invisible characters. Line breaks and
// tabs lay out text, and the emoji variation selector is part of Tollgate's own messages.
const UNSAFE_CHARACTERS =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]|(?<!\p{Extended_Pictographic})\ufe0f/gv;

/**
 * Escapes every character that a terminal acts on or does not show as `\uXXXX`. JSON stays JSON with the same value: there, such
 * characters occur in strings only.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(UNSAFE_CHARACTERS, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Escapes line breaks and tabs too. */
export const toOneLine = (text: string): string =>
  escapeForTerminal(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
