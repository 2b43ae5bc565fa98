import type { Hono } from "hono";
import type { Settings } from "../../settings/settings.ts";
import { createHealthRoutes, type Health } from "../../web/health.ts";
import { createMetricsRoute, type MetricText } from "../../web/metrics.ts";
import { createWebApp } from "../../web/web-app.ts";
import { startHttpServer } from "../process/http-server.ts";

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
export async function serveMetrics(
  { host, telemetry }: Pick<Settings, "host" | "telemetry">,
  { render, health, onError }: MetricSources,
): Promise<ServedMetrics> {
  if (render === null) return { route: null, close: async () => {} };
  const route = createMetricsRoute(render, { token: telemetry?.metricsToken ?? null });
  const port = telemetry?.metricsPort ?? null;
  if (port === null) return { route, close: async () => {} };
  const app = createWebApp(onError);
  app.route("/", createHealthRoutes(health));
  app.route("/", route);
  const server = await startHttpServer({ port, host: host ?? undefined, handlers: [], app });
  return { route: null, close: server.close };
}
