import { type Kysely, type RawBuilder, sql } from "kysely";
import { containsText } from "../../area/perspective-filter.ts";
import type { RecommendationTables } from "./tables.ts";

/** Returns the tags of a recommendation; null: there is no such recommendation. */
export async function readTags(
  db: Kysely<RecommendationTables>,
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

/** Whose tags, and of them those that contain a text, in upper or lower case; empty: all. */
interface LabelQuery {
  readonly account: string;
  readonly search: string;
}

interface Piece {
  readonly limit: number;
  readonly offset: number;
}

/** A piece of a list of different words in order, and how many there are in all. */
interface LabelPage {
  readonly words: string[];
  readonly total: number;
}

/**
 * Returns the keys of all tags of an account. Skips from key to key in the index, because there are few keys
 * and many tags.
 */
export function listTagKeys(
  db: Kysely<RecommendationTables>,
  { account, search }: LabelQuery,
  piece: Piece,
): Promise<LabelPage> {
  const keys = sql`
    with recursive found(key) as (
      select min(l.key) from platform_recommendation_labels as l where l.account = ${account} and l.kind = 'tag'
      union all
      select (select min(l.key) from platform_recommendation_labels as l
        where l.account = ${account} and l.kind = 'tag' and l.key > found.key)
      from found where found.key is not null)
    select found.key as word from found where found.key is not null and ${buildSearchSql("found.key", search)}`;
  return listLabelPage(db, keys, piece);
}

/** Returns the distinct values of an account's tags with one key. */
export function listTagValues(
  db: Kysely<RecommendationTables>,
  { account, key, search }: LabelQuery & { readonly key: string },
  piece: Piece,
): Promise<LabelPage> {
  const values = sql`
    select distinct l.value as word from platform_recommendation_labels as l
    where l.account = ${account} and l.kind = 'tag' and l.key = ${key} and ${buildSearchSql("l.value", search)}`;
  return listLabelPage(db, values, piece);
}

/** `all` selects them as `word`. The count is joined to the piece, so that it is there for an empty piece too. */
async function listLabelPage(
  db: Kysely<RecommendationTables>,
  all: RawBuilder<unknown>,
  piece: Piece,
): Promise<LabelPage> {
  const { rows } = await sql<{ total: number; word: string | null }>`
    with listed as (${all})
    select counted.total, piece.word
    from (select count(*) as total from listed) as counted
    left join (select word from listed order by word limit ${piece.limit} offset ${piece.offset}) as piece on true
    order by piece.word`.execute(db);
  return { words: rows.flatMap(({ word }) => word ?? []), total: rows[0]?.total ?? 0 };
}

const buildSearchSql = (column: string, search: string) =>
  search === "" ? sql<boolean>`true` : containsText(sql.ref(column), [search]);
