/**
 * Text that is safe in a line of GitHub-flavoured Markdown: it is displayed literally and has no effect.
 * Created in this file and under format/ only; view models contain no other text, so a template cannot output
 * raw text.
 */
export type Inline = string & { readonly brand: "Inline" };
/** An `Inline` that is also safe inside a table cell. */
export type Cell = Inline & { readonly cell: true };

/** A code block with an empty line before and after it. */
export type CodeBlock = string & { readonly brand: "CodeBlock" };

/** Lengths of the start and the end of a shortened text, in UTF-16 units. */
interface TextWidth {
  readonly head: number;
  readonly tail: number;
}
const NAME_WIDTH: TextWidth = { head: 120, tail: 60 };
const CELL_WIDTH: TextWidth = { head: 60, tail: 36 };
const SENTENCE_WIDTH: TextWidth = { head: 240, tail: 60 };
/** Largest number of combining marks on one letter; further ones are escaped. */
const MAX_MARKS = 3;

// Controls, formats (bidirectional, zero-width), surrogates, private use, unassigned, blanks other than a space.
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
const MARK = /\p{M}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Formats a name from outside (resource, module, stage, rule, branch, path …) as a code span, in which
 * Markdown, HTML, mentions, issue and commit links, autolinks, emoji codes and formulas have no effect.
 * Invisible characters are shown as `\u{…}`; a very long name is shortened in the middle, with the number of
 * omitted characters.
 */
export const formatName = (text: string): Inline => formatCodeSpan(formatVisibleName(text));

/** Formats a name for a table cell, where a pipe would end the cell. */
export const formatCellName = (text: string): Cell =>
  formatCodeSpan(formatVisibleCellName(text).replaceAll("|", "\\|")) as Cell; // every pipe is escaped, as a cell requires

// Logins and team slugs as GitHub allows them; an underscore only between letters or digits, where it cannot
// begin emphasis.
const MENTIONABLE = /^[a-z\d][a-z\d-]{0,99}(?:(?<=[a-z\d])_[a-z\d]+)?(?:\/[a-z\d]+(?:(?:-+|_+)[a-z\d]+)*)?$/i;

/**
 * A mention, which notifies the person or team. Only for approvers in the policy in force, never for names
 * from the pull request. A text that is neither a login nor `organisation/team` becomes a code span.
 */
export const formatMention = (approver: string): Inline =>
  MENTIONABLE.test(approver) ? (`@${approver}` as Inline) : formatName(`@${approver}`); // guaranteed by the pattern

/** Formats a line as a code block, which GitHub shows with a copy button. It is never shortened. */
export function formatCodeBlock(line: string): CodeBlock {
  const text = [...generateVisibleCharacters(line)].join("");
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}\n${text}\n${fence}\n\n` as CodeBlock; // the fence is longer than every run of backticks in the text
}

/** The visible form of a name; the reference for tests. */
export const formatVisibleName = (text: string): string =>
  shortenText(generateVisibleCharacters(text), NAME_WIDTH);

// As INVISIBLE, but blanks of every width, tabs and line ends have their place in HTML.
const HIDDEN = /(?![\t\n])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** The text with its hidden characters (bidirectional, zero-width, controls) shown as `\u{…}`, for HTML. */
export const showHidden = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => escapeCodePoint(character.codePointAt(0) ?? 0));

/** The visible form of a sentence in a code span. */
export const formatVisibleSentence = (text: string): string =>
  shortenText(generateVisibleCharacters(text), SENTENCE_WIDTH);

/**
 * The visible form of a name in a cell. Parsers disagree about a backslash before a pipe in a cell, so that
 * backslash is escaped.
 */
export const formatVisibleCellName = (text: string): string =>
  shortenText(generateVisibleCharacters(text), CELL_WIDTH).replaceAll(/\\(?=\|)/g, escapeCodePoint(0x5c));

/**
 * Formats a sentence from outside: as plain text if it is harmless, else as a code span, shortened like a
 * name but to a larger length.
 */
export function formatSentence(text: string): Inline {
  return isHarmless(text) ? (text as Inline) : formatCodeSpan(formatVisibleSentence(text)); // guaranteed by the pattern
}

/**
 * Formats a phrase from outside for a table cell: as plain text if it is harmless, else as a code span,
 * shortened like a name.
 */
export const formatCellWords = (text: string): Cell =>
  isHarmless(text) && formatVisibleCellName(text) === text ? (text as Cell) : formatCellName(text); // harmless text contains no pipe

// Letters, digits, blanks and punctuation without a meaning anywhere on a line. The first is a letter, or a
// number and a word, so that no list or heading begins.
const HARMLESS =
  /^(?:[A-Za-z]|\d{1,6} (?=[A-Za-z]))(?:[A-Za-z0-9 ,;."'()?%+-]|: |(?<=[A-Za-z0-9])[/_](?=[A-Za-z0-9])){0,399}$/;
// Texts that GitHub turns into links: commit ids, www addresses, GH-1.
const AUTOLINKED = /\b[0-9a-f]{7,}\b|www\.|\bgh-\d/i;

const isHarmless = (text: string): boolean =>
  HARMLESS.test(text) && !AUTOLINKED.test(text) && !/ {2}| $/.test(text);

/**
 * The URL in a form that is safe in `[words](…)`; null unless it is a plain https URL (http only on loopback)
 * without credentials, of at most 2,000 characters.
 */
export function parseLinkTarget(url: string): Inline | null {
  if (url.length > 2000 || !URL.canParse(url)) return null;
  const { protocol, hostname, username, password, href } = new URL(url);
  const loopback = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && loopback)) return null;
  if (username !== "" || password !== "") return null;
  return href.replaceAll(/[()<>[\]|\\`*_~$]/g, encodePercent) as Inline; // no character is left that could end the link or begin markup
}

/** Formats the text as a link to an address from `parseLinkTarget`; without an address, returns the text. */
export const formatLink = <T extends Inline>(text: T, address: Inline | null): T =>
  address === null ? text : (`[${text}](${address})` as T); // neither part can close its brackets

const encodePercent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const escapeCodePoint = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

/**
 * Yields one entry per character of the name: the character, or its escape if it would be invisible or
 * misleading.
 */
function* generateVisibleCharacters(text: string): Generator<string> {
  if (text === "") yield '""';
  let marks = MAX_MARKS; // a mark at the very start has no base letter
  let blank = true; // a blank at the start, at the end or after another blank would be invisible
  let left = text.length;
  for (const character of text) {
    left -= character.length;
    const isBlank = character === " ";
    marks = MARK.test(character) ? marks + 1 : 0;
    const isInvisible = INVISIBLE.test(character) || marks > MAX_MARKS || (isBlank && (blank || left === 0));
    blank = isBlank;
    yield isInvisible ? escapeCodePoint(character.codePointAt(0) ?? 0) : character;
  }
}

/**
 * Shortens in the middle. Two texts of one length that differ only there differ in the four digits after the
 * number of omitted characters (FNV-1a).
 */
function shortenText(characters: Iterable<string>, width: TextWidth): string {
  const head: string[] = [];
  const tail: string[] = [];
  let headWidth = 0;
  let tailWidth = 0;
  let dropped = 0;
  let hash = 0x811c9dc5;
  for (const character of characters) {
    if (tail.length === 0 && headWidth + character.length <= width.head) {
      head.push(character);
      headWidth += character.length;
      continue;
    }
    tail.push(character);
    tailWidth += character.length;
    while (tailWidth > width.tail) {
      const first = tail.shift() ?? "";
      tailWidth -= first.length;
      hash = Math.imul(hash ^ (first.codePointAt(0) ?? 0), 0x01000193);
      dropped += 1;
    }
  }
  const mark = ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, "0");
  const gap = dropped === 0 ? "" : `…(+${dropped} #${mark})…`;
  return head.join("") + gap + tail.join("");
}

function formatCodeSpan(text: string): Inline {
  const runs = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  const code = fence + pad + text + pad + fence;
  // Isolates right-to-left letters, which would reorder the figures beside them.
  return (RIGHT_TO_LEFT.test(text) ? `\u2068${code}\u2069` : code) as Inline; // a code span is inert
}
