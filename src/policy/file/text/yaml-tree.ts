import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Flaw, pathText, type TextPosition, type ValuePath } from "./place.ts";
import { offsetIn } from "./text-place.ts";
import { composeYaml } from "./yaml-tokens.ts";

/** A document as plain values, with the place of every key and value. */
export interface YamlTree {
  /** Undefined: the text is no document. */
  readonly value: unknown;
  readonly flaws: readonly Flaw[];
  /** Where the value at a path starts, or the nearest value around it. */
  placeOf(path: ValuePath): TextPosition;
  /** Where a character of the text at a path stands; where that cannot be told, where the text starts. */
  placeIn(path: ValuePath, character: number): TextPosition;
  /** Whether the text at a path is cut off by a comma, as one without quotes is within { } and [ ]. */
  endsAtComma(path: ValuePath): boolean;
  /** Where a key of the mapping at a path stands. */
  keyPlaceOf(path: ValuePath, key: string): TextPosition;
}

/** Reads YAML; numbers that are not written plainly (`0x10`, `1e3`, `.inf`) stay text. */
export function readYaml(text: string): YamlTree {
  const { document, flaws, place } = composeYaml(text);
  const reading: YamlReading = {
    values: new Map(),
    keys: new Map(),
    texts: new Map(),
    flaws: [...flaws],
    place,
  };
  const value = document === null ? undefined : read(document.contents, [], reading);
  return {
    value,
    flaws: reading.flaws,
    placeOf: (path) => nearest(reading.values, path),
    placeIn: (path, character) => {
      const node = reading.texts.get(pathText(path));
      const offset = node === undefined ? null : offsetIn(node, { text, character });
      return offset === null ? nearest(reading.values, path) : place(offset);
    },
    endsAtComma: (path) => {
      const { type, range } = reading.texts.get(pathText(path)) ?? {};
      return type === "PLAIN" && text.slice(range?.[1]).trimStart().startsWith(",");
    },
    keyPlaceOf: (path, key) => reading.keys.get(pathText([...path, key])) ?? nearest(reading.values, path),
  };
}

interface YamlReading {
  readonly values: Map<string, TextPosition>;
  readonly keys: Map<string, TextPosition>;
  readonly texts: Map<string, Scalar>;
  readonly flaws: Flaw[];
  readonly place: (offset: number) => TextPosition;
}

type Node = Document.Parsed["contents"] | Pair["value"];

function read(node: Node, path: ValuePath, reading: YamlReading): unknown {
  const start = rangeStart(node);
  if (start !== null) reading.values.set(pathText(path), reading.place(start));
  if (isMap(node)) return readMap(node, path, reading);
  if (isSeq(node)) return readList(node, path, reading);
  if (!isScalar(node)) return null;
  reading.texts.set(pathText(path), node);
  return plainValue(node.value, node.source);
}

const readList = (node: YAMLSeq, path: ValuePath, reading: YamlReading): unknown[] =>
  node.items.map((item, index) => read(item as Node, [...path, index], reading)); // a parsed list holds parsed nodes

function readMap({ items }: YAMLMap, path: ValuePath, reading: YamlReading): object {
  const entries = new Map<string, unknown>();
  for (const { key, value } of items) {
    const place = reading.place(rangeStart(key as Node) ?? 0); // a parsed mapping holds parsed keys
    const name = isScalar(key) ? String(key.source ?? "") : null;
    const own = [...path, name ?? "?"];
    const message = keyFlaw(name, entries);
    if (message !== null) reading.flaws.push({ ...place, path: pathText(own), message });
    else if (name !== null) entries.set(name, readEntry(value as Node, own, { place, reading })); // the same
  }
  return Object.fromEntries(entries);
}

/** A value that is left out stands where its key does. */
function readEntry(
  value: Node,
  path: ValuePath,
  key: { place: TextPosition; reading: YamlReading },
): unknown {
  key.reading.keys.set(pathText(path), key.place);
  key.reading.values.set(pathText(path), key.place);
  return read(value, path, key.reading);
}

function keyFlaw(name: string | null, entries: ReadonlyMap<string, unknown>): string | null {
  if (name === null) return "a key must be a plain word";
  if (entries.has(name)) return `\`${name}\` is there twice; remove one of them`;
  return name === "<<" ? "merge keys (<<) are not available; write the values out" : null;
}

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

function plainValue(value: unknown, source: string | undefined): unknown {
  if (typeof value !== "number") return value;
  const isExact = source !== undefined && PLAIN_NUMBER.test(source) && !Object.is(value, -0);
  return isExact && Number.isFinite(value) && source.length <= EXACT_DIGITS ? value : source;
}

/** A double keeps this many digits of a number as they were written. */
const EXACT_DIGITS = 15;

const rangeStart = (node: Node): number | null =>
  (node as { range?: [number, number, number] } | null)?.range?.[0] ?? null; // every parsed node has one

function nearest(places: ReadonlyMap<string, TextPosition>, path: ValuePath): TextPosition {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(pathText(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return { line: 1, column: 1 };
}
