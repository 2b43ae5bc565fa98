import { time, timeOrNull } from "../../formatters/json.ts";
import { combinedState, newestStatuses } from "../../formatters/status.ts";
import { suiteState } from "../../rules/suite.ts";
import type { CheckRun, CheckSuite, Status } from "../../state/checks.ts";
import { nodeId } from "../../state/node-id.ts";
import { commitKey } from "../../state/world.ts";
import { actorFields, appFields } from "./actors.ts";
import { connection, type PageArguments } from "./connection.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./view.ts";

interface CommitAddress {
  readonly repositoryId: number;
  readonly sha: string;
}

const upper = (text: string | null): string | null => text?.toUpperCase() ?? null;

/** Returns the newest status of each context; null for a commit without statuses. */
export function statusFields(view: CallerView, at: CommitAddress): NodeFields | null {
  requirePermissions(view, "statuses:read");
  const statuses = newestStatuses(view.world, at);
  if (statuses.length === 0) return null;
  return {
    id: nodeId("Status", commitKey(at)),
    state: upper(combinedState(statuses)),
    contexts: () => statuses.map((status) => contextFields(view, status)),
  };
}

/** Returns the newest runs and statuses of a commit together; null for a commit without any. */
export function rollupFields(view: CallerView, at: CommitAddress): NodeFields | null {
  requirePermissions(view, "checks:read", "statuses:read");
  const runs = newestRuns(view.world.checkRuns.group(commitKey(at)));
  const statuses = newestStatuses(view.world, at);
  if (runs.length + statuses.length === 0) return null;
  const rows: readonly (() => NodeFields)[] = [
    ...runs.map((run) => () => runFields(view, run)),
    ...statuses.map((status) => () => contextFields(view, status)),
  ];
  return {
    id: nodeId("Status", `rollup:${commitKey(at)}`),
    state: rollupState(runs, statuses),
    contexts: (page: PageArguments) => connection(rows, { ...page, name: "contexts" }, (row) => row()),
  };
}

export function suiteConnection(
  view: CallerView,
  at: CommitAddress,
  page: PageArguments & { filterBy?: { appId?: number | null } | null },
): NodeFields {
  requirePermissions(view, "checks:read");
  const appId = page.filterBy?.appId ?? null;
  const suites = view.world.checkSuites
    .group(commitKey(at))
    .filter((suite) => appId === null || suite.appId === appId);
  return connection(suites, { ...page, name: "checkSuites" }, (suite) => suiteFields(view, suite));
}

function suiteFields(view: CallerView, suite: CheckSuite): NodeFields {
  const state = suiteState(view.world, suite);
  return {
    id: nodeId("CheckSuite", suite.id),
    databaseId: suite.id,
    app: () => appFields(view, suite.appId),
    status: upper(state.status),
    conclusion: upper(state.conclusion),
    checkRuns: (page: PageArguments & { filterBy?: { checkName?: string | null } | null }) => {
      const name = page.filterBy?.checkName ?? null;
      const runs = newestRuns(view.world.checkRuns.group(commitKey({ ...suite, sha: suite.headSha })))
        .filter((run) => run.suiteId === suite.id)
        .filter((run) => name === null || run.name === name);
      return connection(runs, { ...page, name: "checkRuns" }, (run) => runFields(view, run));
    },
  };
}

const runFields = (view: CallerView, run: CheckRun): NodeFields => ({
  __typename: "CheckRun",
  id: nodeId("CheckRun", run.id),
  databaseId: run.id,
  name: run.name,
  status: upper(run.status),
  conclusion: upper(run.conclusion),
  detailsUrl: run.detailsUrl,
  externalId: run.externalId,
  startedAt: time(run.startedAt),
  completedAt: timeOrNull(run.completedAt),
  ...run.output,
  checkSuite: () => suiteFields(view, view.world.checkSuites.require(run.suiteId)),
});

const contextFields = (view: CallerView, status: Status): NodeFields => ({
  __typename: "StatusContext",
  id: nodeId("StatusContext", status.id),
  context: status.context,
  state: upper(status.state),
  targetUrl: status.targetUrl,
  description: status.description,
  createdAt: time(status.createdAt),
  creator: () => actorFields(view, status.creatorId),
});

const newestRuns = (runs: readonly CheckRun[]): readonly CheckRun[] => [
  ...new Map(runs.map((run) => [`${run.appId}:${run.name}`, run])).values(),
];

function rollupState(runs: readonly CheckRun[], statuses: readonly Status[]): string {
  const passing = ["success", "neutral", "skipped"];
  const finished = runs.filter((run) => run.status === "completed");
  const failed = finished.some((run) => !passing.includes(run.conclusion ?? ""));
  const combined = statuses.length === 0 ? "success" : combinedState(statuses);
  if (failed || combined === "failure") return "FAILURE";
  return finished.length < runs.length || combined === "pending" ? "PENDING" : "SUCCESS";
}
