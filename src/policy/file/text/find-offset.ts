import type { Scalar } from "yaml";

interface ScalarPosition {
  /** The whole file. */
  readonly text: string;
  /** Counted from the start of the scalar's value. */
  readonly character: number;
}

/** The offset in the file of a character of a scalar's value; null: the notation does not reveal it. */
export function findOffset({ range, type, value }: Scalar, spot: ScalarPosition): number | null {
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
      return findBlockOffset(value, { ...spot, start });
    default:
      return null;
  }
}

/**
 * The lines of a block scalar follow its header, each indented by the same number of blanks: as many as the
 * first non-blank line in the file has more than the same line of the value.
 */
function findBlockOffset(
  value: string,
  { text, character, start }: ScalarPosition & { readonly start: number },
): number | null {
  const before = value.slice(0, character).split("\n");
  let lineStart = text.indexOf("\n", start) + 1;
  const indent = countLeadingBlanks(text.slice(lineStart)) - countLeadingBlanks(value);
  for (let line = 1; line < before.length && lineStart > 0; line += 1)
    lineStart = text.indexOf("\n", lineStart) + 1;
  return lineStart === 0 ? null : lineStart + indent + (before.at(-1)?.length ?? 0);
}

/** Blanks before the first word of the first line that has one. */
const countLeadingBlanks = (lines: string): number => /^(?: *\r?\n)*( *)/.exec(lines)?.[1]?.length ?? 0;
