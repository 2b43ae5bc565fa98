import type { CheckOutput } from "./check-view.ts";

/** Shows nothing, and no line ends beside it. */
const WORD_JOINER = "\u2060";

// Code and addresses, which are copied and stay as they are; or a sign that browsers part from the currency behind it.
const SIGN = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|:\/\/\S*|([+−])(?=[$€¤])/g;

/**
 * A comment whose amounts keep their signs on a narrow page: a minus that is left alone at the end of a line is easily missed.
 * GitHub lets no style through that would do it. For pages only: where text is read as it is, nothing shall be hidden.
 */
export const unbroken = (markdown: string): string =>
  markdown.replaceAll(SIGN, (found: string, _fence?: string, sign?: string) =>
    sign === undefined ? found : sign + WORD_JOINER,
  );

/** The same for what a check says below its title, which is no Markdown. */
export const unbrokenCheck = (output: CheckOutput): CheckOutput => ({
  ...output,
  summary: unbroken(output.summary),
  text: output.text === null ? null : unbroken(output.text),
});

/** The same text as it is read elsewhere. What came from outside holds no joiner, so those that are there are ours. */
export const plain = (markdown: string): string => markdown.replaceAll(WORD_JOINER, "");
