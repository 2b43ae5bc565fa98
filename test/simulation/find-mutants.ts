/** Prints after how many random stories each mutant breaks an invariant: `node test/simulation/find-mutants.ts [most stories] [seed] [steps]`. */
import { availableParallelism } from "node:os";
import { MUTANTS } from "./mutants.ts";
import { ThreadPool } from "./thread-pool.ts";

const [most = "100", seed = "20261123", steps = "30"] = process.argv.slice(2);
const pool = new ThreadPool(availableParallelism());
const request = { seed: Number(seed), first: 0, stories: Number(most), steps: Number(steps) };
await Promise.all(
  Object.keys(MUTANTS).map(async (mutant) => {
    const { failure, stories } = await pool.play({ ...request, mutant, isShortened: false });
    process.stdout.write(`| ${mutant} | ${failure === null ? `not within ${most}` : stories} |\n`);
  }),
);
await pool.close();
