/**
 * Plays random stories on every core, and prints those in which an invariant breaks:
 * `node test/simulation/search.ts [--stories 1000] [--seed S] [--first 0] [--steps 60] [--threads T] [--mutant NAME]`.
 * Progress goes to stderr. Story N of a seed is played again by `--seed S --first N --stories 1`. Ends with 1 when a story failed.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { MUTANTS } from "./mutants.ts";
import { searchAll, shortenAll } from "./search-all.ts";
import { type FailedStory, formatStory } from "./story-search.ts";
import { ThreadPool } from "./thread-pool.ts";

const OPTIONS = {
  stories: { type: "string", default: "1000" },
  seed: { type: "string", default: "20261123" },
  first: { type: "string", default: "0" },
  steps: { type: "string", default: "60" },
  mutant: { type: "string" },
  threads: { type: "string", default: String(availableParallelism()) },
} as const;

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  const readCount = (name: Exclude<keyof typeof values, "mutant">): number => {
    const count = Number(values[name]);
    if (!Number.isSafeInteger(count) || count < 0)
      throw new Error(`--${name}: expected a count, found "${values[name]}"`);
    return count;
  };
  const { mutant } = values;
  if (mutant !== undefined && !(mutant in MUTANTS))
    throw new Error(
      `--mutant: there is no "${mutant}"; mutants.ts has ${Object.keys(MUTANTS).length} of them`,
    );
  const request = {
    seed: readCount("seed"),
    first: readCount("first"),
    stories: readCount("stories"),
    steps: readCount("steps"),
    ...(mutant !== undefined && { mutant }),
  };
  return { request, threads: readCount("threads") };
}

function readOptionsOrEnd(): ReturnType<typeof readOptions> {
  try {
    return readOptions();
  } catch (error) {
    process.stderr.write(`search: ${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}

const { request, threads } = readOptionsOrEnd();
const pool = new ThreadPool(threads);
const beganMs = performance.now();
const say = (text: string): unknown => process.stdout.write(`${text}\n`);
const describe = ({ number, problem }: FailedStory): string => `story ${number}: ${problem.split("\n")[0]}`;
let failed = 0;
const { stories, passes, effects, failures } = await searchAll(pool, request, (found) => {
  for (const failure of found.failures.slice(failed)) process.stderr.write(`${describe(failure)}\n`);
  failed = found.failures.length;
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  process.stderr.write(`${found.stories} of ${request.stories} stories in ${seconds} s, ${failed} failed\n`);
});
say(
  `seed ${request.seed}: ${stories} stories, ${effects} effects, ${passes} passing checks, ${failed} failed`,
);
for (const failure of failures) say(describe(failure));
for (const failure of await shortenAll(pool, request, failures))
  say(`\nstory ${failure.number}\n${formatStory(failure)}`);
await pool.close();
process.exitCode = failures.length > 0 ? 1 : 0;
