import { Composer, CST, type Document, Lexer, LineCounter, Parser } from "yaml";
import type { FileProblem, TextPosition } from "./text-position.ts";

/** Deepest nesting of mappings and lists. */
const MAX_DEPTH = 20;
/** Stack entries of the parser beside the levels of the text: the document and the current node. */
const OWN_LEVELS = 2;
/** Largest number of tokens, and of flaws after which reading stops: they bound the cost of hostile files. */
const MAX_PIECES = 20_000;
const MAX_FLAWS = 20;

export interface ComposedYaml {
  /** Null: there is no document, and `flaws` says why. */
  readonly document: Document.Parsed | null;
  readonly flaws: readonly FileProblem[];
  getPosition(offset: number): TextPosition;
}

/** Reads one YAML 1.2 document token by token. Anchors, aliases, tags and directives are refused everywhere. */
export function composeYaml(text: string): ComposedYaml {
  const lines = new LineCounter();
  const place = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const { tokens, flaws, isWhole } = readTokens(text, lines, place);
  if (!isWhole) return { document: null, flaws, getPosition: place };
  const [document] = new Composer(OPTIONS).compose(tokens, true, text.length);
  const errors = (document?.errors ?? []).slice(0, MAX_FLAWS);
  const invalid = errors
    .map(({ pos, message }) => {
      const hint = describeConditionHint(text, pos[0]);
      return { hint, ...createFlaw(place(pos[0]), `not valid YAML: ${message}${hint}`) };
    })
    .filter(({ hint, line }, at, all) => hint === "" || all.findIndex((one) => one.line === line) === at)
    .map(({ hint: _, ...flaw }) => flaw);
  return {
    document: invalid.length > 0 ? null : (document ?? null),
    flaws: [...flaws, ...invalid],
    getPosition: place,
  };
}

const OPTIONS = {
  schema: "core",
  version: "1.2",
  merge: false,
  uniqueKeys: false,
  logLevel: "silent",
} as const;

const createFlaw = (at: TextPosition, message: string): FileProblem => ({ ...at, path: "", message });

/** A hint to quote the condition in an invalid line with a condition; empty for other lines. */
function describeConditionHint(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1).split("\n", 1)[0] ?? "";
  return /\bwhen:/.test(line) ? "; put the whole condition in quotes" : "";
}

interface Tokens {
  readonly tokens: readonly CST.Token[];
  readonly flaws: readonly FileProblem[];
  /** False: reading stopped at the last flaw. */
  readonly isWhole: boolean;
}

function readTokens(text: string, lines: LineCounter, place: (offset: number) => TextPosition): Tokens {
  lines.addNewLine(0); // the parser reports the starts of the following lines
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  const flaws: FileProblem[] = [];
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    pieces += 1;
    const refused = REFUSED_TOKENS[CST.tokenType(piece) ?? ""];
    if (refused !== undefined)
      flaws.push(createFlaw(place(parser.offset), `${refused}${describeConditionHint(text, parser.offset)}`));
    tokens.push(...parser.next(piece));
    const stop = findStopReason({ pieces, depth: parser.stack.length, flaws: flaws.length });
    if (stop !== null)
      return { tokens, flaws: [...flaws, createFlaw(place(parser.offset), stop)], isWhole: false };
  }
  tokens.push(...parser.end());
  const [, second] = tokens.filter((token) => token.type === "document");
  if (second === undefined) return { tokens, flaws, isWhole: true };
  const extra = createFlaw(place(second.offset), "a second document starts here; the file holds one");
  return { tokens, flaws: [...flaws, extra], isWhole: false };
}

const REFUSED_TOKENS: { readonly [type: string]: string | undefined } = {
  alias: "aliases (*name) are not available; write the value out",
  anchor: "anchors (&name) are not available; write the value out",
  tag: "tags (!name) are not available; write the plain value",
  "directive-line": "directives (%…) are not available; remove the line",
};

interface ParserProgress {
  readonly pieces: number;
  readonly depth: number;
  readonly flaws: number;
}

function findStopReason({ pieces, depth, flaws }: ParserProgress): string | null {
  if (depth > MAX_DEPTH + OWN_LEVELS) return `nested more than ${MAX_DEPTH} levels deep`;
  if (pieces > MAX_PIECES) return "the file has too many parts; make it shorter";
  return flaws >= MAX_FLAWS ? "reading stopped after so many problems" : null;
}
