import { describe, expect, it } from "vitest";
import { type Environment, readSettings } from "../../src/settings/read.ts";

const telemetryOf = (environment: Environment) => readSettings(environment).telemetry;

describe("metrics and traces", () => {
  it("are off without a setting of theirs", () => {
    expect(telemetryOf({})).toEqual({ metricsPort: null, metricsToken: null, tracesUrl: null });
  });

  it.each<[Environment, string | null]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318" }, "http://otel:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318/base/" }, "http://otel:4318/base/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://otel:4318/own" }, "http://otel:4318/own"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", OTEL_TRACES_EXPORTER: "none" }, null],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", OTEL_TRACES_EXPORTER: "console,otlp" },
      "http://otel:4318/v1/traces",
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", OTEL_SDK_DISABLED: "TRUE" }, null],
  ])("%j: spans go to %s, as OpenTelemetry's specification says", (environment, url) => {
    expect(telemetryOf(environment)?.tracesUrl).toBe(url);
  });

  it.each<[Environment, RegExp]>([
    [{ METRICS_TOKEN: "short" }, /METRICS_TOKEN: must have at least 16 characters/],
    [{ METRICS_PORT: "x" }, /METRICS_PORT: must be a number/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "otel:4318" }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL/],
  ])("%j is refused", (environment, problem) => {
    expect(() => readSettings(environment)).toThrowError(problem);
  });
});
