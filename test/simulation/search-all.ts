import type { FailedStory } from "./story-search.ts";
import type { ThreadPool } from "./thread-pool.ts";

export interface LongSearch {
  readonly seed: number;
  readonly first: number;
  readonly stories: number;
  readonly steps: number;
  /** Of `MUTANTS`. */
  readonly mutant?: string;
}

/** Sums of the stories that were played, and those that failed, as they were made. */
export interface Findings {
  readonly stories: number;
  readonly passes: number;
  readonly effects: number;
  readonly failures: readonly FailedStory[];
}

/** Most stories of one request to a thread: a database in memory grows with the rows that were deleted in it. */
const STORIES_PER_REQUEST = 100;
/** A search ends when it found this many. */
const MOST_FAILURES = 20;

/** Plays all stories on the threads of the pool, also those after one that fails. Calls `onProgress` now and then. */
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
  async function playSome(from: number, to: number): Promise<void> {
    const played = await pool.play({ ...search, first: from, stories: to - from, isShortened: false });
    for (const key of ["stories", "passes", "effects"] as const) sums[key] += played[key];
    if (played.failure !== null) failures.push(played.failure);
    onProgress({ ...sums, failures });
    if (played.failure === null || failures.length >= MOST_FAILURES || played.failure.number + 1 >= to)
      return;
    await playSome(played.failure.number + 1, to);
  }
  async function playParts(): Promise<void> {
    while (next < end && failures.length < MOST_FAILURES) {
      const from = next;
      next = Math.min(end, from + perRequest);
      await playSome(from, next);
    }
  }
  await Promise.all(Array.from({ length: pool.size }, playParts));
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
          .play({ ...search, first: failed.number, stories: 1, isShortened: true })
          .then(({ failure }) => failure ?? failed),
  );
  return Promise.all(shortened);
}
