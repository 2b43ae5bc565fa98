import type { Hono } from "hono";
import type { Clock } from "../../kernel/clock.ts";
import { VERSION } from "../../package/version.ts";
import type { Settings } from "../../settings/read.ts";
import { countSuspended } from "../../store/installations.ts";
import type { FinishedCall } from "../../telemetry/telemetry.ts";
import { createHealthRoutes, type Health } from "../../web/health.ts";
import { createMetricsRoute, type MetricText } from "../../web/metrics.ts";
import type { FailedCall } from "../../web/page/page.ts";
import { createWebApp } from "../../web/web-app.ts";
import type { ConnectedGitHub } from "../github.ts";
import { createSessionHealth, listBotParts } from "../health-parts.ts";
import { startHttpServer } from "../process/http-server.ts";
import type { StoreSession } from "../process/store-session.ts";
import { buildSample, type GaugeSample, type GitHubUsage } from "./github-usage.ts";
import type { RunningTelemetry } from "./start-telemetry.ts";

export interface ObservedParts extends Pick<RunningTelemetry, "registry" | "log"> {
  readonly session: StoreSession;
  readonly github: Pick<ConnectedGitHub, "credentials">;
  readonly usage: GitHubUsage;
}

/** Makes a bot's health, and serves its metrics if there are any. */
export async function observeBot(
  settings: Settings,
  { registry, log, session, github, usage }: ObservedParts,
): Promise<{ readonly health: Health; readonly metrics: ServedMetrics }> {
  const health = createSessionHealth(session, listBotParts(session, github.credentials));
  const readGauges = async () => [...(await readStateGauges(session, health)), ...usage.readGauges()];
  const metrics = await serveMetrics(settings, {
    render: registry === null ? null : async () => registry.render(await readGauges()),
    health,
    onError: (error) => log.error({ error }, "the metrics could not be read"),
  });
  return { health, metrics };
}

/** Reads what the process and its database are in now. A database that does not answer has no queue, and a failed part. */
async function readStateGauges(session: StoreSession, health: Health): Promise<readonly GaugeSample[]> {
  const { store, queue } = session;
  const parts = await health.examineAll();
  const isReachable = parts.length > 1;
  const [counts, suspended] = isReachable
    ? await Promise.all([queue.countJobs(), countSuspended(store.db)])
    : [[], null];
  return [
    buildSample(
      "tollgate_build_info",
      { version: VERSION, node: process.version, database: store.engine.kind },
      1,
    ),
    ...parts.map(({ name: part, health: { state } }) =>
      buildSample("tollgate_part_ok", { part }, state === "ok" ? 1 : 0),
    ),
    ...counts.flatMap(({ name: queueName, due, scheduled, active, oldestDueSeconds }) => [
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "due" }, due),
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "scheduled" }, scheduled),
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "active" }, active),
      buildSample("tollgate_queue_oldest_due_seconds", { queue: queueName }, oldestDueSeconds),
    ]),
    ...(suspended === null
      ? []
      : [buildSample("tollgate_parked_installations", { reason: "suspended" }, suspended)]),
  ];
}

const MAX_CALLS = 50;

export type FailedCalls = ReturnType<typeof createFailedCalls>;

/** Remembers the newest calls of GitHub and of the platform that failed, the newest first. */
export function createFailedCalls(clock: Clock) {
  let calls: readonly FailedCall[] = [];
  return {
    record: ({ name, outcome }: FinishedCall) => {
      if (outcome !== "ok") calls = [{ name, outcome, atMs: clock.now() }, ...calls].slice(0, MAX_CALLS);
    },
    list: () => calls,
  };
}

export interface MetricSources {
  /** Null: no metrics. */
  readonly render: (() => Promise<MetricText>) | null;
  readonly health: Health;
  readonly onError: (error: unknown) => void;
}

export interface ServedMetrics {
  /** For the main port; null: the main port serves no metrics. */
  readonly route: Hono | null;
  close(): Promise<void>;
}

/** Serves metrics and health on `METRICS_PORT`, also of a worker, which serves nothing else. Without a port it returns the route. */
async function serveMetrics(
  { host, telemetry }: Pick<Settings, "host" | "telemetry">,
  { render, health, onError }: MetricSources,
): Promise<ServedMetrics> {
  if (render === null) return { route: null, close: async () => {} };
  const route = createMetricsRoute(render, { token: telemetry.metricsToken });
  const port = telemetry.metricsPort;
  if (port === null) return { route, close: async () => {} };
  const app = createWebApp(onError);
  app.route("/", createHealthRoutes(health));
  app.route("/", route);
  const server = await startHttpServer({ port, host: host ?? undefined, handlers: [], app });
  return { route: null, close: server.close };
}
