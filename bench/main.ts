import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { busy } from "./busy.ts";
import { deliveries } from "./deliveries.ts";
import { type Figure, medianFigures } from "./figures.ts";
import { burst, gate } from "./gate.ts";
import { growth } from "./growth.ts";
import { large } from "./large.ts";
import { load } from "./load/load.ts";
import { readLoadParameters } from "./load/parameters.ts";
import { overview } from "./overview.ts";
import { page } from "./page.ts";
import { platform } from "./platform.ts";
import { replicas } from "./replicas.ts";
import { rules } from "./rules.ts";
import { stalls } from "./stalls.ts";
import { start } from "./start.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  deliveries,
  busy,
  gate,
  burst,
  growth,
  large,
  rules,
  overview,
  page,
  platform,
  replicas,
  start,
  stalls,
};

/** Ends the program when its options cannot be read. */
function readOrEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

const [first, ...rest] = process.argv.slice(2);
/** `npm run bench -- load [--pulls COUNT …]` has options of its own and takes minutes: it runs only when it is named, and alone. */
if (first === "load") {
  printTable(await load(readOrEnd(() => readLoadParameters(rest))));
  process.exit();
}

/** `npm run bench -- [--runs COUNT] [BENCH]…`; with several runs, each value is the median, with the least and the greatest. */
function readOptions() {
  const { values, positionals: names } = parseArgs({
    options: { runs: { type: "string", default: "1" } },
    allowPositionals: true,
  });
  const runs = Number(values.runs);
  if (!(Number.isInteger(runs) && runs > 0))
    throw new Error(`--runs: expected a count, found "${values.runs}"`);
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0)
    throw new Error(`there is no ${unknown.join(", ")}; there are load, ${Object.keys(BENCHES).join(", ")}`);
  return { names, runs };
}
const { names, runs } = readOrEnd(readOptions);

for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const loadBefore = loadavg()[0] ?? 0;
  const answers: (readonly Figure[])[] = [];
  while (answers.length < runs) answers.push(await bench());
  console.log(`\n${name} (load ${loadBefore.toFixed(1)} before, runs: ${runs})`);
  printTable(medianFigures(answers));
}

function printTable(figures: readonly Figure[]): void {
  const rows = [
    { what: "what", value: "value", goal: "goal", floor: "floor" },
    ...figures.map(({ floor = "–", ...figure }) => ({ ...figure, floor })),
  ];
  const width = (column: "what" | "value" | "goal" | "floor") =>
    Math.max(...rows.map((row) => row[column].length));
  for (const { what, value, goal, floor } of rows) {
    const cells = [what.padEnd(width("what")), value.padStart(width("value")), goal.padEnd(width("goal"))];
    console.log(`  ${cells.join("   ")}   ${floor}`);
  }
}
