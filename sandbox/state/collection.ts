import { TollgateError } from "../../src/kernel/errors.ts";

/** Records of one kind by numeric id, in order of creation. Records are immutable; updates replace them. */
export class Collection<T extends { readonly id: number }> {
  readonly #name: string;
  readonly #keyOf: (record: T) => string;
  readonly #records = new Map<number, T>();
  readonly #groups = new Map<string, Map<number, T>>();
  /** Number of changes so far. */
  changes = 0;

  /** `keyOf` returns a record's group, which must never change; it indexes `group`. */
  constructor(name: string, keyOf: (record: T) => string = () => "") {
    this.#name = name;
    this.#keyOf = keyOf;
  }

  insert(record: T): T {
    this.changes += 1;
    this.#records.set(record.id, record);
    const key = this.#keyOf(record);
    this.#groups.set(key, (this.#groups.get(key) ?? new Map<number, T>()).set(record.id, record));
    return record;
  }

  get(id: number): T | null {
    return this.#records.get(id) ?? null;
  }

  /** Returns a record; throws for an unknown id, because callers take ids from other records. */
  require(id: number): T {
    const record = this.#records.get(id);
    if (record === undefined)
      throw new TollgateError("usage", `the sandbox has no ${this.#name} with id ${id}`);
    return record;
  }

  update(id: number, change: Partial<T>): T {
    return this.insert({ ...this.require(id), ...change });
  }

  remove(id: number): void {
    this.#groups.get(this.#keyOf(this.require(id)))?.delete(id);
    this.#records.delete(id);
    this.changes += 1;
  }

  all(): readonly T[] {
    return [...this.#records.values()];
  }

  find(matches: (record: T) => boolean): T | null {
    return this.#records.values().find(matches) ?? null;
  }

  filter(matches: (record: T) => boolean): readonly T[] {
    return this.all().filter(matches);
  }

  /** Returns the records of one group. */
  group(key: string): readonly T[] {
    return [...(this.#groups.get(key)?.values() ?? [])];
  }
}
