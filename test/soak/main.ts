import { parseArgs } from "node:util";
import { findBinaries, PostgresServer } from "../world/postgres-server.ts";
import { type SoakOptions, soak } from "./soak.ts";

// `npm run soak -- [--kills 150] [--engine embedded|postgres] [--seed N] [--program dist/cli/tollgate.js]`: kills a real process again
// and again. Exit code 1: something was lost, doubled or wrong.

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "150" },
    engine: { type: "string", default: "embedded" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    program: { type: "string" },
  },
});
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const name = values.engine;
print(`${name}: ${values.kills} kills, seed ${seed}`);

const options: Omit<SoakOptions, "databaseUrl"> = {
  kills: Number(values.kills),
  seed,
  ...(values.program !== undefined && { command: [values.program, "start"] }),
  report: (line) => print(`${name}: ${line}`),
};

async function soakPostgres() {
  const bin = findBinaries();
  if (bin === null) throw new Error("no PostgreSQL is installed");
  const server = await PostgresServer.start(bin, ["fsync=off", "max_connections=60"]);
  try {
    return await soak({ ...options, databaseUrl: server.url() });
  } finally {
    await server.end();
  }
}

const { problems, ...counts } =
  name === "postgres" ? await soakPostgres() : await soak({ ...options, databaseUrl: null });
print(`${name}: ${JSON.stringify(counts)}`);
for (const problem of problems) print(`${name}: WRONG: ${problem}`);
print(
  problems.length === 0 ? `${name}: nothing lost, nothing doubled` : `${name}: ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
