import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { searchAll, shortenAll } from "./search-all.ts";
import { formatStory } from "./story-search.ts";
import { ThreadPool } from "./thread-pool.ts";

const STORIES = casesToTry({ usual: 200, deep: 10_000 });
const SEARCH = { seed: 20_261_123, first: 0, stories: STORIES, steps: 60 };

describe("the whole bot in a simulator", () => {
  let pool: ThreadPool;
  beforeAll(() => {
    pool = new ThreadPool(Math.min(4, availableParallelism()));
  });
  afterAll(() => pool.close());

  test(`keeps its promises in ${STORIES} stories of faults and crashes`, {
    timeout: 4 * 3_600_000,
  }, async () => {
    const { failures, passes } = await searchAll(pool, SEARCH);
    const shortened = await shortenAll(pool, SEARCH, failures);
    expect(shortened.map(formatStory)).toEqual([]);
    expect(passes).toBeGreaterThan(STORIES / 10);
  });
});
