import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { parseQuery } from "./promql.ts";

const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
});

export const readAlerts = () =>
  Alerts.parse(parse(readFileSync("deploy/prometheus/alerts.yml", "utf8"))).groups.flatMap(
    ({ rules }) => rules,
  );

/** Every query of the dashboard and the alerts, with what asks it. */
export const readQueries = (): readonly { readonly from: string; readonly query: string }[] => [
  ...readAlerts().map(({ alert, expr }) => ({ from: alert, query: expr })),
  ...Dashboard.parse(JSON.parse(readFileSync("deploy/grafana/tollgate.json", "utf8"))).panels.flatMap(
    ({ title, targets }) => targets.map(({ expr }) => ({ from: title, query: expr })),
  ),
];

/** Series and labels that Prometheus adds. */
const OF_PROMETHEUS = { metrics: ["up"], labels: ["job", "instance"] };

/** What the queries ask for and no process has. `known`: the labels of each metric. */
export function listUnknownNames(known: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return readQueries().flatMap(({ from, query }) => {
    const { metrics, groups } = parseQuery(query);
    const ofGroups = groups.map((label) => ({ name: metrics[0]?.name ?? "", labels: [label] }));
    return [...metrics, ...ofGroups]
      .filter(({ name }) => !OF_PROMETHEUS.metrics.includes(name))
      .flatMap(({ name, labels }) => {
        const has = known.get(name);
        if (has === undefined) return [`${from}: no metric ${name}`];
        const missing = labels.filter((label) => !has.has(label) && !OF_PROMETHEUS.labels.includes(label));
        return missing.map((label) => `${from}: ${name} has no label ${label}`);
      });
  });
}
