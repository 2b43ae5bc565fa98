import { z } from "zod";

const HTTP_URL = z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" });

/**
 * The variables of metrics and traces. OpenTelemetry's SDK reads its other variables itself. They are often set for all programs of a
 * machine, so only what would be used wrongly is refused.
 */
export const TELEMETRY_VARIABLES = {
  METRICS_PORT: z.coerce.number("must be a number").int().min(0).max(65_535).optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters that cannot be guessed").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: HTTP_URL.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: HTTP_URL.optional(),
  OTEL_TRACES_EXPORTER: z.string().default("otlp"),
  OTEL_SDK_DISABLED: z.string().default("false"),
};

const Variables = z.object(TELEMETRY_VARIABLES);

/** Which figures a process shows of itself; all of it is off unless the operator turns it on. */
export type TelemetrySettings = Readonly<ReturnType<typeof buildTelemetrySettings>>;

export function buildTelemetrySettings(variables: z.infer<typeof Variables>) {
  const { METRICS_PORT = null, METRICS_TOKEN = null, OTEL_TRACES_EXPORTER, OTEL_SDK_DISABLED } = variables;
  const isTraced =
    OTEL_TRACES_EXPORTER.split(",").includes("otlp") && OTEL_SDK_DISABLED.toLowerCase() !== "true";
  return {
    /** Port of its own for `/metrics` and the health routes; null: none. */
    metricsPort: METRICS_PORT,
    /** Bearer token that `/metrics` requires; with it and without a port, the main port serves `/metrics`. */
    metricsToken: METRICS_TOKEN,
    /** URL that spans are sent to; null: nothing is traced. */
    tracesUrl: isTraced ? findTracesUrl(variables) : null,
  };
}

/** By the specification, the endpoint of traces is used as it is, and the common one gets their path. */
function findTracesUrl(variables: z.infer<typeof Variables>): string | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: common, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = variables;
  if (own !== undefined) return own;
  return common === undefined ? null : `${common.replace(/\/+$/, "")}/v1/traces`;
}
