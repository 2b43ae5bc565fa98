import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { BrokenInvariant } from "./broken-invariant.ts";
import { MUTANT_STORIES } from "./mutant-stories.ts";
import { MUTANTS } from "./mutants.ts";
import { play } from "./play.ts";
import { openStoryDatabase } from "./story.ts";
import { search } from "./story-search.ts";

/** Stories of at most 60 steps, made from one seed, until the mutant breaks an invariant: measured, with some room. */
const FOUND_WITHIN: readonly (readonly [name: string, stories: number])[] = [
  ["the comment comes before the check", 10],
  ["a decision is not recorded", 10],
  ["the end of the chain of decisions is not moved", 10],
  ["a head is read from GitHub only once", 20],
  ["a delivery is completed before it was processed", 20],
  ["a job that fails is not retried", 20],
  ["comments are never enqueued", 20],
  ["pull requests from forks count as closed", 20],
  ["all runs of a lane have the same fence", 20],
  ["an unknown cost counts as zero", 20],
  ["deliveries of statuses are dropped", 20],
  ["pull requests of one head write their check at the same time", 20],
  ["whoever may write statuses is trusted", 30],
  ["alarms of lanes are never set", 30],
  ["a request that had no answer is taken for lost", 30],
  ["a check run is created again when the answer is lost", 30],
  ["a pull request is evaluated by the policy of its own branch", 40],
  ["deliveries of merge groups are dropped", 50],
  ["deliveries of new heads are dropped", 50],
  ["a mandatory rule can be loosened", 100],
];

describe.runIf(inject("isDeep"))("a fault in the bot is found by the simulator", { timeout: 600_000 }, () => {
  let database: Awaited<ReturnType<typeof openStoryDatabase>>;
  beforeAll(async () => {
    database = await openStoryDatabase();
  });
  afterAll(() => database.close());

  test.each(Object.entries(MUTANTS))("%s", async (name, mutant) => {
    const steps = MUTANT_STORIES[name] ?? [];
    await play(database, steps); // the bot itself keeps its promises
    await expect(play(database, steps, mutant)).rejects.toThrow(BrokenInvariant);
  });

  test.each(FOUND_WITHIN)("%s: found in %i stories without help", async (name, stories) => {
    const found = await search(
      database,
      { seed: 20_261_124, stories, steps: 60, mutant: MUTANTS[name] ?? {} },
      { isShortened: false },
    );
    expect(found.failure).not.toBeNull();
  });
});
