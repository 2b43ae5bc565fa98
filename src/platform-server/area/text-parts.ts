import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/**
 * A text in parts of at most 256 Ki characters, none of which ends within a character; a short text is one part. The embedded database
 * and the event loop take a few milliseconds for one part, and hundreds for a whole text of 16 MB.
 */
export type TextParts = readonly string[];

const PART_LENGTH = 256 * 1024;

export function splitText(text: string): TextParts {
  const parts: string[] = [];
  let from = 0;
  do {
    const end = from + PART_LENGTH;
    const to = endsWithinCharacter(text, end) ? end - 1 : end;
    parts.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return parts;
}

/** The parts of a text in UTF-8: unlike texts, they move to another thread without a copy. */
export type EncodedParts = readonly Uint8Array<ArrayBuffer>[];

export const encodeText = (text: string): EncodedParts =>
  splitText(text).map((part) => new TextEncoder().encode(part));

export const decodeParts = (parts: EncodedParts): TextParts =>
  parts.map((part) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(part));

/** Whether a pair of surrogates, which are one character, is around the position. */
const endsWithinCharacter = (text: string, position: number): boolean =>
  position < text.length && /[\uD800-\uDBFF]/.test(text.charAt(position - 1));

/** SHA-256 of the whole text in UTF-8, in hexadecimal. Other work gets a turn after each part. */
export async function digestText(parts: TextParts): Promise<string> {
  const hash = createHash("sha256");
  for (const part of parts) {
    hash.update(part);
    if (parts.length > 1) await setImmediate();
  }
  return hash.digest("hex");
}
