import { loadavg } from "node:os";
import type { Figure } from "../measure.ts";
import { type LoadDatabase, startDatabase } from "./database.ts";
import { startFleet } from "./fleet.ts";
import { type Measured, readMeters, watchPeaks } from "./meters.ts";
import type { LoadParameters } from "./parameters.ts";
import { type Role, startGitHub } from "./processes.ts";
import { listFigures, type RunResult } from "./report.ts";
import { countOpenJobs, readStored, untilIdle } from "./stored.ts";

/** Real processes under load, with kills. */
export async function load(parameters: LoadParameters): Promise<readonly Figure[]> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1)); // its processes end with it
  const database = await startDatabase();
  try {
    return listFigures(parameters, await runLoad(parameters, database));
  } finally {
    await database.close();
  }
}

async function runLoad(parameters: LoadParameters, database: LoadDatabase): Promise<RunResult> {
  const github = startGitHub();
  try {
    const surroundings = await github.open(parameters);
    const databaseUrl = await database.create("load");
    const roles: readonly Role[] = [
      ...Array<Role>(parameters.web).fill("web"),
      ...Array<Role>(parameters.workers).fill("worker"),
    ];
    const fleet = await startFleet(roles, { databaseUrl, surroundings, github, program: parameters.program });
    try {
      return await playAndObserve({ database, github, fleet, databaseUrl }, parameters);
    } finally {
      await fleet.stop();
    }
  } finally {
    github.stop();
  }
}

async function playAndObserve(
  run: Measured & { readonly databaseUrl: string },
  parameters: LoadParameters,
): Promise<RunResult> {
  const { github, fleet, databaseUrl } = run;
  await untilIdle(databaseUrl, 60);
  const before = await readMeters(run);
  const ended = new AbortController();
  const watching = watchPeaks(run, ended.signal);
  const killing = parameters.killEvery > 0 ? fleet.killInTurn(parameters.killEvery, ended.signal) : 0;
  const played = await github.play(parameters);
  const backlog = await countOpenJobs(databaseUrl);
  ended.abort();
  const [killed, peaks] = [await killing, await watching];
  const redelivered = await github.redeliver();
  const drained = await untilIdle(databaseUrl, parameters.drain);
  const after = await readMeters(run);
  const observed = await github.observe();
  return {
    ...{ played, backlog, killed, peaks, redelivered, drained, before },
    after,
    observed,
    stored: await readStored(databaseUrl),
    logs: fleet.folder,
    load: loadavg()[0] ?? 0,
  };
}
