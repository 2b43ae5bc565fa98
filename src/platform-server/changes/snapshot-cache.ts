import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { readFacets } from "../../store/platform-facets.ts";
import type { SnapshotKey } from "../../store/platform-keys.ts";
import { type RunPlace, runPlaces, runTexts } from "../../store/platform-runs.ts";
import type { Tables } from "../../store/tables.ts";
import { type IndexedRun, indexedRun, type SnapshotIndex } from "./snapshot-index.ts";

/** Characters of search text kept in memory: about four snapshots of 100,000 rows. */
const MAX_WEIGHT = 32_000_000;
/** Rows whose texts are read between two turns of the event loop, which the embedded database runs on. */
const ROWS_AT_ONCE = 5_000;

/** The indexes of the snapshots asked for last. A committed snapshot never changes, so an index is right for as long as it is kept. */
export class SnapshotCache {
  readonly #db: Kysely<Tables>;
  /** Least recently used first. */
  readonly #indexes = new Map<number, Promise<SnapshotIndex>>();
  readonly #weights = new Map<number, number>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The index of a committed snapshot. */
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
      () => this.#forget(id),
    );
    return loading;
  }

  #makeRoom(): void {
    let total = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0);
    for (const id of this.#indexes.keys()) {
      if (total <= MAX_WEIGHT) return;
      total -= this.#weights.get(id) ?? 0;
      this.#forget(id);
    }
  }

  #forget(id: number): void {
    this.#indexes.delete(id);
    this.#weights.delete(id);
  }
}

async function loadIndex(db: Kysely<Tables>, key: SnapshotKey): Promise<SnapshotIndex> {
  const facets = await readFacets(db, key);
  const runs: IndexedRun[] = [];
  for (const batch of batches(await runPlaces(db, key))) {
    const category = batch[0]?.category ?? "";
    const texts = await runTexts(
      db,
      { ...key, category },
      batch.map(({ run }) => run),
    );
    for (const [at, text] of texts.entries())
      runs.push(indexedRun({ ...text, category, first_ordinal: batch[at]?.first_ordinal ?? 0 }));
    await setImmediate();
  }
  return { facets, runs, weight: runs.reduce((sum, { search }) => sum + search.length, 0) };
}

/** Consecutive runs of one category with about `ROWS_AT_ONCE` rows, at least one run each. */
function batches(places: readonly RunPlace[]): RunPlace[][] {
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
