import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type BenchEngine, closeEngines, EMBEDDED, openEngines } from "./engines.ts";
import { readLoadParameters } from "./load/parameters.ts";
import { type Figure, type Prepared, takeMeasure } from "./measure.ts";

/** The parts, each with the budgets of one promise. Those without `once` are measured on both databases. */
const PARTS: Readonly<
  Record<
    string,
    {
      readonly about: string;
      load(): Promise<{ prepare(engine: BenchEngine): Promise<Prepared> }>;
      readonly once?: true;
    }
  >
> = {
  deliveries: { about: "deliveries stored, against bare Probot", load: () => import("./deliveries.ts") },
  busy: { about: "deliveries accepted beside busy workers", load: () => import("./busy.ts"), once: true },
  gate: {
    about: "from the platform's status to the gate, and 20 pull requests at once",
    load: () => import("./gate.ts"),
  },
  large: { about: "a pull request of 100,000 changes", load: () => import("./large.ts"), once: true },
  rules: { about: "200 rules over 10,000 resources", load: () => import("./rules.ts"), once: true },
  stalls: { about: "how long large input blocks a process", load: () => import("./stalls.ts"), once: true },
  platform: { about: "questions to the platform beside 100,000 rows", load: () => import("./platform.ts") },
  page: { about: "the page of 10,000 resources", load: () => import("./page.ts") },
  overview: { about: "the overview of 100,000 evaluations", load: () => import("./overview.ts") },
  start: {
    about: "from a start to the first delivery (after `npm run build`)",
    load: () => import("./start.ts"),
  },
};

const HELP = `npm run bench -- [PART]…      all parts, or the named ones
npm run bench -- load [--pulls COUNT …]   real processes under load: minutes; bench/load/parameters.ts has the options

${Object.entries(PARTS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join("\n")}`;

const [first, ...rest] = process.argv.slice(2);
if (first === "load") {
  const { load } = await import("./load/load.ts");
  printTable(await load(readOrEnd(() => readLoadParameters(rest))));
  process.exit();
}
for (const name of readOrEnd(readNames)) await runPart(name);
await closeEngines();
process.exit();

function readNames(): readonly string[] {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help === true) {
    console.log(HELP);
    process.exit();
  }
  const unknown = positionals.filter((name) => !(name in PARTS));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}\n\n${HELP}`);
  return positionals.length > 0 ? positionals : Object.keys(PARTS);
}

/** Ends the program when its options cannot be read. */
function readOrEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

async function runPart(name: string): Promise<void> {
  const part = PARTS[name];
  if (part === undefined) return;
  const { prepare } = await part.load();
  for (const engine of part.once ? [EMBEDDED] : await openEngines()) {
    const loadBefore = loadavg()[0] ?? 0;
    const { measures, close } = await prepare(engine);
    const figures: Figure[] = [];
    for (const measure of measures) figures.push(await takeMeasure(measure));
    await close?.();
    console.log(`\n${name}${part.once ? "" : `, ${engine.name}`} (load ${loadBefore.toFixed(1)} before)`);
    printTable(figures);
  }
}

function printTable(figures: readonly Figure[]): void {
  const rows = [
    { what: "what", value: "value", goal: "goal", floor: "floor" },
    ...figures.map(({ floor = "–", ...figure }) => ({ ...figure, floor })),
  ];
  const width = (column: "what" | "value" | "goal") => Math.max(...rows.map((row) => row[column].length));
  for (const { what, value, goal, floor } of rows) {
    const cells = [what.padEnd(width("what")), value.padStart(width("value")), goal.padEnd(width("goal"))];
    console.log(`  ${cells.join("   ")}   ${floor}`);
  }
}
