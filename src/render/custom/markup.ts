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
    pattern: /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]+)*#{1,3}(?:[ \t]|$)/m,
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

/** The values that are put in, as `markup-value.ts` writes them: they are known to be inert. */
const VALUES = /<code>(?:[^<>`]|<wbr>)*<\/code>/g;
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

// What cannot be seen, or turns the direction of what follows. Emoji need joiners and selectors of their own.
const HIDDEN = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u200b\u2060-\u2064\ufeff]/u;

/** Where a text has a character that cannot be seen for what it is, in UTF-16 units; null: nowhere. */
export function hiddenIn(text: string): number | null {
  const index = text.search(HIDDEN);
  if (index >= 0) return index;
  return text.isWellFormed() ? null : 0;
}
