import { time } from "../../formatters/json.ts";
import { newestStatuses } from "../../formatters/status.ts";
import type { CheckRun, Status } from "../../state/checks.ts";
import { commitKey } from "../../state/world.ts";
import { actorFields, appFields } from "./actors.ts";
import { connection, type PageArguments } from "./connection.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./view.ts";

interface CommitAddress {
  readonly repositoryId: number;
  readonly sha: string;
}

const upper = (text: string | null): string | null => text?.toUpperCase() ?? null;

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
    contexts: (page: PageArguments) => connection(rows, { ...page, name: "contexts" }, (row) => row()),
  };
}

const runFields = (view: CallerView, run: CheckRun): NodeFields => ({
  __typename: "CheckRun",
  databaseId: run.id,
  name: run.name,
  status: upper(run.status),
  conclusion: upper(run.conclusion),
  detailsUrl: run.detailsUrl,
  externalId: run.externalId,
  checkSuite: { app: () => appFields(view, run.appId) },
});

const contextFields = (view: CallerView, status: Status): NodeFields => ({
  __typename: "StatusContext",
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
