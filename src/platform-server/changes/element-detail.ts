import type { z } from "zod";
import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import type {
  AttributeChange,
  ChangedResource,
  OutputElement,
  StateResource,
} from "../../platform/contract/resource-changes.ts";

type ElementChange = z.output<typeof AttributeChange>;

type AllMembers = z.output<typeof ChangedResource> &
  z.output<typeof StateResource> &
  z.output<typeof OutputElement>;
/** The members of all three kinds of elements; the element's own schema has checked which of them are present. */
export type AnyElement = Pick<AllMembers, "name"> & {
  readonly [Name in keyof AllMembers]?: AllMembers[Name] | undefined;
};

export interface Detail {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, ElementChange>>;
  readonly sensitive_attributes: readonly string[];
}

/** The attribute data of an element as it was sent. Nothing of it may be stored before `withhold`. */
export const toDetail = (element: AnyElement): Detail => ({
  attributes: element.attributes ?? {},
  changes: { ...toOutputChange(element), ...element.changes },
  sensitive_attributes: element.sensitive_attributes ?? [],
});

/** An output's value, withheld where it is sensitive. */
export const getOutputValue = ({ sensitive, value }: AnyElement): unknown =>
  maskValue(sensitive === true, value);

/**
 * Returns the names of the attributes and changes whose values are sensitive: by `sensitive_attributes`, or by the `sensitive` of a
 * change. A mark applies to the attribute, to its parts, and to the attributes that contain it (`settings.login[0]` to `settings`).
 */
function findSensitive({ attributes, changes, sensitive_attributes }: Detail): ReadonlySet<string> {
  const marked = new Set([...sensitive_attributes, ...listMarked(changes)]);
  if (marked.size === 0) return marked;
  const marks = new AttributeNames(marked);
  const names = new Set([...Object.keys(attributes), ...Object.keys(changes)]);
  return new Set([...names].filter((name) => marks.meet(name)));
}

/**
 * Returns attribute data without its sensitive values. Uploaders mask them; those that are marked but not masked are withheld here,
 * before anything is stored.
 */
export function withhold(detail: Detail, sensitive = findSensitive(detail)): Detail {
  if (sensitive.size === 0) return detail;
  const { attributes, changes, sensitive_attributes } = detail;
  const named = new Set([
    ...sensitive_attributes,
    ...Object.keys(attributes).filter((name) => sensitive.has(name)),
  ]);
  const unnamed = listMarked(changes).filter((name) => !named.has(name));
  const known = new AttributeNames(unnamed.length === 0 ? [] : named);
  return {
    attributes: mapValues(attributes, (name, value) => maskValue(sensitive.has(name), value)),
    changes: mapValues(changes, (name, change) => maskChange(sensitive.has(name), change)),
    sensitive_attributes: [...named, ...unnamed.filter((name) => !known.cover(name))],
  };
}

const listMarked = (changes: Detail["changes"]): readonly string[] =>
  Object.keys(changes).filter((name) => changes[name]?.sensitive === true);

/** An output states its old and new value beside its name; as a change they belong to its `value`. */
function toOutputChange(element: AnyElement): Record<string, ElementChange> {
  if (element.old === undefined && element.new === undefined) return {};
  const { change, old, new: next, sensitive = false } = element;
  return { value: { change, drift: false, old, new: next, sensitive } };
}

const maskChange = (hide: boolean, change: ElementChange): ElementChange =>
  hide ? { ...change, old: maskValue(true, change.old), new: maskValue(true, change.new) } : change;

/** Null and absent say nothing and stay as they are. */
const maskValue = (hide: boolean, value: unknown): unknown =>
  hide && value !== null && value !== undefined ? SENSITIVE : value;

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (key: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(key, value)]));
}

/**
 * Names of attributes, with the question which others lie within them: `tls.key` and `tls[0]` lie within `tls`. A question
 * takes the logarithm of their number, for an element may have tens of thousands of attributes and of marks on them.
 */
export class AttributeNames {
  /** Sorted, and none within another. */
  readonly #keys: readonly string[];

  constructor(names: Iterable<string>) {
    const keys: string[] = [];
    for (const key of [...names].map(toKey).sort()) if (!isWithin(key, keys.at(-1))) keys.push(key);
    this.#keys = keys;
  }

  /** Whether the name is one of these or lies within one. */
  cover(name: string): boolean {
    const key = toKey(name);
    return isWithin(key, this.#keys[this.#findNext(key) - 1]);
  }

  /** Whether the name lies within one of these, or one of these within the name. */
  meet(name: string): boolean {
    const key = toKey(name);
    const next = this.#findNext(key);
    return isWithin(key, this.#keys[next - 1]) || isWithin(this.#keys[next], key);
  }

  /** Returns the index of the first key after this one. What lies within a key follows it directly. */
  #findNext(key: string): number {
    let from = 0;
    let to = this.#keys.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#keys[middle] ?? "") <= key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** With the separators before all other characters, so that the names within a name follow it directly. */
const toKey = (name: string): string => name.replaceAll(".", "\0").replaceAll("[", "\u0001");

const isWithin = (key: string | undefined, whole: string | undefined): boolean =>
  key !== undefined &&
  whole !== undefined &&
  key.startsWith(whole) &&
  (key.length === whole.length || key.charCodeAt(whole.length) <= 1);
