import { createHash } from "node:crypto";
import type { z } from "zod";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { cutText, shorten } from "../../kernel/shorten.ts";
import { IMPORT_LIMITS, type ImportProblem } from "../../platform/contract/own-operations.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import type { ImportKind } from "../area/import-kind.ts";
import { hasNul, isNestedDeeperThan, MAX_NESTING, TOO_NESTED } from "../area/value-limits.ts";

/** A checked page. */
export interface ReadPage {
  /** Number of its lines, blank ones included. */
  readonly total: number;
  /** The valid lines as they were sent. */
  readonly lines: readonly string[];
  /** Line number and digest of the key of each valid line. */
  readonly keys: readonly (readonly [number, string])[];
  /** In the order of the lines. */
  readonly problems: readonly ImportProblem[];
}

const LINE_FEED = 10;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Checks every line of a page: its schema, and that keys are unique. `firstLine`: number of its first line in the file. */
export function readLines(kind: ImportKind, page: Uint8Array, firstLine: number): ReadPage {
  const lines: string[] = [];
  const keys: [number, string][] = [];
  const problems: ImportProblem[] = [];
  const linesByKey = new Map<string, number>();
  let line = firstLine;
  for (const bytes of cutLines(page)) {
    const read = readLine(kind, bytes, line);
    if ("problems" in read) problems.push(...read.problems);
    else if (read.text !== "") {
      const key = hashKey(kind.key(read.row));
      const earlier = linesByKey.get(key);
      if (earlier !== undefined) problems.push(createRepeatedKeyProblem(line, earlier));
      else {
        linesByKey.set(key, line);
        keys.push([line, key]);
        lines.push(read.text);
      }
    }
    line += 1;
  }
  return { total: line - firstLine, lines, keys, problems };
}

/** Parses lines that `readLines` accepted, in any dialect. */
export const buildRows = (kind: ImportKind, lines: string): readonly unknown[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => kind.line.parse(translate(kind.line, JSON.parse(line), "neutral")));

/** Returns the problem of a line with the key of an earlier line of the same file. */
export const createRepeatedKeyProblem = (line: number, earlier: number): ImportProblem => ({
  line,
  field: "",
  problem: `is the same thing as line ${earlier}: one file may name each only once`,
});

function* cutLines(page: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < page.length) {
    const end = page.indexOf(LINE_FEED, start);
    yield page.subarray(start, end < 0 ? page.length : end);
    start = end < 0 ? page.length : end + 1;
  }
}

type ReadLine =
  | { readonly text: string; readonly row: unknown }
  | { readonly problems: readonly ImportProblem[] };

function readLine(kind: ImportKind, bytes: Uint8Array, line: number): ReadLine {
  const wrong = (problem: string) => ({ problems: [{ line, field: "", problem }] });
  if (bytes.length > IMPORT_LIMITS.lineBytes) return wrong(`is longer than ${IMPORT_LIMITS.lineBytes} bytes`);
  // A byte-order mark at the beginning goes.
  const text = attempt(() => utf8.decode(bytes))?.trim();
  if (text === undefined) return wrong("is not UTF-8");
  if (text === "") return { text, row: null };
  const value: unknown = attempt(() => JSON.parse(text));
  if (value === undefined) return wrong("is not JSON: expected one whole JSON object to a line");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong("is not a JSON object: expected one to a line");
  if (isNestedDeeperThan(value, MAX_NESTING)) return wrong(TOO_NESTED);
  if (text.includes("\\u0000") && hasNul(value)) return wrong("holds the character U+0000");
  const result = kind.line.safeParse(translate(kind.line, value, "neutral"), PARSE_OPTIONS);
  return result.success ? { text, row: result.data } : { problems: toImportProblems(result.error, line) };
}

/** Undefined: `parse` throws. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Most problems that are reported of one line, and most characters of each. */
const MAX_PROBLEMS = 5;
const LONGEST = 300;

function toImportProblems(error: z.ZodError, line: number): readonly ImportProblem[] {
  return error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    line,
    field: cutText(path.join("."), LONGEST),
    problem: shorten(message, LONGEST),
  }));
}

/** Keys are compared by digest, so that those of a whole file fit into memory. */
const hashKey = (key: string): string => createHash("sha256").update(key).digest("base64url").slice(0, 22);
