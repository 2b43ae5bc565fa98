const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The characters that people see as one, each with the columns that it takes. */
function* seen(text: string): Generator<{ readonly segment: string; readonly columns: number }> {
  for (const { segment } of graphemes.segment(text)) yield { segment, columns: WIDE.test(segment) ? 2 : 1 };
}

/** How many columns a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const one of seen(text)) columns += one.columns;
  return columns;
}

/** A text in at most `width` columns, ending in … where it was cut. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = "";
  let columns = 0;
  for (const one of seen(text)) {
    if (columns + one.columns > width - 1) break;
    kept += one.segment;
    columns += one.columns;
  }
  return `${kept}…`;
}
