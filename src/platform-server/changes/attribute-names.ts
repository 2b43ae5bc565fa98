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
