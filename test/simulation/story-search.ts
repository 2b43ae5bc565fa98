import fc from "fast-check";
import type { Mutant } from "./bot.ts";
import type { ReusableDatabase } from "./database.ts";
import { type PlayedStory, play } from "./play.ts";
import { type Step, story } from "./step.ts";

export interface Search {
  readonly seed: number;
  /** The number of the first story that is played, of all those that the seed makes; default 0. */
  readonly first?: number;
  readonly stories: number;
  /** Most steps of a story; default 60. */
  readonly steps?: number;
  readonly mutant?: Mutant;
}

/** A story that went wrong, and its number among those that the seed makes. */
export interface FailedStory {
  readonly number: number;
  readonly steps: readonly Step[];
  readonly problem: string;
}

/** The stories that a search played, and the shortest that it could make of one that went wrong. */
export interface SearchResult {
  readonly stories: number;
  readonly played: readonly PlayedStory[];
  readonly failure: FailedStory | null;
}

const MOST_STEPS = 60;

/** Plays stories made from the seed until one goes wrong, and shortens that one. `isShortened` false: it stays as it is. */
export async function search(
  database: ReusableDatabase,
  { seed, first = 0, stories, steps: most = MOST_STEPS, mutant = {} }: Search,
  { isShortened = true } = {},
): Promise<SearchResult> {
  const played: PlayedStory[] = [];
  const property = fc.asyncProperty(story(most), async (steps) => {
    played.push(await play(database, steps, mutant));
  });
  const outcome = await fc.check(property, {
    seed,
    path: String(first),
    numRuns: stories,
    endOnFailure: !isShortened,
  });
  const [steps] = outcome.counterexample ?? [];
  // A path is the number of a story and, after colons, how it was shortened.
  const number = Number.parseInt(outcome.counterexamplePath ?? "", 10);
  const failure = steps === undefined ? null : { number, steps, problem: String(outcome.errorInstance) };
  return { stories: outcome.numRuns, played, failure };
}

const PASTED = /await play\(database, (\[.*?\n {2}\])\)/s;

/** Reads the steps of a test that `formatStory` wrote. */
export function readStory(test: string): readonly Step[] {
  const steps = PASTED.exec(test)?.[1]?.replace(/,\n {2}\]$/, "]");
  if (steps === undefined) throw new Error("the text has no story");
  return JSON.parse(steps) as readonly Step[]; // written by `formatStory`
}

/** A story as a test that can be pasted into `stories.test.ts`. */
export function formatStory({ steps, problem }: Pick<FailedStory, "steps" | "problem">): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)},`);
  return [problem, "", 'test("…", async () => {', "  await play(database, [", ...lines, "  ]);", "});"].join(
    "\n",
  );
}
