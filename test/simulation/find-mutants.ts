/** Prints after how many random stories each mutant breaks an invariant: `node test/simulation/find-mutants.ts [most stories] [seed]`. */
import { MUTANTS } from "./mutants.ts";
import { openStoryDatabase } from "./story.ts";
import { search } from "./tell.ts";

const [most = "100", seed = "20261123"] = process.argv.slice(2);
const database = await openStoryDatabase();
for (const [name, mutant] of Object.entries(MUTANTS)) {
  const request = { seed: Number(seed), stories: Number(most), steps: 30, mutant };
  const { failure, stories } = await search(database, request, { isShortened: false });
  process.stdout.write(`| ${name} | ${failure === null ? `not within ${most}` : stories} |\n`);
}
await database.close();
