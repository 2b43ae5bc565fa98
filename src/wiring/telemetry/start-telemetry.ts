import type { Logger } from "pino";
import { VERSION } from "../../package/version.ts";
import type { TelemetrySettings } from "../../settings/telemetry-settings.ts";
import { createTelemetry, type FinishedCall, type WorkTelemetry } from "../../telemetry/telemetry.ts";
import type { MetricRegistry } from "./metric-registry.ts";
import type { TraceExport } from "./trace-exporter.ts";

export interface RunningTelemetry {
  readonly telemetry: WorkTelemetry;
  /** Null: no metrics. */
  readonly registry: MetricRegistry | null;
  /** The log, whose lines name the work that they belong to. */
  readonly log: Logger;
  close(): Promise<void>;
}

/** Starts what the settings ask for; without any, only the log names its work. */
export async function startTelemetry(
  { metricsPort, metricsToken, tracesUrl }: TelemetrySettings,
  log: Logger,
  onCalled: (call: FinishedCall) => void = () => {},
): Promise<RunningTelemetry> {
  const isMeasured = metricsPort !== null || metricsToken !== null;
  const [registry, traces] = await Promise.all([
    isMeasured ? loadRegistry() : null,
    tracesUrl === null ? null : loadTraceExport(tracesUrl, log),
  ]);
  const telemetry = createTelemetry({ metrics: registry, tracer: traces?.tracer ?? null, onCalled });
  return {
    telemetry,
    registry,
    log: nameWork(log, telemetry),
    close: async () => {
      registry?.close();
      await traces?.close();
    },
  };
}

// Their libraries take tens of milliseconds and 20 MB each, so they are loaded only when they are used.

const loadRegistry = async (): Promise<MetricRegistry> =>
  (await import("./metric-registry.ts")).createMetricRegistry();

const loadTraceExport = async (url: string, log: Logger): Promise<TraceExport> =>
  (await import("./trace-exporter.ts")).startTraceExport(url, { version: VERSION, log });

/** A child of the log that adds the fields of the current work to each line; the line's own fields win. */
const nameWork = (log: Logger, telemetry: Pick<WorkTelemetry, "logFields">): Logger =>
  log.child({}, { formatters: { log: (fields) => ({ ...telemetry.logFields(), ...fields }) } });
