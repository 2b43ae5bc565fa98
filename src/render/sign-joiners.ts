/** An invisible character that prevents a line break beside it. */
const WORD_JOINER = "\u2060";

// Code and addresses, which are copied and stay unchanged; or a sign that browsers separate from the
// following currency.
const LEADING_SIGN = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|:\/\/\S*|([+−])(?=[$€¤])/g;

/**
 * Inserts word joiners so that a line never breaks between a sign and its amount; a minus at the end of a
 * line is easily missed. GitHub allows no style for this. Only for rendered pages: plain text must contain no
 * invisible characters.
 */
export const keepSignsTogether = (markdown: string): string =>
  markdown.replaceAll(LEADING_SIGN, (found: string, _fence?: string, sign?: string) =>
    sign === undefined ? found : sign + WORD_JOINER,
  );

/** Inserts word joiners into summary and text of a check; its title is not Markdown. */
export const keepCheckSignsTogether = <T extends { readonly summary: string; readonly text: string | null }>(
  output: T,
): T => ({
  ...output,
  summary: keepSignsTogether(output.summary),
  text: output.text === null ? null : keepSignsTogether(output.text),
});

/** Removes the word joiners. Text from outside contains none, because they are escaped. */
export const removeJoiners = (markdown: string): string => markdown.replaceAll(WORD_JOINER, "");
