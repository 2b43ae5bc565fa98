import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { openStoryDatabase } from "./story.ts";
import { formatStory, search } from "./tell.ts";

const STORIES = casesToTry({ usual: 60, deep: 10_000 });
const SEED = 20_261_123;
/** A database in memory grows with what was deleted in it. */
const STORIES_PER_DATABASE = 200;

describe("the whole bot in a simulator", () => {
  let database: Awaited<ReturnType<typeof openStoryDatabase>>;
  beforeAll(async () => {
    database = await openStoryDatabase();
  });
  afterAll(() => database.close());

  test(`keeps its promises in ${STORIES} stories of faults and crashes`, {
    timeout: 4 * 3_600_000,
  }, async () => {
    let passes = 0;
    for (let done = 0; done < STORIES; done += STORIES_PER_DATABASE) {
      const stories = Math.min(STORIES_PER_DATABASE, STORIES - done);
      const { failure, told } = await search(database, { seed: SEED + done, stories });
      expect(failure === null ? "" : formatStory(failure)).toBe("");
      passes += told.reduce((sum, story) => sum + story.passes, 0);
      await database.close();
      database = await openStoryDatabase();
    }
    expect(passes).toBeGreaterThan(STORIES / 10);
  });
});
