import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { containsOne } from "./conditions.ts";

/** The tags of a recommendation; null: there is no such recommendation. */
export async function tagsOf(
  db: Kysely<Tables>,
  account: string,
  id: string,
): Promise<Record<string, string> | null> {
  const rows = await db
    .selectFrom("platform_recommendations as r")
    .leftJoin("platform_recommendation_labels as l", (join) =>
      join.onRef("l.account", "=", "r.account").onRef("l.id", "=", "r.id").on("l.kind", "=", "tag"),
    )
    .where("r.account", "=", account)
    .where("r.id", "=", id)
    .select(["l.key", "l.value"])
    .orderBy("l.key")
    .execute();
  if (rows.length === 0) return null;
  return Object.fromEntries(
    rows.flatMap(({ key, value }) => (key === null || value === null ? [] : [[key, value]])),
  );
}

interface Part {
  /** Only those that contain it, in upper or lower case; empty: all. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** The keys of all tags of an account, in order. Jumps from key to key in the index: there are few keys and many tags. */
export async function tagKeys(db: Kysely<Tables>, account: string, part: Part): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with recursive found(key) as (
      select min(l.key) from platform_recommendation_labels as l where l.account = ${account} and l.kind = 'tag'
      union all
      select (select min(l.key) from platform_recommendation_labels as l
        where l.account = ${account} and l.kind = 'tag' and l.key > found.key)
      from found where found.key is not null)
    select found.key from found where found.key is not null and ${contains("found.key", part.search)}
    order by found.key limit ${part.limit} offset ${part.offset}`.execute(db);
  return rows.map(({ key }) => key);
}

/** The different values that tags of one key have in an account, in order. */
export async function tagValues(
  db: Kysely<Tables>,
  account: string,
  { key, ...part }: Part & { readonly key: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom("platform_recommendation_labels as l")
    .where("l.account", "=", account)
    .where("l.kind", "=", "tag")
    .where("l.key", "=", key)
    .where(contains("l.value", part.search))
    .select("l.value")
    .distinct()
    .orderBy("l.value")
    .limit(part.limit)
    .offset(part.offset)
    .execute();
  return rows.map(({ value }) => value);
}

const contains = (column: string, search: string) =>
  search === "" ? sql<boolean>`true` : containsOne(sql.ref(column), [search]);
