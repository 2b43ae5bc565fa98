/** As JSON writes what no database keeps in a text: NUL, and halves of characters. Whole characters that are written so match, too. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;

/** The text with U+FFFD for each character that no database keeps: NUL, and half of a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();

/** A value of JSON in which every text can be stored, keys too. */
export function storable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storableText(key), storable(member)]),
  );
}

/** JSON text for a column; only what needs it is copied, as most never does. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return SUSPECT.test(json) ? JSON.stringify(storable(JSON.parse(json))) : json;
}

/** The value that a JSON text writes, with texts that can be stored. Throws a SyntaxError where it is no JSON. */
export function parseStorable(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return SUSPECT.test(json) ? storable(value) : value;
}
