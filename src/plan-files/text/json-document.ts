import Big from "big.js";
import { TollgateError } from "../../kernel/errors.ts";
import { type Decimal, parseDecimal } from "../../kernel/money.ts";
import { decodeFile, guessObjectKind, guessTextKind } from "./decode.ts";

/** What a file is called in messages, and what it should be, with its article: "a Terraform plan JSON". */
export interface ExpectedFile {
  readonly file: string;
  readonly expected: string;
}

interface JsonDocument {
  readonly members: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** A text may have 512 Mi characters (V8). While it is read, a plan takes five to six times the size of its file. */
const MAX_BYTES = 500_000_000;
/** Greatest nesting of lists and objects: deeper than any tool writes, and low enough for recursion. */
const MAX_DEPTH = 1_000;
/** In characters. Length of the beginning, and of the text after the document, from which its kind is recognised. */
const RECOGNISED = 4096;
/** The line that the GitHub Action hashicorp/setup-terraform prints before a command's own output. */
const WRAPPER = "[command]";

/**
 * Reads one JSON object. Throws `file_not_recognised`, with the probable kind of the file, when it is not one JSON object. Text after the
 * document is ignored with a note when it is clearly a log on separate lines, and refused otherwise. Errors never quote the text, which may
 * contain secrets.
 */
export async function readDocument(
  source: AsyncIterable<Uint8Array>,
  expected: ExpectedFile,
  parse: (text: string) => unknown = JSON.parse,
): Promise<JsonDocument> {
  const refuse = (found: string) => createNotRecognisedError(expected, found);
  const bytes = await readBytes(source, refuse);
  const decoded = decodeFile(bytes);
  if (decoded.kind === "empty") throw refuse("is empty");
  if (decoded.kind === "binary") throw refuse(`seems to be ${decoded.guessedKind}`);
  const isWrapped = decoded.text.startsWith(WRAPPER);
  const text = isWrapped ? dropFirstLine(decoded.text) : decoded.text;
  const { value, rest } = parseFirst(text, parse, (problem) =>
    refuse(describeProblem(text, problem, bytes.length)),
  );
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse(Array.isArray(value) ? ARRAY : "is JSON, but not an object");
  const deep = findDeepPart(value, MAX_DEPTH);
  if (deep !== null)
    throw refuse(`has a part that cannot be read: ${deep.slice(0, 2).join(".")} is nested too deeply`);
  const members = { ...value };
  const wrapperNotes = isWrapped
    ? ["the first line was printed by a wrapper around the command and is ignored"]
    : [];
  return { members, notes: [...wrapperNotes, ...readRest(text, rest, members, refuse)] };
}

/** Creates `file_not_recognised` with what was found; the hint names the expected kind of file. */
export function createNotRecognisedError({ file, expected }: ExpectedFile, found: string): TollgateError {
  return new TollgateError("file_not_recognised", `${file} ${found}`, { hint: `Give ${expected}.` });
}

type Refuse = (found: string) => TollgateError;

async function readBytes(source: AsyncIterable<Uint8Array>, refuse: Refuse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_BYTES) throw refuse(`is larger than ${MAX_BYTES / 1_000_000} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Its line break stays, so that line numbers stay correct. */
const dropFirstLine = (text: string): string => (text.includes("\n") ? text.slice(text.indexOf("\n")) : "");

/** Parses the document at the beginning of a text, and returns it with what follows it. */
function parseFirst(
  text: string,
  parse: (text: string) => unknown,
  fail: (problem: Error) => TollgateError,
): { readonly value: unknown; readonly rest: string } {
  try {
    return { value: parse(text), rest: "" };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    const next = /^Unexpected non-whitespace character after JSON at position (\d+)/.exec(error.message)?.[1];
    if (next === undefined) throw fail(error);
    const document = text.slice(0, Number(next)).trimEnd();
    return { value: parse(document), rest: text.slice(document.length) };
  }
}

/** The path of a part that is nested too deeply; null: there is none. */
function findDeepPart(value: unknown, left: number): readonly string[] | null {
  if (typeof value !== "object" || value === null) return null;
  if (left === 0) return [];
  for (const [key, one] of Object.entries(value)) {
    const path = findDeepPart(one, left - 1);
    if (path !== null) return [key, ...path];
  }
  return null;
}

const ARRAY = "is a JSON array, not an object; of several plans, give each as a file of its own";

function describeProblem(text: string, { name, message }: Error, bytes: number): string {
  if (name === "RangeError") return "is nested too deeply";
  const start = text.trimStart();
  if (start === "") return "holds nothing but blanks";
  if (!start.startsWith("{")) return describeNonJson(text.slice(0, RECOGNISED));
  const [, position, line] = / at position (\d+) \(line (\d+) /.exec(message) ?? [];
  if (message === "Unexpected end of JSON input" || Number(position) === text.length)
    return `is cut off after ${bytes} bytes: the JSON in it does not end`;
  return line === undefined
    ? "is not valid JSON"
    : `is not valid JSON: line ${line} has something that does not belong there`;
}

function describeNonJson(beginning: string): string {
  const text = beginning.trimStart();
  const seems = guessTextKind(text);
  if (seems !== null) return `seems to be ${seems}`;
  if (/^\[\s*[[{"\]]/.test(text)) return ARRAY;
  if (COLOUR.test(text))
    return "begins with colour codes of a terminal: write the output to the file with `-no-color` or `NO_COLOR=1`";
  const later = beginning.search(/^\{/m);
  if (later === -1) return "is not JSON";
  return `has other text before the JSON, which begins in line ${countLines(beginning, later)}: write only the standard output of the command to the file`;
}

/** The number of the line in which a position is; lines count from 1. */
const countLines = (text: string, position: number): number => text.slice(0, position).split("\n").length;

/** The beginning of a terminal's colour code. */
const COLOUR = new RegExp(`^${String.fromCharCode(27)}\\[[\\d;]*m`);

/** Returns notes about the text after the document; throws when it is not clearly a log. */
function readRest(text: string, rest: string, members: object, refuse: Refuse): readonly string[] {
  if (rest === "") return [];
  const following = rest.slice(0, RECOGNISED);
  const at = countLines(text, text.length - rest.trimStart().length);
  const whole = guessObjectKind(new Set(Object.keys(members)));
  if (whole?.startsWith("the log of") === true) throw refuse(`seems to be ${whole}`);
  if (/^\s*[{[]\s*["{\]}]/.test(following))
    throw refuse(
      `has a second JSON document in line ${at}; of several plans (\`terragrunt run --all\`), give each as a file of its own`,
    );
  if (!LOG.test(following)) throw refuse(`has something after the JSON in line ${at} that is not a log`);
  return [`text after the JSON, from line ${at} on, looks like a log and is ignored`];
}

/** Matches log lines: they start on a separate line with a word, a bracketed word or a workflow command. */
const LOG = /^[ \t]*\r?\n\s*(::[a-z-]+|\[[A-Za-z]|\[?\d{4}[-/]\d\d|[A-Za-z][\w-]*[:= .]|\S*\[\d+m)/;

/** Matches a decimal with a plus sign, leading zeros or an exponent, as in JSON numbers and some tools' amounts. */
const SCIENTIFIC = /^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i;
/** Matches a number that a double may not represent exactly. */
const LONG_NUMBER = /(?<=^|[[:,\s])-?\d(?:[\d.]{15,}|[\d.]*[eE])/;

/** Parses a decimal number exactly, also with an exponent or a plus sign; null: it is not a number. */
export const readDecimal = (text: string): Decimal | null =>
  parseDecimal(text) ??
  (SCIENTIFIC.test(text) ? parseDecimal(new Big(text.replace(/^\+/, "")).toFixed()) : null);

/** Parses JSON. A number that a double does not represent exactly becomes its text. */
export function parseExactly(json: string): unknown {
  return LONG_NUMBER.test(json) ? JSON.parse(json, reviveExactNumber) : JSON.parse(json);
}

function reviveExactNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return readDecimal(String(value)) === readDecimal(context.source) ? value : context.source;
}
