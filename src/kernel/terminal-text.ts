// Controls, formats (bidirectional, zero-width), lone surrogates, separators of lines; not what lays out text, or joins and parts letters.
const ACTING = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t\u200c\u200d\u2060]]/gv;

/**
 * The text with everything that a terminal would act on written out as `\uXXXX`. JSON stays JSON with the same value: there, such
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
