import { type Figure, ms, quantile } from "../measure.ts";
import type { Observed, Played } from "./github-process.ts";
import type { Meters, Peaks } from "./meters.ts";
import type { LoadParameters } from "./parameters.ts";
import type { OpenJobs, StoredState } from "./stored.ts";

export interface RunResult {
  readonly played: Played;
  /** What waited or ran when the last delivery was answered. */
  readonly backlog: readonly OpenJobs[];
  readonly killed: number;
  readonly redelivered: number;
  /** Seconds until all was processed; null: something was left. */
  readonly drained: number | null;
  readonly before: Meters;
  readonly after: Meters;
  readonly peaks: Peaks;
  readonly observed: Observed;
  readonly stored: StoredState;
  /** Folder with the processes' logs. */
  readonly logs: string;
  readonly load: number;
}

/** The figures of a run; what does not fit into a line is printed. */
export function listFigures(parameters: LoadParameters, result: RunResult): readonly Figure[] {
  printDetails(parameters, result);
  return [
    ...describeTraffic(result),
    ...describeRightness(result),
    ...describeSpeed(result),
    ...describeCosts(parameters, result),
  ];
}

const NONE = "–";
const figure = (what: string, value: string | number, goal: string = NONE): Figure => ({
  what,
  value: String(value),
  goal,
});
const round = (value: number, digits = 1): string => value.toFixed(digits);
const sumOf = (jobs: readonly OpenJobs[]): number => jobs.reduce((sum, { count }) => sum + count, 0);

function describeTraffic({ played, killed, peaks, backlog, drained }: RunResult): readonly Figure[] {
  return [
    figure("deliveries that people and CI caused, per second", round(played.actions / played.seconds)),
    figure("deliveries of all kinds, per second", round(played.deliveries / played.seconds)),
    figure("processes killed and started again", killed),
    figure("deliveries without an answer, delivered again at the end", played.unanswered),
    figure("jobs that waited or ran at the end", sumOf(backlog)),
    figure("seconds until nothing was left to do", drained === null ? "not reached" : round(drained)),
    figure("largest process, MB", Math.round(peaks.rssMb)),
  ];
}

function describeRightness({ observed, stored }: RunResult): readonly Figure[] {
  return [
    figure("contradictions between GitHub and the oracle", observed.problems.length, "0"),
    figure(
      `open heads (of ${observed.heads} heads), each with its one right check and comment`,
      observed.open,
    ),
    figure(
      "checks on all heads: one, and one more each time that another execution is named",
      observed.checks,
    ),
    figure(
      "further ones, which newer ones hide: GitHub took a request that had been given up",
      observed.doubled,
    ),
    figure("stored deliveries", stored.deliveries),
    figure("jobs left or failed", sumOf(stored.openJobs), "0"),
    figure("chain of decisions", stored.chain, "whole"),
  ];
}

function describeSpeed({ observed }: RunResult): readonly Figure[] {
  const spread = (samples: readonly number[]) =>
    [0.5, 0.95, 0.99].map((share) => ms(quantile(samples, share))).join(" / ");
  return [
    figure(`status to gate, p50 / p95 / p99 (${observed.gateMs.length})`, spread(observed.gateMs)),
    figure(`delivery accepted, p50 / p95 / p99 (${observed.acceptedMs.length})`, spread(observed.acceptedMs)),
    figure(
      `opened to first check, p50 / p95 / p99 (${observed.firstCheckMs.length})`,
      spread(observed.firstCheckMs),
    ),
  ];
}

function describeCosts({ pulls }: LoadParameters, result: RunResult): readonly Figure[] {
  const { before, after, observed, stored, peaks } = result;
  const { calls } = observed;
  const seconds = (after.at - before.at) / 1_000;
  const evaluations = Math.max(1, stored.evaluations);
  const machine = after.machineSeconds - before.machineSeconds;
  const share = (name: "webSeconds" | "workerSeconds" | "postgresSeconds" | "githubSeconds") =>
    `${round(after[name] - before[name])} s, ${Math.round((100 * (after[name] - before[name])) / machine)} %`;
  return [
    figure("GitHub calls per pull request", round(calls.total / pulls)),
    figure("GitHub calls per stored evaluation", round(calls.total / evaluations)),
    figure("calls of the installation that called most", calls.mostOfOneInstallation),
    figure(
      "most writes of one installation in a second / a minute",
      `${calls.mostWritesInSecond} / ${calls.mostWritesInMinute}`,
    ),
    figure("calls that GitHub refused", calls.refused, "0"),
    figure(
      "WAL per stored evaluation, kB",
      round((after.database.walBytes - before.database.walBytes) / evaluations / 1_000),
    ),
    figure(
      "database per stored evaluation, kB",
      round((after.database.bytes - before.database.bytes) / evaluations / 1_000),
    ),
    figure("most connections at once", peaks.connections),
    figure("processor time of `tollgate start`", share("webSeconds")),
    figure("processor time of `tollgate worker`", share("workerSeconds")),
    figure("processor time of PostgreSQL", share("postgresSeconds")),
    figure("processor time of the sandbox GitHub", share("githubSeconds")),
    figure("processor time of the whole machine", `${round(machine)} s in ${round(seconds)} s`),
  ];
}

function printDetails(
  parameters: LoadParameters,
  { observed, stored, backlog, logs, load }: RunResult,
): void {
  console.log(
    `  parameters: ${JSON.stringify(parameters)}; load of the machine ${round(load)}; logs in ${logs}`,
  );
  for (const problem of observed.problems.slice(0, 40)) console.log(`  ! ${problem}`);
  for (const { name, state, count } of [...stored.openJobs])
    console.log(`  ! left: ${count} ${name} ${state}`);
  console.log(
    `  backlog: ${backlog.map(({ name, state, count }) => `${count} ${name} ${state}`).join(", ")}`,
  );
}
