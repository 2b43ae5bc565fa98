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
import { findOffset } from "./find-offset.ts";
import { type Flaw, formatPath, type TextPosition, type ValuePath } from "./text-position.ts";
import { composeYaml } from "./yaml-tokens.ts";

/** A document as plain values, with the place of every key and value. */
export interface YamlTree {
  /** Undefined: the text is no document. */
  readonly value: unknown;
  readonly flaws: readonly Flaw[];
  /** The start of the value at a path, or of the nearest enclosing value. */
  placeOf(path: ValuePath): TextPosition;
  /** The position of a character of the text at a path; the start of the text where it is unknown. */
  placeIn(path: ValuePath, character: number): TextPosition;
  /** Whether the text at a path is cut off by a comma, as one without quotes is within { } and [ ]. */
  endsAtComma(path: ValuePath): boolean;
  /** The position of a key of the mapping at a path. */
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
      const node = reading.texts.get(formatPath(path));
      const offset = node === undefined ? null : findOffset(node, { text, character });
      return offset === null ? nearest(reading.values, path) : place(offset);
    },
    endsAtComma: (path) => {
      const { type, range } = reading.texts.get(formatPath(path)) ?? {};
      return type === "PLAIN" && text.slice(range?.[1]).trimStart().startsWith(",");
    },
    keyPlaceOf: (path, key) => reading.keys.get(formatPath([...path, key])) ?? nearest(reading.values, path),
  };
}

interface YamlReading {
  readonly values: Map<string, TextPosition>;
  readonly keys: Map<string, TextPosition>;
  readonly texts: Map<string, Scalar>;
  readonly flaws: Flaw[];
  readonly place: (offset: number) => TextPosition;
}

type YamlNode = Document.Parsed["contents"] | Pair["value"];

function read(node: YamlNode, path: ValuePath, reading: YamlReading): unknown {
  const start = rangeStart(node);
  if (start !== null) reading.values.set(formatPath(path), reading.place(start));
  if (isMap(node)) return readMap(node, path, reading);
  if (isSeq(node)) return readList(node, path, reading);
  if (!isScalar(node)) return null;
  reading.texts.set(formatPath(path), node);
  return plainValue(node.value, node.source);
}

const readList = (node: YAMLSeq, path: ValuePath, reading: YamlReading): unknown[] =>
  node.items.map((item, index) => read(item as YamlNode, [...path, index], reading)); // a parsed list holds parsed nodes

function readMap({ items }: YAMLMap, path: ValuePath, reading: YamlReading): object {
  const entries = new Map<string, unknown>();
  for (const { key, value } of items) {
    const place = reading.place(rangeStart(key as YamlNode) ?? 0); // a parsed mapping holds parsed keys
    const name = isScalar(key) ? String(key.source ?? "") : null;
    const own = [...path, name ?? "?"];
    const message = keyFlaw(name, entries);
    if (message !== null) reading.flaws.push({ ...place, path: formatPath(own), message });
    else if (name !== null) entries.set(name, readEntry(value as YamlNode, own, { place, reading })); // the same
  }
  return Object.fromEntries(entries);
}

/** An omitted value has the position of its key. */
function readEntry(
  value: YamlNode,
  path: ValuePath,
  key: { place: TextPosition; reading: YamlReading },
): unknown {
  key.reading.keys.set(formatPath(path), key.place);
  key.reading.values.set(formatPath(path), key.place);
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

const rangeStart = (node: YamlNode): number | null =>
  (node as { range?: [number, number, number] } | null)?.range?.[0] ?? null; // every parsed node has one

function nearest(places: ReadonlyMap<string, TextPosition>, path: ValuePath): TextPosition {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(formatPath(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return { line: 1, column: 1 };
}
