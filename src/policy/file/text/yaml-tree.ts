import { isMap, isNode, isScalar, isSeq, type YAMLMap } from "yaml";
import { findOffset } from "./find-offset.ts";
import { type FileProblem, formatPath, type TextPosition, type ValuePath } from "./text-position.ts";
import { composeYaml } from "./yaml-tokens.ts";

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

/** Reads YAML; numbers that are not written plainly (`0x10`, `1e3`, `.inf`) stay text. */
export function readYaml(text: string): YamlTree {
  const { document, flaws, getPosition } = composeYaml(text);
  const problems = [...flaws];
  const addFlaw = (offset: number, path: ValuePath, message: string): void => {
    problems.push({ ...getPosition(offset), path: formatPath(path), message });
  };
  const value = document === null ? undefined : readNode(document.contents, [], addFlaw);
  const nodeAt = (path: ValuePath): unknown => document?.getIn(path, true);
  const findPosition = (path: ValuePath): TextPosition => {
    const node = nodeAt(path);
    return isNode(node) || path.length === 0 ? getPosition(getStart(node)) : findPosition(path.slice(0, -1));
  };
  return {
    value,
    flaws: problems,
    findPosition,
    findTextPosition: (path, character) => {
      const node = nodeAt(path);
      const offset = isScalar(node) ? findOffset(node, { text, character }) : null;
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

type AddFlaw = (offset: number, path: ValuePath, message: string) => void;

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
    if (message !== null) addFlaw(getStart(pair.key), own, message);
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
