import { formatTime } from "../../formatters/json.ts";
import { selectNewestStatuses } from "../../formatters/status.ts";
import type { CheckRun, Status } from "../../state/checks.ts";
import { buildNodeId } from "../../state/node-id.ts";
import { buildCommitKey } from "../../state/world.ts";
import { buildActorFields, buildAppFields } from "./actors.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./caller-view.ts";
import { buildConnection, type PageArguments } from "./connection.ts";

interface CommitAddress {
  readonly repositoryId: number;
  readonly sha: string;
}

const toUpperCase = (text: string | null): string | null => text?.toUpperCase() ?? null;

/** Returns the newest runs and statuses of a commit together; null for a commit without any. */
export function buildRollupFields(view: CallerView, at: CommitAddress): NodeFields | null {
  requirePermissions(view, "checks:read", "statuses:read");
  const runs = selectNewestRuns(view.world.checkRuns.group(buildCommitKey(at)));
  const statuses = selectNewestStatuses(view.world, at);
  if (runs.length + statuses.length === 0) return null;
  const rows: readonly (() => NodeFields)[] = [
    ...runs.map((run) => () => buildRunFields(view, run)),
    ...statuses.map((status) => () => buildContextFields(view, status)),
  ];
  return {
    contexts: (page: PageArguments) => buildConnection(rows, { ...page, name: "contexts" }, (row) => row()),
  };
}

export const buildRunFields = (view: CallerView, run: CheckRun): NodeFields => ({
  __typename: "CheckRun",
  id: buildNodeId("CheckRun", run.id),
  databaseId: run.id,
  name: run.name,
  status: toUpperCase(run.status),
  conclusion: toUpperCase(run.conclusion),
  detailsUrl: run.detailsUrl,
  externalId: run.externalId,
  checkSuite: { app: () => buildAppFields(view, run.appId), commit: { oid: run.headSha } },
});

const buildContextFields = (view: CallerView, status: Status): NodeFields => ({
  __typename: "StatusContext",
  context: status.context,
  state: toUpperCase(status.state),
  targetUrl: status.targetUrl,
  description: status.description,
  createdAt: formatTime(status.createdAt),
  creator: () => buildActorFields(view, status.creatorId),
});

const selectNewestRuns = (runs: readonly CheckRun[]): readonly CheckRun[] => [
  ...new Map(runs.map((run) => [`${run.appId}:${run.name}`, run])).values(),
];
