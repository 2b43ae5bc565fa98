import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { searchAll, shortenAll } from "./search-all.ts";
import { openStoryDatabase } from "./story.ts";
import { formatStory, search } from "./story-search.ts";
import { ThreadPool } from "./thread-pool.ts";

const SEARCH = { seed: 20_261_123, first: 0 };

describe("the whole bot in a simulator", () => {
  let database: Awaited<ReturnType<typeof openStoryDatabase>>;
  beforeAll(async () => {
    database = await openStoryDatabase();
  });
  afterAll(() => database.close());

  // A thread that loads the whole bot takes as long as ten stories.
  test("keeps its promises in 40 short stories of faults and crashes", { timeout: 600_000 }, async () => {
    const { failure, played } = await search(database, { ...SEARCH, stories: 40, steps: 24 });
    expect(failure === null ? null : formatStory(failure)).toBeNull();
    expect(played.reduce((sum, { passes }) => sum + passes, 0)).toBeGreaterThan(4);
  });

  test.runIf(inject("isDeep"))(
    "keeps its promises in 10,000 long stories, on every core",
    { timeout: 4 * 3_600_000 },
    async () => {
      const pool = new ThreadPool(Math.min(4, availableParallelism()));
      const long = { ...SEARCH, stories: 10_000, steps: 60 };
      const { failures, passes } = await searchAll(pool, long);
      const shortened = await shortenAll(pool, long, failures);
      await pool.close();
      expect(shortened.map(formatStory)).toEqual([]);
      expect(passes).toBeGreaterThan(1_000);
    },
  );
});
