import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { Anomalies, AnomalyOverview, AnomalySummary, FEEDBACKS } from "./shapes/anomaly.ts";
import { ANOMALY_STATUSES, AnomalyRequest, DEFAULT_ANOMALY_LIMIT } from "./shapes/anomaly-filter.ts";
import { wrapInEnvelope } from "./shapes/cost-envelope.ts";
import { identifier, map, orNull } from "./shapes/fields.ts";
import { TOTAL_HEADERS } from "./shapes/pagination.ts";

const COMMON = { api: "cost", area: "anomalies", status: 200, errors: [400, 500] } as const;
const QUESTION = {
  ...COMMON,
  method: "POST",
  source: "cost management 2.7 and 4.3",
  body: AnomalyRequest,
} as const;
const UPDATE = {
  ...COMMON,
  method: "PUT",
  source: "cost management 3 and 4.3",
  response: wrapInEnvelope(orNull(z.boolean())),
} as const;

const anomalyId = identifier.optional().describe("Which anomaly; an unknown one is `RESOURCE_NOT_FOUND`.");

const listAnomalies = declareEndpoint({
  ...QUESTION,
  operation: "list",
  path: "/anomaly/v2/list",
  summary: "List anomalies",
  description:
    "Newest first unless ordered otherwise, 10 unless `limit` says otherwise. With `groupBy` or `aggregations` each entry is a group: it has the members that it is grouped by, `anomalyCount` and `aggregations`.",
  response: wrapInEnvelope(Anomalies),
  pagination: {
    ask: {
      by: "offset",
      in: "body",
      offset: ["anomalyFilterPropertiesDTO", "offset"],
      limit: ["anomalyFilterPropertiesDTO", "limit"],
      defaultLimit: DEFAULT_ANOMALY_LIMIT,
    },
    items: ["data"],
    total: TOTAL_HEADERS,
  },
});

const getAnomalyMetrics = declareEndpoint({
  ...QUESTION,
  operation: "metrics",
  path: "/anomaly/v2/metrics",
  summary: "Count and cost impact of anomalies by status",
  response: wrapInEnvelope(AnomalyOverview),
});

const getAnomalySummary = declareEndpoint({
  ...QUESTION,
  operation: "summary",
  path: "/anomaly/v2/summary",
  summary: "Count and cost impact of all anomalies that fit",
  response: wrapInEnvelope(AnomalySummary),
});

const getAnomalyTimeSeries = declareEndpoint({
  ...QUESTION,
  operation: "metrics-time-series",
  path: "/anomaly/v2/metrics/time-series",
  summary: "Count and cost impact of anomalies by day and status",
  description:
    "Keyed by the start of each day in UTC, as milliseconds since 1970. Days on which no anomaly began are left out, and so are anomalies whose time is not known.",
  response: wrapInEnvelope(map(AnomalyOverview)),
});

const getMeanResolutionTime = declareEndpoint({
  ...QUESTION,
  operation: "mean-resolution-time",
  path: "/anomaly/v2/mean-resolution-time",
  summary: "How long anomalies took to be resolved, on average",
  description:
    "Milliseconds from an anomaly's begin until its status became `RESOLVED`, over the resolved ones among those that fit. Null: none was, or of none both times are known.",
  response: wrapInEnvelope(orNull(z.number().nullable())),
});

const updateAnomalyFeedback = declareEndpoint({
  ...UPDATE,
  operation: "update-feedback",
  path: "/anomaly/v2/update/feedback",
  summary: "Say whether an anomaly was one",
  description: "Both parameters are needed, although the platform's documents call them optional.",
  query: z.object({ anomalyId, feedback: z.enum(FEEDBACKS).optional() }),
});

const updateAnomalyStatus = declareEndpoint({
  ...UPDATE,
  operation: "update-status",
  path: "/anomaly/v2/update/status",
  summary: "Set the status of an anomaly",
  description:
    "Any status can follow any other; the one that it has already changes nothing. Both parameters are needed, although the platform's documents call them optional.",
  query: z.object({ anomalyId, status: z.enum(ANOMALY_STATUSES).optional() }),
});

/** Cost anomalies (cost management 4.3). */
export const anomalies = {
  listAnomalies,
  getAnomalyMetrics,
  getAnomalySummary,
  getAnomalyTimeSeries,
  getMeanResolutionTime,
  updateAnomalyFeedback,
  updateAnomalyStatus,
} as const satisfies Contract;
