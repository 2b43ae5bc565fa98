import { TollgateError } from "../../kernel/errors.ts";
import { type Decimal, parseDecimal } from "../../kernel/money.ts";
import { decodeFile, guessObjectKind, guessTextKind } from "./decode.ts";
import { type CutterOptions, JsonCutter, JsonProblem } from "./json-cutter.ts";

export interface DocumentOptions extends CutterOptions {
  /** Name of the file in messages. */
  readonly file: string;
  /** The expected kind of file, with its article: "a Terraform plan JSON". */
  readonly expected: string;
}

/** The result of reading a whole document. */
export interface DocumentSummary {
  readonly keys: ReadonlySet<string>;
  /** Notes for the reader of the file. */
  readonly notes: readonly string[];
}

/** In characters. Length of the stored beginning, from which the kind of a wrong file is recognised. */
const BEGINNING = 4096;
/** The line that the GitHub Action hashicorp/setup-terraform prints before a command's own output. */
const WRAPPER = "[command]";

/**
 * Reads one JSON object from bytes and passes on the values that `choose` requests. Throws
 * `file_not_recognised`, with the probable kind of the file, when it is not one JSON object. Text after the
 * document is ignored with a note when it is clearly a log on separate lines, and refused otherwise.
 */
export async function readDocument(
  bytes: AsyncIterable<Uint8Array>,
  options: DocumentOptions,
): Promise<DocumentSummary> {
  const document: DocumentNotes = { keys: new Set(), notes: [], beginning: "", bytes: 0 };
  const cutter = new JsonCutter({
    choose: (path) => {
      if (path.length === 1) document.keys.add(String(path[0]));
      return path.length === 0 ? "enter" : options.choose(path);
    },
    take: (path, text) => {
      if (path.length > 0) options.take(path, text);
    },
  });
  try {
    for await (const chunk of readDocumentText(bytes, document, options)) cutter.write(chunk);
    cutter.end();
  } catch (error) {
    throw error instanceof JsonProblem
      ? createNotRecognisedError(options, describeProblem(error, document))
      : error;
  }
  if (!document.beginning.trimStart().startsWith("{"))
    throw createNotRecognisedError(options, describeWrongRoot(document.beginning));
  return { keys: document.keys, notes: [...document.notes, ...readTrailingText(cutter, document, options)] };
}

/** Creates `file_not_recognised` with what was found; the hint names the expected kind of file. */
export function createNotRecognisedError(
  options: { readonly file: string; readonly expected: string },
  found: string,
): TollgateError {
  return new TollgateError("file_not_recognised", `${options.file} ${found}`, {
    hint: `Give ${options.expected}.`,
  });
}

/** Data collected while a document is read. */
interface DocumentNotes {
  readonly keys: Set<string>;
  readonly notes: string[];
  beginning: string;
  bytes: number;
}

async function* readDocumentText(
  bytes: AsyncIterable<Uint8Array>,
  document: DocumentNotes,
  options: DocumentOptions,
): AsyncGenerator<string> {
  const decoded = await decodeFile(tallyBytes(bytes, document));
  if (decoded.kind === "empty") throw createNotRecognisedError(options, "is empty");
  if (decoded.kind === "binary")
    throw createNotRecognisedError(options, `seems to be ${decoded.guessedKind}`);
  let inWrapper = false;
  for await (const chunk of decoded.chunks) {
    if (document.beginning === "" && chunk.startsWith(WRAPPER)) {
      inWrapper = true;
      document.notes.push("the first line was printed by a wrapper around the command and is ignored");
    }
    const text: string = inWrapper ? chunk.slice(findLineEnd(chunk)) : chunk;
    inWrapper &&= text === "";
    if (document.beginning.length < BEGINNING) document.beginning += text.slice(0, BEGINNING);
    yield text;
  }
}

/** Returns the end of the first line. Its line break is not skipped, so that line numbers stay correct. */
function findLineEnd(text: string): number {
  const at = text.indexOf("\n");
  return at === -1 ? text.length : at;
}

async function* tallyBytes(
  bytes: AsyncIterable<Uint8Array>,
  document: DocumentNotes,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    document.bytes += chunk.length;
    yield chunk;
  }
}

const ARRAY = "is a JSON array, not an object; of several plans, give each as a file of its own";

function describeWrongRoot(beginning: string): string {
  return beginning.trimStart().startsWith("[") ? ARRAY : "is JSON, but not an object";
}

function describeProblem(problem: JsonProblem, document: DocumentNotes): string {
  if (problem.kind === "empty") return "holds nothing but blanks";
  if (problem.kind === "too_deep")
    return `has a part that cannot be read: ${problem.place} is nested too deeply`;
  const text = document.beginning.trimStart();
  if (!text.startsWith("{")) return describeNonJson(text, problem);
  if (problem.kind === "cut_off")
    return `is cut off after ${document.bytes} bytes: the JSON in it does not end`;
  return `is not valid JSON: line ${problem.line} has something that does not belong there`;
}

function describeNonJson(text: string, problem: JsonProblem): string {
  const seems = guessTextKind(text);
  if (seems !== null) return `seems to be ${seems}`;
  if (/^\[\s*[[{"\]]/.test(text)) return ARRAY;
  if (COLOUR.test(text))
    return "begins with colour codes of a terminal: write the output to the file with `-no-color` or `NO_COLOR=1`";
  const later = text.search(/^\{/m);
  if (later === -1) return "is not JSON";
  const line = problem.line + text.slice(0, later).split("\n").length - 1;
  return `has other text before the JSON, which begins in line ${line}: write only the standard output of the command to the file`;
}

/** The beginning of a terminal's colour code. */
const COLOUR = new RegExp(`^${String.fromCharCode(27)}\\[[\\d;]*m`);

/** Returns notes about the text after the document; throws when it is not clearly a log. */
function readTrailingText(cutter: JsonCutter, document: DocumentNotes, options: DocumentOptions): string[] {
  const { text, line } = cutter.after;
  const first = text.search(/\S/);
  if (first === -1) return [];
  const at = line + text.slice(0, first).split("\n").length - 1;
  const whole = guessObjectKind(document.keys);
  if (whole?.startsWith("the log of") === true)
    throw createNotRecognisedError(options, `seems to be ${whole}`);
  if (/^\s*[{[]\s*["{\]}]/.test(text))
    throw createNotRecognisedError(
      options,
      `has a second JSON document in line ${at}; of several plans (\`terragrunt run --all\`), give each as a file of its own`,
    );
  if (!LOG.test(text))
    throw createNotRecognisedError(options, `has something after the JSON in line ${at} that is not a log`);
  return [`text after the JSON, from line ${at} on, looks like a log and is ignored`];
}

/** Matches log lines: they start on a separate line with a word, a bracketed word or a workflow command. */
const LOG = /^[ \t]*\r?\n\s*(::[a-z-]+|\[[A-Za-z]|\[?\d{4}[-/]\d\d|[A-Za-z][\w-]*[:= .]|\S*\[\d+m)/;

/**
 * Matches a decimal with an exponent, as in JSON numbers and some tools' amounts: sign, digits, decimals,
 * exponent.
 */
const SCIENTIFIC = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Matches a number that a double may not represent exactly. */
const LONG_NUMBER = /(?<=^|[[:,\s])-?\d(?:[\d.]{15,}|[\d.]*[eE])/;

/** Parses a decimal number exactly, also with an exponent or a plus sign; null: it is not a number. */
export function readDecimal(text: string): Decimal | null {
  const plain = parseDecimal(text);
  if (plain !== null) return plain;
  const match = SCIENTIFIC.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent);
  const digits = "0".repeat(Math.max(0, 1 - point)) + whole + decimals;
  const split = Math.max(1, point);
  const front = digits
    .slice(0, split)
    .padEnd(split, "0")
    .replace(/^0+(?=\d)/, "");
  const back = digits.slice(split);
  return parseDecimal(`${sign === "-" ? "-" : ""}${front}${back === "" ? "" : `.${back}`}`);
}

/** Parses JSON. A number that a double does not represent exactly becomes its text. */
export function parseExactly(json: string): unknown {
  return LONG_NUMBER.test(json) ? JSON.parse(json, reviveExactNumber) : JSON.parse(json);
}

function reviveExactNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return readDecimal(String(value)) === readDecimal(context.source) ? value : context.source;
}
