// Controls, formats (bidirectional, zero-width), lone surrogates, separators of lines, and what shows nothing at all. Line breaks and
// tabs lay out text, and the mark that colours the picture before it is part of our own words.
const ACTING =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]|(?<!\p{Extended_Pictographic})\ufe0f/gv;

/**
 * The text with everything that a terminal would act on, or that nobody would see, written out as `\uXXXX`. JSON stays JSON with the same value: there, such
 * characters stand in strings only.
 */
export const terminalText = (text: string): string =>
  text.replace(ACTING, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** The same on one line. */
export const oneLine = (text: string): string =>
  terminalText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
