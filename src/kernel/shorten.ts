import { SENSITIVE } from "./redact-credentials.ts";

/** What stands in place of redacted text. */
const MARKS = [SENSITIVE, "[hidden]"];

/** The beginning of a text, at most `most` UTF-16 units: it ends neither within a character nor within the mark of redacted text. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const starts = MARKS.map((mark) => ({ at: text.lastIndexOf(mark, cut.length - 1), length: mark.length }));
  const open = starts.find(({ at, length }) => at !== -1 && at < cut.length && at + length > cut.length);
  return open === undefined ? cut : cut.slice(0, open.at);
}

/**
 * The text with at most `most` UTF-16 units, by which it is cut at the end of a word, unless that word is more than a third of it. A
 * cut text ends with "…".
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = cutText(text, most - 1);
  const isWhole = /^\s/.test(text.slice(cut.length));
  const words = isWhole ? cut : cutText(text, cut.replace(/\s+\S*$/, "").length);
  return `${(words.length * 3 < cut.length * 2 ? cut : words).trimEnd()}…`;
}
