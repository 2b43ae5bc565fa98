/** JSON escapes of characters that no database stores: NUL and lone surrogates. Escaped surrogate pairs match too. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;

/** Most texts contain no escape; looking for one takes a tenth of the time. */
const isSuspect = (json: string): boolean => json.includes("\\u") && SUSPECT.test(json);

/** Replaces each character that no database stores by U+FFFD: NUL and lone surrogates. */
export const toStorableText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();

/** Makes every text in a JSON value storable, keys included. */
export function toStorable(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [toStorableText(key), toStorable(member)]),
  );
}

/** The value itself when it is storable; else a copy with every text made storable. */
export const copyUnstorable = <T extends object>(value: T): T =>
  isSuspect(JSON.stringify(value)) ? (toStorable(value) as T) : value; // the names of T's members are storable

/** JSON text for a column; a value is copied only when it contains an unstorable character. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return isSuspect(json) ? JSON.stringify(toStorable(JSON.parse(json))) : json;
}

/** Parses JSON and makes its texts storable. Throws a SyntaxError when the text is not JSON. */
export function parseStorable(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return isSuspect(json) ? toStorable(value) : value;
}
