/** What a terminal would act on instead of showing it: control, format and separator characters, lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text from outside on one line, in which nothing works: hidden characters are written out. */
export const oneLine = (text: string): string =>
  text.replace(HIDDEN, (found) => SHORT[found] ?? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);

/** JSON as it is, but for characters that JSON may hold and a terminal would act on: they are escaped. */
export const safeJson = (json: string): string =>
  json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

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
