/** Plays the stories that `ThreadPool` asks for, in a thread of its own. */
import { parentPort } from "node:worker_threads";
import type { Mutant } from "./bot.ts";
import { MUTANTS } from "./mutants.ts";
import { openStoryDatabase } from "./story.ts";
import { type FailedStory, type Search, search } from "./story-search.ts";

export interface StoriesRequest extends Omit<Search, "mutant"> {
  /** Of `MUTANTS`. */
  readonly mutant?: string;
  readonly isShortened: boolean;
}

/** Sums of the stories that were played; `failure`: of the last one. */
export interface StoriesAnswer {
  readonly stories: number;
  readonly passes: number;
  readonly effects: number;
  readonly failure: FailedStory | null;
}

parentPort?.on("message", (request: StoriesRequest) => {
  void playStories(request).then((answer) => parentPort?.postMessage(answer));
});

async function playStories({ mutant, isShortened, ...request }: StoriesRequest): Promise<StoriesAnswer> {
  const database = await openStoryDatabase();
  const wrong = mutant === undefined ? {} : { mutant: findMutant(mutant) };
  const { stories, played, failure } = await search(database, { ...request, ...wrong }, { isShortened });
  await database.close();
  const sum = (of: "passes" | "effects") => played.reduce((total, story) => total + story[of], 0);
  return { stories, passes: sum("passes"), effects: sum("effects"), failure };
}

function findMutant(name: string): Mutant {
  const mutant = MUTANTS[name];
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);
  return mutant;
}
