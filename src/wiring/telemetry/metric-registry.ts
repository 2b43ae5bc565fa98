import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { METRICS } from "../../telemetry/metric-table.ts";
import type { MetricRecorder } from "../../telemetry/telemetry.ts";
import type { MetricText } from "../../web/metrics.ts";
import type { GaugeSample } from "./github-usage.ts";

export interface MetricRegistry extends MetricRecorder {
  /** The text that Prometheus scrapes, with these gauges. */
  render(samples: readonly GaugeSample[]): Promise<MetricText>;
  close(): void;
}

/** Most series of one metric. Labels have small sets of values; if one has not, memory stays bounded. */
const MAX_SERIES = 500;
/** The value of every label of the series for what is beyond `MAX_SERIES`. */
const OTHER = "other";

/** Makes a registry of its own with every metric of the table, and with those of Node. */
export function createMetricRegistry(): MetricRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const [name, row] of Object.entries(METRICS)) {
    const settings = { name, help: row.help, labelNames: [...row.labels], registers: [registry] };
    if (row.kind === "counter") counters.set(name, new Counter(settings));
    if (row.kind === "gauge") gauges.set(name, new Gauge(settings));
    if (row.kind === "histogram")
      histograms.set(name, new Histogram({ ...settings, buckets: [...row.buckets] }));
  }
  const bound = createSeriesBound();
  return {
    count: (name, labels) => counters.get(name)?.inc(bound(name, labels)),
    observe: (name, seconds, labels) => histograms.get(name)?.observe(bound(name, labels), seconds),
    render: async (samples) => {
      for (const gauge of gauges.values()) gauge.reset();
      for (const { name, labels, value } of samples) gauges.get(name)?.set(labels, value);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
}

type Labels = Readonly<Record<string, string>>;

/** Returns the labels while their metric has few series, else the same labels with `other`. */
function createSeriesBound(): (name: string, labels: Labels) => Labels {
  const seen = new Map<string, Set<string>>();
  return (name, labels) => {
    const series = seen.get(name) ?? new Set();
    seen.set(name, series);
    const key = Object.values(labels).join("\n");
    if (series.has(key)) return labels;
    if (series.size >= MAX_SERIES)
      return Object.fromEntries(Object.keys(labels).map((label) => [label, OTHER]));
    series.add(key);
    return labels;
  };
}
