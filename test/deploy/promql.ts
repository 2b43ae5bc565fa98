import { parser } from "@prometheus-io/lezer-promql";

/** What a query reads of one metric. */
export interface SelectedMetric {
  readonly name: string;
  /** Labels that it matches by. */
  readonly labels: readonly string[];
}

export interface ParsedQuery {
  /** False: the text is no PromQL. */
  readonly isValid: boolean;
  readonly metrics: readonly SelectedMetric[];
  /** Labels that it groups by. */
  readonly groups: readonly string[];
}

/** Grafana puts durations and values here before it asks. */
const fillIn = (query: string): string => query.replaceAll("$__rate_interval", "5m").replaceAll("$job", "x");

const isGroup = (parent: string | undefined): boolean => parent === "GroupingLabels";

/** Reads a query with the grammar that Prometheus' own pages use. */
export function parseQuery(text: string): ParsedQuery {
  const query = fillIn(text);
  const metrics: { name: string; labels: string[] }[] = [];
  const groups: string[] = [];
  let isValid = true;
  parser.parse(query).iterate({
    enter: ({ name, type, from, to, node }) => {
      const word = query.slice(from, to);
      isValid &&= !type.isError;
      if (name === "VectorSelector") metrics.push({ name: "", labels: [] });
      const metric = metrics.at(-1) ?? { name: "", labels: [] };
      if (name === "Identifier") metric.name = word;
      if (name === "LabelName") (isGroup(node.parent?.name) ? groups : metric.labels).push(word);
    },
  });
  return { isValid, metrics, groups };
}
