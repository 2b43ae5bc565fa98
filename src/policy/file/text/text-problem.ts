/** Largest policy file, in UTF-8 bytes. */
const MAX_BYTES = 65_536;

/** The problem of a text before it is parsed, as a sentence; null: none. */
export function findTextProblem(text: string): string | null {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    return `the file is larger than ${MAX_BYTES / 1024} KB; make it shorter`;
  }
  if (text.startsWith("\ufffe")) return "the file is not UTF-8 text; save it as UTF-8";
  if (text.includes("\0")) return "the file holds NUL characters, as UTF-16 text does; save it as UTF-8";
  if (text.includes("\ufffd")) return "the file is not UTF-8 text; save it as UTF-8";
  return text.trim() === "" ? "the file is empty; it needs at least version: 1" : null;
}
