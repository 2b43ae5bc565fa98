import type { Scalar } from "yaml";

interface Spot {
  /** The whole file. */
  readonly text: string;
  /** Counted from the start of the scalar's value. */
  readonly character: number;
}

/** Where in the file a character of a scalar's value stands; null: it is written in a way that does not tell. */
export function offsetIn({ range, type, value }: Scalar, spot: Spot): number | null {
  const start = range?.[0];
  const end = range?.[1];
  if (start === undefined || end === undefined || typeof value !== "string") return null;
  switch (type) {
    case "PLAIN":
    case "QUOTE_SINGLE":
    case "QUOTE_DOUBLE": {
      const quote = type === "PLAIN" ? 0 : 1;
      const isVerbatim = spot.text.slice(start + quote, end - quote) === value;
      return isVerbatim ? start + quote + spot.character : null;
    }
    case "BLOCK_LITERAL":
      return offsetInBlock(value, { ...spot, start });
    default:
      return null;
  }
}

/**
 * A block's lines stand as they are written below its header, each further in by the same number of blanks: as many as the
 * first line with words in the file has more than the same line of the value.
 */
function offsetInBlock(
  value: string,
  { text, character, start }: Spot & { readonly start: number },
): number | null {
  const before = value.slice(0, character).split("\n");
  let lineStart = text.indexOf("\n", start) + 1;
  const indent = blanksBefore(text.slice(lineStart)) - blanksBefore(value);
  for (let line = 1; line < before.length && lineStart > 0; line += 1)
    lineStart = text.indexOf("\n", lineStart) + 1;
  return lineStart === 0 ? null : lineStart + indent + (before.at(-1)?.length ?? 0);
}

/** Blanks before the first word of the first line that has one. */
const blanksBefore = (lines: string): number => /^(?: *\r?\n)*( *)/.exec(lines)?.[1]?.length ?? 0;
