import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import {
  AGGREGATIONS,
  ANOMALY_STATUSES,
  AnomalyRequest,
  anomalyField,
  DEFAULT_ANOMALY_LIMIT,
} from "./shapes/anomaly-filter.ts";
import {
  CLOUD_PROVIDERS,
  count,
  identifier,
  list,
  map,
  milliseconds,
  openEnum,
  openTokens,
  orNull,
  wrapInEnvelope,
} from "./shapes/fields.ts";
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

export const CRITICALITIES = ["CRITICAL", "MEDIUM", "LOW"] as const;
export const FEEDBACKS = ["TRUE_ANOMALY", "TRUE_EXPECTED_ANOMALY", "FALSE_ANOMALY", "NOT_RESPONDED"] as const;

/** The entities of an anomaly: one member for each list of the filter. */
export const ENTITY_MEMBERS = [
  "k8sClusterName",
  "k8sNamespace",
  "k8sWorkloadName",
  "k8sServiceName",
  "cloud3Project",
  "cloud3Product",
  "cloud3SKUDescription",
  "cloud1Account",
  "cloud1Service",
  "cloud1UsageType",
  "cloud2SubscriptionGuid",
  "cloud2ResourceGroup",
  "cloud2MeterCategory",
  "aiVendor1ProjectId",
  "aiVendor1Model",
  "aiVendor1UsageType",
  "aiVendor2ProjectId",
  "aiVendor2Model",
  "aiVendor2UsageType",
] as const;
export type EntityMember = (typeof ENTITY_MEMBERS)[number];

const acceptNothing = <S extends z.ZodType>(schema: S) => orNull(schema.nullable());
const text = acceptNothing(z.string());
const amount = acceptNothing(z.number());
const relative = text.describe("As people say it: `3 days ago`.");
const time = acceptNothing(z.int()).describe("Milliseconds since 1970.");

const createMemberSchema = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<Names[number], typeof text>; // made of these names

export const DailyBreakdown = z
  .object({
    date: milliseconds.describe("Start of the day, in milliseconds since 1970."),
    expectedSpend: z.number(),
    actualSpend: z.number(),
    unusualSpend: z.number(),
  })
  .meta({ id: "AnomalyDay" });

/** One anomaly, or one group of anomalies where the request asks for groups. */
const AnomalyData = z
  .object({
    id: text.describe("Null for a group."),
    time: time.describe("When it began, in milliseconds since 1970; null: not known."),
    endTime: time.describe("When it ended, in milliseconds since 1970; null: not yet, or not known."),
    anomalyRelativeTime: relative,
    actualAmount: amount.describe("In the account's currency, like every amount here."),
    expectedAmount: amount,
    anomalousSpend: amount.describe("What was spent beyond what was expected."),
    anomalousSpendPercentage: amount.describe(
      "Anomalous spend in percent of what was expected; null: nothing was.",
    ),
    resourceName: text,
    resourceInfo: text,
    entity: orNull(z.object(createMemberSchema(ENTITY_MEMBERS))).describe("What it is about."),
    details: text,
    status: acceptNothing(openEnum(ANOMALY_STATUSES)),
    statusRelativeTime: relative,
    comment: text,
    cloudProvider: acceptNothing(openTokens("cloud", CLOUD_PROVIDERS)),
    anomalyScore: amount,
    userFeedback: acceptNothing(openEnum(FEEDBACKS)),
    perspectiveId: text,
    perspectiveName: text,
    unitMetricName: text,
    criticality: acceptNothing(openEnum(CRITICALITIES)),
    duration: acceptNothing(z.int()).describe(
      "From its begin to its end, or until now while it goes on; in milliseconds.",
    ),
    ongoingAnomaly: acceptNothing(z.boolean()),
    expectedCostUpper: amount,
    expectedCostLower: amount,
    statusUpdatedBy: text.describe("Id of the token that set the status, or whom the import names."),
    statusUpdatedAt: time,
    statusUpdateRelativeTime: relative,
    dailyBreakdown: list(DailyBreakdown),
    alertedRecipients: list(z.string()),
    costPreferences: acceptNothing(map(z.unknown())),
    costCategoryDetails: list(z.object({ costCategory: z.string(), costBucket: text })),
    tags: map(z.string()),
    anomalyCount: count.optional().describe("Of a group: how many anomalies it holds."),
    aggregations: z
      .array(z.object({ operationType: openEnum(AGGREGATIONS), field: anomalyField, value: amount }))
      .optional()
      .describe("Of a group: what was asked for, in that order; null: no anomaly of the group has a value."),
  })
  .meta({ id: "Anomaly" });
export const Anomalies = list(AnomalyData);

const createMetricsSchema = (status: z.ZodType<string | null, (typeof ANOMALY_STATUSES)[number] | null>) =>
  z.object({ count, costImpact: z.number().describe("Sum of the anomalous spend."), status });

const Metrics = createMetricsSchema(openEnum(ANOMALY_STATUSES)).meta({ id: "AnomalyMetrics" });
/** Number and cost of the matching anomalies. */
const AnomalySummary = createMetricsSchema(
  acceptNothing(openEnum(ANOMALY_STATUSES)).describe(
    "The one status that the filter names; null: several, or none.",
  ),
).meta({ id: "AnomalySummary" });

/** Number and cost of the matching anomalies, by status. */
export const AnomalyOverview = z
  .object({
    active: Metrics,
    ignored: Metrics,
    archived: Metrics,
    resolved: Metrics,
    staleAnomalyCount: count.describe(
      "Active anomalies that neither began nor had their status set within the last `staleAnomalyThresholdDays`.",
    ),
    staleAnomalyThresholdDays: count,
  })
  .meta({ id: "AnomalyOverview" });

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
