import type { Figure } from "../figures.ts";
import type { LoadDatabase } from "./database.ts";
import { startFleet } from "./fleet.ts";
import { readMeters } from "./meters.ts";
import type { LoadParameters } from "./parameters.ts";
import { type Role, startGitHub } from "./processes.ts";
import { countOpenJobs, readLaneWork, untilIdle } from "./stored.ts";

/** Deliveries per second while the backlog is made: nothing is processed meanwhile. */
const FILL_RATE = 200;

/** How long 1, 2, 4 … workers need for the same backlog of pull requests with an ended execution each. */
export async function compareWorkers(
  parameters: LoadParameters,
  database: LoadDatabase,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  let alone: number | null = null;
  for (const workers of parameters.compare) {
    const { lanes, seconds, workerSeconds, problems } = await drainBacklog(parameters, { database, workers });
    const perSecond = lanes / seconds;
    alone ??= perSecond;
    const value = `${perSecond.toFixed(1)}/s, ${(perSecond / alone).toFixed(2)} ×`;
    const what = `${workers} workers: evaluations per second, against ${parameters.compare[0]}`;
    const cpu = `${((1_000 * workerSeconds) / lanes).toFixed(0)} ms of worker's CPU each`;
    figures.push({ what, value, goal: problems === 0 ? cpu : `${problems} contradictions` });
  }
  return figures;
}

async function drainBacklog(
  parameters: LoadParameters,
  { database, workers }: { readonly database: LoadDatabase; readonly workers: number },
) {
  const { program } = parameters;
  const github = startGitHub();
  try {
    const surroundings = await github.open(parameters);
    const databaseUrl = await database.create(`workers_${workers}`);
    const receiver = await startFleet(["receiver"], { databaseUrl, surroundings, github, program });
    await github.play({ rate: FILL_RATE, seconds: (2 * parameters.pulls) / FILL_RATE });
    await github.redeliver();
    const fleet = await startFleet(Array<Role>(workers).fill("worker"), {
      databaseUrl,
      surroundings,
      github,
      program,
    });
    const before = await readMeters({ database, github, fleet });
    const waited = await untilIdle(databaseUrl, parameters.drain);
    const after = await readMeters({ database, github, fleet });
    await fleet.stop();
    await receiver.stop();
    if (waited === null)
      console.log(`  ${workers} workers: left ${JSON.stringify(await countOpenJobs(databaseUrl))}`);
    const { problems } = await github.observe();
    for (const problem of problems.slice(0, 10)) console.log(`  ! ${problem}`);
    const workerSeconds = after.workerSeconds - before.workerSeconds;
    return { ...(await readLaneWork(databaseUrl)), workerSeconds, problems: problems.length };
  } finally {
    github.stop();
  }
}
