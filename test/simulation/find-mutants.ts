/**
 * Prints after how many random stories each mutant breaks an invariant that the bot itself keeps:
 * `node test/simulation/find-mutants.ts [most stories] [seed] [most steps of a story]`.
 */
import { availableParallelism } from "node:os";
import { MUTANTS } from "./mutants.ts";
import { ThreadPool } from "./thread-pool.ts";

const [most = "100", seed = "20261123", steps = "30"] = process.argv.slice(2);
/** Stories of one request to a thread: a database in memory grows with the rows that were deleted in it. */
const STORIES = 100;
const search = { seed: Number(seed), steps: Number(steps), isShortened: false };
const pool = new ThreadPool(availableParallelism());
const found = new Map<string, number>();
for (let first = 0; first < Number(most); first += STORIES) {
  const hidden = Object.keys(MUTANTS).filter((mutant) => !found.has(mutant));
  await Promise.all(
    hidden.map((mutant) => findMutant(mutant, first, Math.min(Number(most), first + STORIES))),
  );
  process.stderr.write(`${found.size} of ${Object.keys(MUTANTS).length} within ${first + STORIES} stories\n`);
}
await pool.close();
for (const [mutant, stories] of [...found].sort(([, a], [, b]) => a - b)) say(mutant, stories);
for (const mutant of Object.keys(MUTANTS)) if (!found.has(mutant)) say(mutant, `not within ${most}`);

async function findMutant(mutant: string, first: number, end: number): Promise<void> {
  const { failure } = await pool.play({ ...search, mutant, first, stories: end - first });
  if (failure === null) return;
  const { failure: own } = await pool.play({ ...search, first: failure.number, stories: 1 });
  if (own === null) {
    found.set(mutant, failure.number + 1);
    process.stderr.write(`${failure.number + 1} ${mutant}: ${failure.problem.split("\n")[0]}\n`);
  } else if (failure.number + 1 < end) await findMutant(mutant, failure.number + 1, end);
}

function say(mutant: string, stories: number | string): void {
  process.stdout.write(`| ${mutant} | ${stories} |\n`);
}
