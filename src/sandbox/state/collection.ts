import { TollgateError } from "../../kernel/errors.ts";

/** Records of one kind by numeric id, in the order they were made. Records are never changed, only replaced. */
export interface Collection<T extends { readonly id: number }> {
  insert(record: T): T;
  get(id: number): T | null;
  /** Throws for an id that is not there: callers hold it from a record they were given. */
  require(id: number): T;
  update(id: number, change: Partial<T>): T;
  remove(id: number): void;
  all(): readonly T[];
  find(matches: (record: T) => boolean): T | null;
  filter(matches: (record: T) => boolean): readonly T[];
  /** The records of one group, by the key that the collection was made with. */
  group(key: string): readonly T[];
}

/** `keyOf` names the group of a record, which must not change in the record's life; it makes `group` fast. */
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
