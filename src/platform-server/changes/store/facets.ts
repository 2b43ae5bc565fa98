import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { pickSnapshotKey, type SnapshotKey } from "../../area/keys.ts";
import type { ChangeTables, PlatformFacetsTable } from "./tables.ts";

/** The filterable values of a row. `change` is null where the element has none. */
export type FacetValues = Pick<
  Selectable<PlatformFacetsTable>,
  "category" | "change" | "provider" | "type" | "module"
>;
export type Facet = FacetValues & { readonly facet: number };

const AT_ONCE = 2_000;

/**
 * Returns the number of each combination in the snapshot, in the given order, and stores new combinations.
 * The caller has locked the snapshot. Numbers count from zero without gaps.
 */
export async function saveFacets(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey,
  values: readonly FacetValues[],
): Promise<number[]> {
  const digests = values.map(hashFacet);
  const known = await readKnownFacets(trx, key, [...new Set(digests)]);
  const fresh = new Map<string, FacetValues>();
  for (const [index, digest] of digests.entries()) {
    const value = values[index];
    if (value !== undefined && !known.has(digest)) fresh.set(digest, value);
  }
  if (fresh.size > 0) await addFacets(trx, key, { fresh, known });
  return digests.map((digest) => known.get(digest) ?? -1);
}

/**
 * Reads all combinations of a snapshot, by number. Reads in parts and yields to the event loop after each,
 * because the embedded database runs on it.
 */
export async function readFacets(db: Kysely<ChangeTables>, key: SnapshotKey): Promise<Facet[]> {
  const all: Facet[] = [];
  for (let read = AT_ONCE; read === AT_ONCE; ) {
    const part = await db
      .selectFrom("platform_facets")
      .select(["facet", "category", "change", "provider", "type", "module"])
      .where((eb) => eb.and(pickSnapshotKey(key)))
      .where("facet", ">=", all.length)
      .orderBy("facet")
      .limit(AT_ONCE)
      .execute();
    all.push(...part);
    read = part.length;
    await setImmediate();
  }
  return all;
}

async function readKnownFacets(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("platform_facets")
    .select(["digest", "facet"])
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .where("digest", "=", sql<string>`any(${digests}::text[])`)
    .execute();
  return new Map(rows.map(({ digest, facet }) => [digest, facet]));
}

async function addFacets(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey,
  found: { readonly fresh: ReadonlyMap<string, FacetValues>; readonly known: Map<string, number> },
): Promise<void> {
  const { next } = await trx
    .selectFrom("platform_facets")
    .select(sql<number>`coalesce(max(facet) + 1, 0)`.as("next"))
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .executeTakeFirstOrThrow();
  const rows = [...found.fresh].map(([digest, value], index) => ({ ...value, digest, facet: next + index }));
  await sql`
    insert into platform_facets (account, snapshot_id, category, facet, digest, change, provider, type, module)
    select ${key.account}, ${key.snapshot_id}::bigint, new.* from json_to_recordset(${toStorableJson(rows)}::json)
      as new(category text, facet integer, digest text, change text, provider text, type text, module text)`.execute(
    trx,
  );
  for (const { digest, facet } of rows) found.known.set(digest, facet);
}

const hashFacet = ({ category, change, provider, type, module }: FacetValues): string =>
  createHash("sha256")
    .update(JSON.stringify([category, change, provider, type, module]))
    .digest("base64url");
