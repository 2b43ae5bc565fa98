import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { SnapshotKey } from "../area/keys.ts";
import { buildIndexedRun, type IndexedRun, type SnapshotIndex } from "./snapshot-index.ts";
import { readFacets } from "./store/facets.ts";
import { type RunPlace, runPlaces, runTexts } from "./store/runs.ts";
import type { ChangeTables } from "./store/tables.ts";

/** About three snapshots of 100,000 rows. */
const MAX_WEIGHT = 48_000_000;
/** A facet is an object with five texts. */
const FACET_WEIGHT = 200;
/** Rows whose texts are read between two turns of the event loop, which the embedded database runs on. */
const ROWS_AT_ONCE = 5_000;

/**
 * A least-recently-used cache of snapshot indexes. A committed snapshot never changes, so a cached index
 * never becomes outdated.
 */
export class SnapshotCache {
  readonly #db: Kysely<ChangeTables>;
  readonly #maxWeight: number;
  /** Least recently used first. */
  readonly #indexes = new Map<number, Promise<SnapshotIndex>>();
  readonly #weights = new Map<number, number>();

  /** `maxWeight`: size limit of the cache, in estimated bytes. */
  constructor(db: Kysely<ChangeTables>, maxWeight = MAX_WEIGHT) {
    this.#db = db;
    this.#maxWeight = maxWeight;
  }

  /** Returns the index of a committed snapshot. */
  get(key: SnapshotKey): Promise<SnapshotIndex> {
    const id = key.snapshot_id;
    const index = this.#indexes.get(id) ?? this.#load(key);
    this.#indexes.delete(id);
    this.#indexes.set(id, index);
    return index;
  }

  #load(key: SnapshotKey): Promise<SnapshotIndex> {
    const id = key.snapshot_id;
    const loading = loadIndex(this.#db, key);
    loading.then(
      ({ weight }) => {
        this.#weights.set(id, weight);
        this.#makeRoom();
      },
      () => this.#indexes.delete(id),
    );
    return loading;
  }

  /** Forgets what was asked for longest ago; what was asked for last stays, however heavy. */
  #makeRoom(): void {
    let total = this.#weights.values().reduce((sum, weight) => sum + weight, 0);
    const newest = [...this.#indexes.keys()].at(-1);
    for (const id of [...this.#indexes.keys()]) {
      const weight = this.#weights.get(id);
      if (total <= this.#maxWeight || id === newest) return;
      if (weight === undefined) continue;
      total -= weight;
      this.#indexes.delete(id);
      this.#weights.delete(id);
    }
  }
}

async function loadIndex(db: Kysely<ChangeTables>, key: SnapshotKey): Promise<SnapshotIndex> {
  const facets = await readFacets(db, key);
  const runs: IndexedRun[] = [];
  for (const batch of splitIntoBatches(await runPlaces(db, key))) {
    const category = batch[0]?.category ?? "";
    const texts = await runTexts(
      db,
      { ...key, category },
      batch.map(({ run }) => run),
    );
    for (const [at, text] of texts.entries())
      runs.push(buildIndexedRun({ ...text, category, first_ordinal: batch[at]?.first_ordinal ?? 0 }));
    await setImmediate();
  }
  const rows = runs.reduce((sum, run) => sum + run.search.length + 8 * run.facets.length, 0);
  return { facets, runs, weight: rows + FACET_WEIGHT * facets.length };
}

/** Consecutive runs of one category with about `ROWS_AT_ONCE` rows, at least one run each. */
function splitIntoBatches(places: readonly RunPlace[]): RunPlace[][] {
  const all: RunPlace[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const batch = all.at(-1);
    rows += place.elements;
    if (batch !== undefined && batch[0]?.category === place.category && rows <= ROWS_AT_ONCE)
      batch.push(place);
    else {
      all.push([place]);
      rows = place.elements;
    }
  }
  return all;
}
