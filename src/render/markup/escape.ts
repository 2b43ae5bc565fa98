/**
 * Text that is safe in a line of GitHub-flavoured Markdown: it reads as what it says and does nothing else.
 * Made in this file and under format/ only; view models hold no other text, so a template cannot show anything raw.
 */
export type Inline = string & { readonly brand: "Inline" };
/** An `Inline` that is also safe inside a table cell. */
export type Cell = Inline & { readonly cell: true };

/** A code block of its own, with an empty line before and after it. */
export type CodeBlock = string & { readonly brand: "CodeBlock" };

/** How much is kept of what is longer, from its start and from its end, in UTF-16 units. */
interface Width {
  readonly head: number;
  readonly tail: number;
}
const NAME: Width = { head: 60, tail: 36 };
const SENTENCE: Width = { head: 240, tail: 60 };
/** More combining marks than this on one letter are shown as escapes, in marks. */
const MARKS = 3;

// Controls, formats (bidirectional, zero-width), surrogates, private use, unassigned, blanks other than a space.
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
const MARK = /\p{M}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name from outside (resource, module, stage, rule, branch, path …) as a code span: in there no Markdown, HTML, mention, issue or
 * commit link, autolink, emoji code or formula works. What cannot be seen is shown as `\u{…}`; a very long name is
 * shortened in the middle, with the number of characters left out.
 */
export const name = (text: string): Inline => span(visibleName(text));

/** The same for a table cell, where a pipe would end the cell. */
export const cellName = (text: string): Cell => span(visibleCellName(text).replaceAll("|", "\\|")) as Cell; // every pipe is escaped, which is what a cell asks for

// Logins and team slugs as GitHub has them; an underscore only between letters or digits, where it begins no emphasis.
const MENTIONABLE = /^[a-z\d][a-z\d-]{0,99}(?:(?<=[a-z\d])_[a-z\d]+)?(?:\/[a-z\d]+(?:(?:-+|_+)[a-z\d]+)*)?$/i;

/**
 * A mention, which notifies the person or team. For approvers whom the policy in force names, never for a name from the pull
 * request. What is no login or `organisation/team` is a code span instead.
 */
export const mention = (approver: string): Inline =>
  MENTIONABLE.test(approver) ? (`@${approver}` as Inline) : name(`@${approver}`); // the pattern above is the proof

/** A line to be copied, which GitHub shows with a button for that. Nothing of it is left out. */
export function codeBlock(line: string): CodeBlock {
  const text = [...visibleCharacters(line)].join("");
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}\n${text}\n${fence}\n\n` as CodeBlock; // no run in it is as long as the fence
}

/** What a reader sees of a name; the reference for tests. */
export const visibleName = (text: string): string => shorten(visibleCharacters(text), NAME);

/** What a reader sees of a sentence that is shown as a code span. */
export const visibleSentence = (text: string): string => shorten(visibleCharacters(text), SENTENCE);

/** Parsers disagree about a backslash before a pipe in a cell, so that backslash is shown as an escape. */
export const visibleCellName = (text: string): string =>
  visibleName(text).replaceAll(/\\(?=\|)/g, escaped(0x5c));

/** A sentence from outside: as plain words when nothing in it can act, else as a code span, shortened like a name but wider. */
export function sentence(text: string): Inline {
  return isHarmless(text) ? (text as Inline) : span(visibleSentence(text)); // the pattern below is the proof
}

/** A phrase from outside in a table cell: as plain words when nothing in it can act, else as a code span, shortened like a name. */
export const cellWords = (text: string): Cell =>
  isHarmless(text) && visibleName(text) === text ? (text as Cell) : cellName(text); // what is harmless holds no pipe

// Letters, digits, blanks and punctuation that have no meaning anywhere on a line; first a letter, or a number and a word, so
// that no list or heading begins.
const HARMLESS =
  /^(?:[A-Za-z]|\d{1,6} (?=[A-Za-z]))(?:[A-Za-z0-9 ,;."'()?%+-]|: |(?<=[A-Za-z0-9])[/_](?=[A-Za-z0-9])){0,399}$/;
// What GitHub makes a link of: commit ids, www addresses, GH-1.
const LINKED = /\b[0-9a-f]{7,}\b|www\.|\bgh-\d/i;

const isHarmless = (text: string): boolean =>
  HARMLESS.test(text) && !LINKED.test(text) && !/ {2}| $/.test(text);

/**
 * The URL as it may stand in `[words](…)`, or null when it is not a plain https URL (http only on loopback) without
 * credentials, of at most 2,000 characters.
 */
export function linkTarget(url: string): Inline | null {
  if (url.length > 2000 || !URL.canParse(url)) return null;
  const { protocol, hostname, username, password, href } = new URL(url);
  const loopback = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && loopback)) return null;
  if (username !== "" || password !== "") return null;
  return href.replaceAll(/[()<>[\]|\\`*_~$]/g, percent) as Inline; // nothing is left that could end the link or begin another mark
}

/** The text as a link to an address that `linkTarget` gave; without one, the text alone. */
export const linked = <T extends Inline>(text: T, address: Inline | null): T =>
  address === null ? text : (`[${text}](${address})` as T); // neither part can end its brackets

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const escaped = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

/** One entry per character of the name: itself, or its escape where it could not be seen for what it is. */
function* visibleCharacters(text: string): Generator<string> {
  if (text === "") yield '""';
  let marks = MARKS; // a mark at the very start has no letter of its own
  let blank = true; // a blank at the start, at the end or after another would not be seen
  let left = text.length;
  for (const character of text) {
    left -= character.length;
    const isBlank = character === " ";
    marks = MARK.test(character) ? marks + 1 : 0;
    const hidden = HIDDEN.test(character) || marks > MARKS || (isBlank && (blank || left === 0));
    blank = isBlank;
    yield hidden ? escaped(character.codePointAt(0) ?? 0) : character;
  }
}

function shorten(characters: Iterable<string>, width: Width): string {
  const head: string[] = [];
  const tail: string[] = [];
  let headWidth = 0;
  let tailWidth = 0;
  let dropped = 0;
  for (const character of characters) {
    if (tail.length === 0 && headWidth + character.length <= width.head) {
      head.push(character);
      headWidth += character.length;
      continue;
    }
    tail.push(character);
    tailWidth += character.length;
    while (tailWidth > width.tail) {
      tailWidth -= tail.shift()?.length ?? 0;
      dropped += 1;
    }
  }
  const gap = dropped === 0 ? "" : `…(+${dropped})…`;
  return head.join("") + gap + tail.join("");
}

function span(text: string): Inline {
  const runs = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  const code = fence + pad + text + pad + fence;
  // Letters that run from right to left would reorder the figures beside them.
  return (RIGHT_TO_LEFT.test(text) ? `\u2068${code}\u2069` : code) as Inline; // a code span is inert
}
