interface MetricRow {
  readonly kind: "counter" | "histogram" | "gauge";
  readonly help: string;
  /** No label has names of people, repositories or installations as values. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

/** Upper bounds for single calls and queries. */
const SHORT = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
/** Upper bounds for what people wait for. */
const LONG = [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 1_800];

/** Every metric of Tollgate itself. Node's own (`process_…`, `nodejs_…`) come with the library. */
export const METRICS = {
  tollgate_deliveries_total: {
    kind: "counter",
    help: "Webhook deliveries by event and outcome; what was not verified has the event `unverified`.",
    labels: ["event", "outcome"],
  },
  tollgate_evaluations_total: {
    kind: "counter",
    help: "Evaluations of pull requests by verdict and by the cause of the check's state.",
    labels: ["verdict", "cause"],
  },
  tollgate_evaluation_seconds: {
    kind: "histogram",
    help: "Time of one evaluation, from its start to its published check.",
    labels: [],
    buckets: LONG,
  },
  tollgate_delivery_to_check_seconds: {
    kind: "histogram",
    help: "Time from a delivery to the check that shows it, by the check's status.",
    labels: ["check"],
    buckets: LONG,
  },
  tollgate_github_calls_total: {
    kind: "counter",
    help: "Calls of GitHub's API by route and outcome.",
    labels: ["route", "outcome"],
  },
  tollgate_github_call_seconds: {
    kind: "histogram",
    help: "Time of calls of GitHub's API, without their wait for a turn.",
    labels: ["outcome"],
    buckets: SHORT,
  },
  tollgate_github_rate_limit_remaining: {
    kind: "gauge",
    help: "Calls left in GitHub's current window, of the installation that has the fewest.",
    labels: ["resource"],
  },
  tollgate_parked_installations: {
    kind: "gauge",
    help: "Installations that are not served now: after a rate limit (this process), or suspended (all).",
    labels: ["reason"],
  },
  tollgate_platform_calls_total: {
    kind: "counter",
    help: "Calls of the platform's API by operation and outcome.",
    labels: ["operation", "outcome"],
  },
  tollgate_platform_call_seconds: {
    kind: "histogram",
    help: "Time of calls of the platform's API with their retries.",
    labels: ["outcome"],
    buckets: SHORT,
  },
  tollgate_notifications_total: {
    kind: "counter",
    help: "Messages to targets of notifications by the target's kind and outcome: sent, retried (it is sent again), failed (given up).",
    labels: ["target_kind", "outcome"],
  },
  tollgate_database_query_seconds: {
    kind: "histogram",
    help: "Time of the database's queries, without the queue's own.",
    labels: [],
    buckets: SHORT,
  },
  tollgate_queue_jobs: {
    kind: "gauge",
    help: "Jobs by queue and state: due, scheduled (a later time), active. Of all processes.",
    labels: ["queue", "state"],
  },
  tollgate_queue_oldest_due_seconds: {
    kind: "gauge",
    help: "How long the oldest due job of a queue waits. Of all processes.",
    labels: ["queue"],
  },
  tollgate_part_ok: {
    kind: "gauge",
    help: "The parts that /readyz examines: 1 works, 0 failed.",
    labels: ["part"],
  },
  tollgate_build_info: {
    kind: "gauge",
    help: "Always 1; version of Tollgate, of Node, and the kind of database.",
    labels: ["version", "node", "database"],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

type Table = typeof METRICS;

export type MetricName<Kind extends MetricRow["kind"] = MetricRow["kind"]> = {
  [Name in keyof Table]: Table[Name]["kind"] extends Kind ? Name : never;
}[keyof Table];

/** The labels of a metric, each with a value of a small set. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<Table[Name]["labels"][number], string>>;
