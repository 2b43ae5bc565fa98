import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseCounters, LoadDatabase } from "./database.ts";
import type { Fleet } from "./fleet.ts";
import {
  type GitHubProcess,
  readCpuSeconds,
  readMachineCpuSeconds,
  readTreeCpuSeconds,
} from "./processes.ts";

/** Counters that only grow; the difference of two readings is what happened between them. Processor times in seconds. */
export interface Meters {
  readonly at: number;
  readonly database: DatabaseCounters;
  readonly webSeconds: number;
  readonly workerSeconds: number;
  readonly postgresSeconds: number;
  readonly githubSeconds: number;
  readonly machineSeconds: number;
}

export interface Measured {
  readonly database: LoadDatabase;
  readonly github: GitHubProcess;
  readonly fleet: Fleet;
}

export async function readMeters({ database, github, fleet }: Measured): Promise<Meters> {
  const secondsOf = (isCounted: (role: string) => boolean) =>
    fleet.processes
      .filter(({ role }) => isCounted(role))
      .reduce((sum, process) => sum + process.cpuSeconds(), 0);
  return {
    at: performance.now(),
    database: await database.count(),
    webSeconds: secondsOf((role) => role !== "worker"),
    workerSeconds: secondsOf((role) => role === "worker"),
    postgresSeconds: readTreeCpuSeconds(database.pid),
    githubSeconds: readCpuSeconds(github.pid),
    machineSeconds: readMachineCpuSeconds(),
  };
}

/** The greatest values seen in a while. */
export interface Peaks {
  readonly connections: number;
  readonly rssMb: number;
}

/** Looks every two seconds until the signal. */
export async function watchPeaks({ database, fleet }: Measured, signal: AbortSignal): Promise<Peaks> {
  let peaks: Peaks = { connections: 0, rssMb: 0 };
  while (!signal.aborted) {
    const { connections } = await database.count();
    peaks = {
      connections: Math.max(peaks.connections, connections),
      rssMb: Math.max(peaks.rssMb, ...fleet.processes.map((process) => process.rssMb())),
    };
    await sleep(2_000, undefined, { signal }).catch(() => {});
  }
  return peaks;
}
