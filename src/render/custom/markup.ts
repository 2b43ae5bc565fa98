/** What words of a team's own may not hold, and what to write in its place. */
export interface Unwanted {
  /** Where it begins, in UTF-16 units. */
  readonly offset: number;
  readonly message: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly message: (found: string) => string;
}

// Everything here could hide, or pass for, a part of the comment that is not the team's to word.
const RULES: readonly Rule[] = [
  {
    pattern: /<[!?]/,
    message: (found) => `"${found}" begins text that nobody sees; Handlebars has {{!-- comments --}}`,
  },
  {
    pattern: /<(?!(?:br|\/?(?:sub|sup|kbd|details|summary))>|https:\/\/[^\s<>]+>)[a-z/][^\s<>]*>?/i,
    message: (found) =>
      `${found} is HTML that cannot be used here; write Markdown, or <details>, <summary>, <sub>, <sup>, <kbd>, <br>`,
  },
  {
    pattern: /`{3,}|~{3,}/,
    message: () => "a fence of code cannot be used here; write `code`, or begin its lines with four blanks",
  },
  {
    pattern: /!\[/,
    message: () => "an image can show anything, also a verdict; write a link without the exclamation mark",
  },
  {
    pattern: /\/user-attachments\/assets\/|user-images\.githubusercontent\./i,
    message: () => "this is an address that GitHub shows as an image or a film; link to a page",
  },
  {
    pattern: /\$[$`]|\$(?=[^$]*\\[a-z][^$]*\$)/i,
    message: () => "this begins a formula, which can show anything, also a verdict; write it in words",
  },
  {
    pattern:
      /&(?!(?:amp|lt|gt|quot|nbsp|[mn]dash|hellip|[lr]arr|times|middot|bull|euro);)(?:#\w{1,9}|[a-z]\w{1,40});/i,
    message: (found) => `${found} could be something that nobody sees; write what it stands for`,
  },
  {
    pattern: /(?<![a-z\d])@(?=[a-z\d])[\w/-]*/i,
    message: (found) =>
      `${found} would notify people; write the name without @ (approvers are mentioned when a rule needs them)`,
  },
  {
    pattern: /^(?:[ \t>*+-]|\d{1,9}[.)][ \t])*\[(?:[^\]\\]|\\.)*\]:/ms,
    message: () => "a definition is not shown where it stands; write [words](https://…)",
  },
  {
    pattern: /^(?:[ \t>*+-]|\d{1,9}[.)][ \t])*#{1,3}(?:[ \t]|$)/m,
    message: () => "a heading of this size would pass for the verdict; begin it with ####",
  },
  {
    pattern: /^[ \t>]*(?:=+|-+)[ \t]*$/m,
    message: () => "such a line makes a heading of the one above; begin headings with ####, or write ***",
  },
];

/** The first thing in a text that may not be there; null: nothing. */
export function unwantedIn(text: string): Unwanted | null {
  const found = RULES.flatMap(({ pattern, message }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ offset: match.index, message: message(match[0].slice(0, 40)) }];
  });
  return found.sort((a, b) => a.offset - b.offset)[0] ?? null;
}

/** Code that does nothing wherever it stands: the values that are put in, as `markup-value.ts` writes them. */
const VALUES = /<code>(?:[^!-/:-@[-`{-~\n\t]|&#(?:3[3-9]|[4-9]\d|1[01]\d|12[0-6]);|<wbr>)*<\/code>/g;
const INLINE = ["sub", "sup", "kbd", "summary"] as const;

/** The same of a text as it was written out, where marks must also be closed: an open one would swallow what follows. */
export function unwantedInOutput(text: string): string | null {
  const own = text.replaceAll(VALUES, "");
  const unwanted = unwantedIn(own);
  if (unwanted !== null) return unwanted.message;
  const lines = own.split("\n");
  const open = INLINE.find((tag) => !lines.every((line) => isClosed(line, tag)));
  if (open !== undefined) return `<${open}> must be closed in its own line`;
  const details = lines.filter((line) => /<\/?details>/i.test(line));
  if (!details.every((line) => /^<\/?details>$/i.test(line)))
    return "<details> and </details> stand alone in their lines, without a blank before";
  return isPaired(details) ? null : "each <details> has its </details> below it";
}

/** Folded parts may stand within others. */
function isPaired(details: readonly string[]): boolean {
  let depth = 0;
  for (const line of details) {
    depth += line.startsWith("</") ? -1 : 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Whether each opening tag of a line is followed by its closing one before the next. */
const isClosed = (line: string, tag: string): boolean =>
  /^(?:<(\w+)><\/\1>)*$/.test(
    [...line.matchAll(new RegExp(`</?${tag}>`, "gi"))].map(([found]) => found.toLowerCase()).join(""),
  );

/** Whether an amount stands where a reader sees it, with no digits beside it that would make another of it. */
export const showsAmount = (text: string, amount: string): boolean =>
  new RegExp(`(?<![\\p{N}.,])${amount.replaceAll(/[$+.*?^()[\]{}|\\]/g, "\\$&")}(?![.,]?\\p{N})`, "u").test(
    seenOf(text),
  );

/** Without what is folded away and without addresses; where a link is no plain one, without the rest of its paragraph. */
const seenOf = (text: string): string =>
  unfolded(text)
    .replaceAll(/\]\([^\s()<>"'\\]*\)/g, "]")
    .split("\n\n")
    .map((paragraph) => paragraph.split("](", 1)[0])
    .join("\n\n");

/** Of a folded part the first line is seen, if it is the summary. */
function unfolded(text: string): string {
  let depth = 0;
  const lines = text.split("\n").filter((line, at, all) => {
    const isSummary = depth === 1 && all[at - 1] === "<details>" && /^<summary>.*<\/summary>$/i.test(line);
    if (/^<details>$/i.test(line)) depth += 1;
    if (/^<\/details>$/i.test(line)) depth -= 1;
    return depth === 0 || isSummary;
  });
  return lines.join("\n");
}

// What cannot be seen, or turns the direction of what follows. Emoji and some scripts need joiners and selectors.
const HIDDEN =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Co}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u2800]/u;

/** Where a text has a character that cannot be seen for what it is, in UTF-16 units; null: nowhere. */
export function hiddenIn(text: string): number | null {
  const index = text.search(HIDDEN);
  if (index >= 0) return index;
  return text.isWellFormed() ? null : 0;
}
