import type { Logger } from "pino";
import { describeDelivery } from "../../deliveries/describe-delivery.ts";
import { queuedDelivery } from "../../deliveries/queued-delivery.ts";
import type { JobDeps } from "../../evaluate/run/deps.ts";
import type { GitHubApp } from "../../github/app.ts";
import { VERSION } from "../../package/version.ts";
import { enqueueLane } from "../../queue/enqueue.ts";
import type { StoredDelivery } from "../../queue/inspection.ts";
import { listInstallationRepositories } from "../../store/repositories.ts";
import { discoverInstallation, discoverPulls } from "../../sweep/discover.ts";
import type { Health } from "../../web/health.ts";
import type { DeliveryOutcome, OperatorAccess, OperatorState } from "../../web/page/page.ts";
import type { InspectedSession } from "../process/store-session.ts";
import type { FailedCalls } from "../telemetry/failed-calls.ts";
import type { GitHubUsage } from "../telemetry/github-usage.ts";

export interface OperatorParts {
  readonly deps: JobDeps;
  readonly session: Pick<InspectedSession, "store" | "queue" | "inspection">;
  readonly github: { readonly app: GitHubApp };
  readonly health: Health;
  readonly usage: Pick<GitHubUsage, "listPaused">;
  readonly failedCalls: Pick<FailedCalls, "list">;
  readonly log: Logger;
}

const MAX_DELIVERIES = 50;
const MAX_FAILED = 20;

/** Builds what the operator's page reads and does. */
export const buildOperatorAccess = (parts: OperatorParts): OperatorAccess => ({
  readState: () => readState(parts),
  evaluate: (repositoryId, number) => enqueueLane(parts.deps, { kind: "pull", repositoryId, number }),
  sweep: (installationId) => {
    sweepInstallation(parts, installationId).catch((error: unknown) =>
      parts.log.error({ error, installation: installationId }, "the sweep that an admin asked for failed"),
    );
  },
  retryDelivery: (id) => parts.session.inspection.retryDelivery(id),
  record: ({ id, login }, action, details) =>
    parts.log.info({ admin: login, adminId: id, action, ...details }, "an admin used the operator's page"),
});

async function readState({ session, health, usage, failedCalls }: OperatorParts): Promise<OperatorState> {
  const { store, queue, inspection } = session;
  const [examined, queues, deliveries, failedWork] = await Promise.all([
    health.examineAll(),
    queue.countJobs(),
    inspection.listDeliveries(MAX_DELIVERIES),
    inspection.listFailedJobs(MAX_FAILED),
  ]);
  return {
    version: VERSION,
    node: process.version,
    database: store.engine.kind,
    parts: examined,
    queues: queues.filter(({ name }) => name !== "dead"), // its jobs are shown as failed work
    deliveries: deliveries.map(toOutcome),
    failedWork: failedWork.map(({ failedAt, ...work }) => ({ ...work, failedMs: failedAt.getTime() })),
    failedCalls: failedCalls.list(),
    pausedInstallations: usage.listPaused(),
  };
}

const STATES = {
  created: "waiting",
  retry: "again",
  active: "running",
  completed: "done",
  cancelled: "done",
  failed: "failed",
} as const;

function toOutcome({ id, data, state, receivedAt, problem }: StoredDelivery): DeliveryOutcome {
  const read = queuedDelivery.read(data);
  const {
    event = null,
    repository = null,
    pull = null,
  } = read.state === "read" ? describeDelivery(read.value) : {};
  return {
    id,
    event: event === null ? null : String(event),
    repository: repository === null ? null : String(repository),
    pull: pull === null ? null : Number(pull),
    state: STATES[state],
    receivedMs: receivedAt.getTime(),
    problem: state === "completed" ? null : problem,
  };
}

async function sweepInstallation({ deps, github }: OperatorParts, installationId: number): Promise<void> {
  const discovery = { ...deps, app: github.app };
  await discoverInstallation(discovery, installationId);
  for (const repository of await listInstallationRepositories(deps.db, installationId))
    await discoverPulls(discovery, repository);
}
