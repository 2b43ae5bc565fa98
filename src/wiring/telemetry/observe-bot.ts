import type { Settings } from "../../settings/settings.ts";
import { createHealth, type Health } from "../../web/health.ts";
import type { ConnectedGitHub } from "../github.ts";
import { listBotParts } from "../health-parts.ts";
import type { StoreSession } from "../process/store-session.ts";
import type { GitHubUsage } from "./github-usage.ts";
import { type ServedMetrics, serveMetrics } from "./serve-metrics.ts";
import type { RunningTelemetry } from "./start-telemetry.ts";
import { readStateGauges } from "./state-gauges.ts";

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
  const parts = listBotParts(session, github.credentials);
  const health = createHealth({ findDatabaseFault: session.findFault, parts });
  const readGauges = async () => [...(await readStateGauges(session, health)), ...usage.readGauges()];
  const metrics = await serveMetrics(settings, {
    render: registry === null ? null : async () => registry.render(await readGauges()),
    health,
    onError: (error) => log.error({ error }, "the metrics could not be read"),
  });
  return { health, metrics };
}
