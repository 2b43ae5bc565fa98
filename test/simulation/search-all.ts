import type { FailedStory } from "./tell.ts";
import type { ThreadPool } from "./thread-pool.ts";

export interface LongSearch {
  readonly seed: number;
  readonly first: number;
  readonly stories: number;
  readonly steps: number;
  /** Of `MUTANTS`. */
  readonly mutant?: string;
}

/** Sums of the stories that were told, and those that failed, as they were made. */
export interface Findings {
  readonly stories: number;
  readonly passes: number;
  readonly effects: number;
  readonly failures: readonly FailedStory[];
}

/** At most so many stories are asked of a thread at once: a database in memory grows with what was deleted in it. */
const STORIES_PER_REQUEST = 100;
/** A search that found so many goes no further. */
const MOST_FAILURES = 20;

/** Tells all stories on the threads of the pool, also those after one that fails. Calls `onProgress` now and then. */
export async function searchAll(
  pool: ThreadPool,
  { first, stories, ...search }: LongSearch,
  onProgress: (findings: Findings) => void = () => {},
): Promise<Findings> {
  const failures: FailedStory[] = [];
  const sums = { stories: 0, passes: 0, effects: 0 };
  const end = first + stories;
  const perRequest = Math.min(STORIES_PER_REQUEST, Math.ceil(stories / pool.size));
  let next = first;
  async function tellSome(from: number, to: number): Promise<void> {
    const told = await pool.tell({ ...search, first: from, stories: to - from, isShortened: false });
    for (const key of ["stories", "passes", "effects"] as const) sums[key] += told[key];
    if (told.failure !== null) failures.push(told.failure);
    onProgress({ ...sums, failures });
    if (told.failure === null || failures.length >= MOST_FAILURES || told.failure.number + 1 >= to) return;
    await tellSome(told.failure.number + 1, to);
  }
  async function tellParts(): Promise<void> {
    while (next < end && failures.length < MOST_FAILURES) {
      const from = next;
      next = Math.min(end, from + perRequest);
      await tellSome(from, next);
    }
  }
  await Promise.all(Array.from({ length: pool.size }, tellParts));
  return { ...sums, failures: failures.toSorted((a, b) => a.number - b.number) };
}

/** Of each problem the first story, as short as it could be made. Two problems are the same that differ in numbers alone. */
export async function shortenAll(
  pool: ThreadPool,
  search: LongSearch,
  failures: readonly FailedStory[],
): Promise<readonly FailedStory[]> {
  const kinds = Map.groupBy(failures, ({ problem }) =>
    (problem.split("\n")[0] ?? "").replaceAll(/\d+/g, "0"),
  );
  const shortened = [...kinds.values()].flatMap(([failed]) =>
    failed === undefined
      ? []
      : pool
          .tell({ ...search, first: failed.number, stories: 1, isShortened: true })
          .then(({ failure }) => failure ?? failed),
  );
  return Promise.all(shortened);
}
