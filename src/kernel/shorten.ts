/**
 * The text with at most `most` UTF-16 units, by which it is cut at the end of a word, unless that word is more than a third of it. A
 * cut text ends with "…", and never with half a character.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "");
  const words = /^\s/.test(text.slice(cut.length)) ? cut : cut.replace(/\s+\S*$/, "");
  return `${(words.length * 3 < cut.length * 2 ? cut : words).trimEnd()}…`;
}
