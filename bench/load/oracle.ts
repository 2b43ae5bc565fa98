import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { CheckRun } from "../../sandbox/state/records.ts";
import { type ExpectedPull, LIMIT, type Traffic } from "./traffic.ts";

export interface TrafficCheck {
  /** One line per contradiction between GitHub's state and what the traffic demands; empty: none. */
  readonly problems: readonly string[];
  readonly open: number;
  readonly heads: number;
  readonly checks: number;
  readonly comments: number;
  /** Check runs beside the one that the pull request needs, which newer ones hide: GitHub created one after its answer was given up. */
  readonly doubled: number;
}

/** Compares what GitHub shows with what the traffic demands; it knows nothing of Tollgate but the words of design and documentation. */
export function checkTraffic(
  { github, appId }: { github: Sandbox; appId: number },
  traffic: Traffic,
): TrafficCheck {
  const problems: string[] = [];
  const events = readCheckEvents(github);
  let checks = 0;
  let comments = 0;
  let heads = 0;
  let doubled = 0;
  for (const pull of traffic.pulls) {
    const own = github.comments(pull).filter((comment) => comment.appId === appId);
    const perHead = pull.heads.map((sha) => github.checkRuns({ repository: pull.repository, sha, appId }));
    heads += pull.heads.length;
    checks += perHead.flat().length;
    comments += own.length;
    doubled += perHead.reduce((sum, runs) => sum + countDoubled(runs, events), 0);
    const [, ...hidden] = (pull.isOpen && perHead.at(-1)) || [];
    const found = [
      ...hidden
        .filter(({ status }) => status !== "completed")
        .map((run) => `a hidden check on head ${pull.heads.length}: ${describeRun(run)}`),
      ...(own.length > 1 ? [`${own.length} comments`] : []),
      ...(pull.isOpen ? findWrongState(pull, { run: perHead.at(-1)?.[0], body: own[0]?.body }) : []),
    ];
    problems.push(...found.map((problem) => `${pull.repository}#${pull.number}: ${problem}`));
  }
  return {
    problems,
    open: traffic.pulls.filter(({ isOpen }) => isOpen).length,
    heads,
    checks,
    comments,
    doubled,
  };
}

/** When a check run was created, by GitHub's event, with which status, and when it first ended. */
interface CheckEvents {
  readonly created: ReadonlyMap<number, { readonly atMs: number; readonly status: string }>;
  readonly endedMs: ReadonlyMap<number, number>;
}

function readCheckEvents({ deliveries }: Sandbox): CheckEvents {
  const created = new Map<number, { atMs: number; status: string }>();
  const endedMs = new Map<number, number>();
  for (const { action, body, createdAt: atMs } of deliveries.list({ event: "check_run" })) {
    const { check_run: run } = JSON.parse(body) as { check_run: { id: number; status: string } }; // as the sandbox formats it
    if (action === "created") created.set(run.id, { atMs, status: run.status });
    else if (action === "completed" && !endedMs.has(run.id)) endedMs.set(run.id, atMs);
  }
  return { created, endedMs };
}

/**
 * Counts the runs that are too many; the newest comes first. A run that ended is never opened again: when another execution is named, one
 * more is created in progress. Any other further run is doubled.
 */
function countDoubled(runs: readonly CheckRun[], { created, endedMs }: CheckEvents): number {
  const isDoubled = ({ id }: CheckRun, earlier: CheckRun): boolean => {
    const { atMs = 0, status = "" } = created.get(id) ?? {};
    return status !== "in_progress" || (endedMs.get(earlier.id) ?? Number.POSITIVE_INFINITY) > atMs;
  };
  return runs.filter((run, at) => runs.slice(at + 1, at + 2).some((earlier) => isDoubled(run, earlier)))
    .length;
}

function findWrongState(
  { increase, heads }: ExpectedPull,
  shown: { run: { status: string; conclusion: string | null } | undefined; body: string | undefined },
): readonly string[] {
  const demanded = increase === null ? "in_progress" : increase > LIMIT ? "failure" : "success";
  const check = shown.run === undefined ? "no check" : (shown.run.conclusion ?? shown.run.status);
  const wrongCheck =
    check === demanded
      ? []
      : [`head ${heads.length} with an increase of ${increase} shows ${check}, expected ${demanded}`];
  if (increase === null) return wrongCheck;
  const amount = `$${increase}.00`;
  if (shown.body === undefined) return [...wrongCheck, "no comment"];
  return shown.body.includes(amount) ? wrongCheck : [...wrongCheck, `the comment does not say ${amount}`];
}

const describeRun = ({ status, conclusion, startedAt, externalId, output }: CheckRun): string =>
  [
    conclusion ?? status,
    new Date(startedAt).toISOString(),
    externalId?.slice(0, 8),
    output.title,
    status === "in_progress" ? output.summary : "",
  ].join(" ");
