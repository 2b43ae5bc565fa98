import { TollgateError } from "../../src/kernel/errors.ts";

/** Records of one kind by numeric id, in order of creation. Records are immutable; updates replace them. */
export interface Collection<T extends { readonly id: number }> {
  insert(record: T): T;
  get(id: number): T | null;
  /** Returns a record; throws for an unknown id, because callers take ids from other records. */
  require(id: number): T;
  update(id: number, change: Partial<T>): T;
  remove(id: number): void;
  all(): readonly T[];
  find(matches: (record: T) => boolean): T | null;
  filter(matches: (record: T) => boolean): readonly T[];
  /** Returns the records of one group, by the collection's `keyOf`. */
  group(key: string): readonly T[];
}

/** Creates a collection. `keyOf` returns a record's group, which must never change; it indexes `group`. */
export function createCollection<T extends { readonly id: number }>(
  name: string,
  keyOf: (record: T) => string = () => "",
): Collection<T> {
  const records = new Map<number, T>();
  const groups = new Map<string, Map<number, T>>();
  const put = (record: T): T => {
    records.set(record.id, record);
    const key = keyOf(record);
    groups.set(key, (groups.get(key) ?? new Map<number, T>()).set(record.id, record));
    return record;
  };
  const require = (id: number): T => {
    const record = records.get(id);
    if (record === undefined) throw new TollgateError("usage", `the sandbox has no ${name} with id ${id}`);
    return record;
  };
  return {
    insert: put,
    get: (id) => records.get(id) ?? null,
    require,
    update: (id, change) => put({ ...require(id), ...change }),
    remove: (id) => {
      groups.get(keyOf(require(id)))?.delete(id);
      records.delete(id);
    },
    all: () => [...records.values()],
    find: (matches) => records.values().find(matches) ?? null,
    filter: (matches) => [...records.values()].filter(matches),
    group: (key) => [...(groups.get(key)?.values() ?? [])],
  };
}
