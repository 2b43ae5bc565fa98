import {
  Composer,
  CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Scalar,
  type YAMLMap,
} from "yaml";

/** A document as plain values, with the place of every key and value. */
export interface YamlTree {
  /** Undefined: the text is no document. */
  readonly value: unknown;
  readonly flaws: readonly FileProblem[];
  /** The start of the value at a path, or of the nearest enclosing value. */
  findPosition(path: ValuePath): TextPosition;
  /** The position of a character of the text at a path; the start of the text where it is unknown. */
  findTextPosition(path: ValuePath, character: number): TextPosition;
  /** Whether the text at a path is cut off by a comma, as one without quotes is within { } and [ ]. */
  endsAtComma(path: ValuePath): boolean;
  /** The position of a key of the mapping at a path. */
  findKeyPosition(path: ValuePath, key: string): TextPosition;
}

/** A place in a file; lines and columns count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export type ValuePath = readonly PropertyKey[];

/** A problem at a position of one file. */
export interface FileProblem extends TextPosition {
  readonly path: string;
  readonly message: string;
}

/** A path as people write it: `rules[2].limit.increase`. */
export function formatPath(path: ValuePath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (PLAIN_KEY.test(String(step))) text += text === "" ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

export const byPlace = (a: TextPosition, b: TextPosition): number => a.line - b.line || a.column - b.column;

/** A problem of the value at a path. */
export const createFlaw = (tree: YamlTree, path: ValuePath, message: string): FileProblem => ({
  ...tree.findPosition(path),
  path: formatPath(path),
  message,
});

/** A problem of the key at the end of a path. */
export const createKeyFlaw = (tree: YamlTree, path: ValuePath, message: string): FileProblem => ({
  ...tree.findKeyPosition(path.slice(0, -1), String(path.at(-1))),
  path: formatPath(path),
  message,
});

/** Reads YAML of at most `maxPieces` tokens; numbers that are not written plainly (`0x10`, `1e3`, `.inf`) stay text. */
export function readYaml(text: string, maxPieces = MAX_PIECES): YamlTree {
  const lines = new LineCounter();
  lines.addNewLine(0); // the parser reports the starts of the following lines
  const getPosition = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const flaws: FileProblem[] = [];
  const addFlaw: AddFlaw = (offset, message, path = []) => {
    flaws.push({ ...getPosition(offset), path: formatPath(path), message });
  };
  const document = composeDocument(text, new Parser(lines.addNewLine), { maxPieces, addFlaw });
  const value = document === null ? undefined : readNode(document.contents, [], addFlaw);
  const nodeAt = (path: ValuePath): unknown => document?.getIn(path, true);
  const findPosition = (path: ValuePath): TextPosition => {
    const node = nodeAt(path);
    return isNode(node) || path.length === 0 ? getPosition(getStart(node)) : findPosition(path.slice(0, -1));
  };
  return {
    value,
    flaws,
    findPosition,
    findTextPosition: (path, character) => {
      const node = nodeAt(path);
      const offset = isScalar(node) ? findOffset(node, text, character) : null;
      return offset === null ? findPosition(path) : getPosition(offset);
    },
    endsAtComma: (path) => {
      const node = nodeAt(path);
      return (
        isScalar(node) && node.type === "PLAIN" && text.slice(node.range?.[1]).trimStart().startsWith(",")
      );
    },
    findKeyPosition: (path, key) => {
      const mapping = nodeAt(path);
      const pair = isMap(mapping) ? mapping.items.find((item) => getKeyText(item.key) === key) : undefined;
      return pair === undefined ? findPosition(path) : getPosition(getStart(pair.key));
    },
  };
}

/** Notes a problem at an offset in the text. */
type AddFlaw = (offset: number, message: string, path?: ValuePath) => void;

function readNode(node: unknown, path: ValuePath, addFlaw: AddFlaw): unknown {
  if (isMap(node)) return readMap(node, path, addFlaw);
  if (isSeq(node)) return node.items.map((item, index) => readNode(item, [...path, index], addFlaw));
  return isScalar(node) ? toPlainValue(node.value, node.source) : null;
}

/** A key becomes the word that was written, for `getIn`. An omitted value has the position of its key. */
function readMap({ items }: YAMLMap, path: ValuePath, addFlaw: AddFlaw): object {
  const entries = new Map<string, unknown>();
  for (const pair of items) {
    const name = getKeyText(pair.key);
    const own = [...path, name ?? "?"];
    const message = findKeyFlaw(name, entries);
    if (message !== null) addFlaw(getStart(pair.key), message, own);
    else if (name !== null) entries.set(name, readNode(pair.value, own, addFlaw));
    pair.value ??= pair.key;
    if (isScalar(pair.key)) pair.key.value = name;
  }
  return Object.fromEntries(entries);
}

/** A key as it is written; null: it is no plain word. */
const getKeyText = (key: unknown): string | null => (isScalar(key) ? String(key.source ?? "") : null);

function findKeyFlaw(name: string | null, entries: ReadonlyMap<string, unknown>): string | null {
  if (name === null) return "a key must be a plain word";
  if (entries.has(name)) return `\`${name}\` is there twice; remove one of them`;
  return name === "<<" ? "merge keys (<<) are not available; write the values out" : null;
}

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

function toPlainValue(value: unknown, source: string | undefined): unknown {
  if (typeof value !== "number") return value;
  const isExact = source !== undefined && PLAIN_NUMBER.test(source) && !Object.is(value, -0);
  return isExact && Number.isFinite(value) && source.length <= EXACT_DIGITS ? value : source;
}

/** Number of significant decimal digits that a double preserves. */
const EXACT_DIGITS = 15;

/** The offset of a node in the text. */
const getStart = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** The offset in the file of a character of a scalar's value; null: its line is not written there as it is in the value. */
function findOffset({ range, type, value }: Scalar, text: string, character: number): number | null {
  if (!range || typeof value !== "string") return null;
  const before = value.slice(0, character).split("\n");
  const [line = ""] = value.split("\n").slice(before.length - 1);
  // The lines of a block follow its header.
  const above = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? before.length : before.length - 1;
  const lines = text.slice(range[0], range[1]).split("\n");
  const found = lines[above]?.indexOf(line) ?? -1;
  const start = lines.slice(0, above).join("\n").length + (above === 0 ? 0 : 1);
  return found < 0 ? null : range[0] + start + found + (before.at(-1)?.length ?? 0);
}

/** Deepest nesting of mappings and lists. */
const MAX_DEPTH = 20;
/** Stack entries of the parser beside the levels of the text: the document and the current node. */
const OWN_LEVELS = 2;
/** Largest number of tokens, and of flaws after which reading stops: they bound the cost of hostile files. */
const MAX_PIECES = 20_000;
const MAX_FLAWS = 20;

/**
 * Composes the only YAML 1.2 document from its tokens; null: there is none, and the flaws say why. Anchors, aliases, tags and
 * directives are refused everywhere.
 */
function composeDocument(text: string, parser: Parser, limits: TextLimits): Document.Parsed | null {
  const { addFlaw } = limits;
  const tokens = readTokens(text, parser, limits);
  if (tokens === null) return null;
  const [document = null] = new Composer(OPTIONS).compose(tokens, true, text.length);
  const hinted = new Set<number>();
  for (const { pos, message } of (document?.errors ?? []).slice(0, MAX_FLAWS)) {
    const hint = describeConditionHint(text, pos[0]);
    const lineStart = text.lastIndexOf("\n", pos[0] - 1);
    // The errors of one line that should be quoted have one cause.
    if (hint === "" || !hinted.has(lineStart)) addFlaw(pos[0], `not valid YAML: ${message}${hint}`);
    hinted.add(lineStart);
  }
  return document?.errors.length === 0 ? document : null;
}

const OPTIONS = {
  schema: "core",
  version: "1.2",
  merge: false,
  uniqueKeys: false,
  logLevel: "silent",
} as const;

/** A hint to quote the condition in an invalid line with a condition; empty for other lines. */
function describeConditionHint(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1).split("\n", 1)[0] ?? "";
  return /\bwhen:/.test(line) ? "; put the whole condition in quotes" : "";
}

interface TextLimits {
  readonly maxPieces: number;
  readonly addFlaw: AddFlaw;
}

/** The tokens of the only document; null: reading stopped at the last flaw. */
function readTokens(
  text: string,
  parser: Parser,
  { maxPieces, addFlaw }: TextLimits,
): readonly CST.Token[] | null {
  const tokens: CST.Token[] = [];
  let [pieces, flaws] = [0, 0];
  for (const piece of new Lexer().lex(text)) {
    pieces += 1;
    const refused = REFUSED_TOKENS[CST.tokenType(piece) ?? ""];
    if (refused !== undefined) {
      flaws += 1;
      addFlaw(parser.offset, `${refused}${describeConditionHint(text, parser.offset)}`);
    }
    tokens.push(...parser.next(piece));
    const stop = findStopReason(pieces - maxPieces, parser.stack.length, flaws);
    if (stop !== null) {
      addFlaw(parser.offset, stop);
      return null;
    }
  }
  tokens.push(...parser.end());
  const [, second] = tokens.filter(({ type }) => type === "document");
  if (second === undefined) return tokens;
  addFlaw(second.offset, "a second document starts here; the file holds one");
  return null;
}

const REFUSED_TOKENS: { readonly [type: string]: string | undefined } = {
  alias: "aliases (*name) are not available; write the value out",
  anchor: "anchors (&name) are not available; write the value out",
  tag: "tags (!name) are not available; write the plain value",
  "directive-line": "directives (%…) are not available; remove the line",
};

function findStopReason(tooManyPieces: number, depth: number, flaws: number): string | null {
  if (depth > MAX_DEPTH + OWN_LEVELS) return `nested more than ${MAX_DEPTH} levels deep`;
  if (tooManyPieces > 0) return "the file has too many parts; make it shorter";
  return flaws >= MAX_FLAWS ? "reading stopped after so many problems" : null;
}
