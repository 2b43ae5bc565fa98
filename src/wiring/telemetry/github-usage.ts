import type { GitHubCall } from "../../github/client/result.ts";
import { type Clock, HOUR_MS } from "../../kernel/clock.ts";
import type { LabelsOf, MetricName } from "../../telemetry/metric-table.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";

/** GitHub's names of rate limits that get a series of their own. */
const RESOURCES: readonly string[] = ["core", "graphql", "search", "integration_manifest"];
/** GitHub's windows end after an hour, and with them what an installation had left. In ms. */
const WINDOW_MS = HOUR_MS;

interface Remaining {
  readonly resource: string;
  readonly remaining: number;
  readonly readMs: number;
}

export type GitHubUsage = ReturnType<typeof createGitHubUsage>;

/** Records calls of GitHub, and remembers what their headers say of rate limits. */
export function createGitHubUsage(telemetry: Telemetry, clock: Clock) {
  const remaining = new Map<string, Remaining>();
  const pausedUntilMs = new Map<number, number>();
  const forgetEnded = (nowMs: number) => {
    for (const [id, untilMs] of pausedUntilMs) if (untilMs <= nowMs) pausedUntilMs.delete(id);
  };
  return {
    /** Ids of the installations whose calls pause for a rate limit. */
    listPaused(): ReadonlySet<number> {
      forgetEnded(clock.monotonicMs());
      return new Set(pausedUntilMs.keys());
    },
    record({ route, outcome, seconds, installationId, rateLimit, pauseMs }: GitHubCall) {
      telemetry.count("tollgate_github_calls_total", { route, outcome });
      telemetry.observe("tollgate_github_call_seconds", seconds, { outcome });
      telemetry.called({ name: `GitHub ${route}`, outcome, seconds });
      const nowMs = clock.monotonicMs();
      if (rateLimit !== null) {
        const resource = RESOURCES.includes(rateLimit.resource) ? rateLimit.resource : "other";
        const left = { resource, remaining: rateLimit.remaining, readMs: nowMs };
        remaining.set(`${installationId} ${resource}`, left);
      }
      if (installationId !== null && pauseMs !== null) pausedUntilMs.set(installationId, nowMs + pauseMs);
    },
    readGauges(): readonly GaugeSample[] {
      const nowMs = clock.monotonicMs();
      for (const [key, { readMs }] of remaining) if (nowMs - readMs > WINDOW_MS) remaining.delete(key);
      forgetEnded(nowMs);
      const byResource = Map.groupBy(remaining.values(), ({ resource }) => resource);
      return [
        buildSample("tollgate_parked_installations", { reason: "rate_limit" }, pausedUntilMs.size),
        ...[...byResource].map(([resource, left]) =>
          buildSample(
            "tollgate_github_rate_limit_remaining",
            { resource },
            Math.min(...left.map((one) => one.remaining)),
          ),
        ),
      ];
    },
  };
}

/** A value that is read when somebody asks for the metrics. */
export interface GaugeSample {
  readonly name: MetricName<"gauge">;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Builds a sample whose labels are those of its metric. */
export const buildSample = <Name extends MetricName<"gauge">>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): GaugeSample => ({ name, labels, value });
