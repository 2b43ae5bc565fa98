import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import {
  CLOUD_PROVIDERS,
  count,
  createTokenSchema,
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
import { PerspectiveQuery } from "./shapes/perspective-filter.ts";
import { TimeFilters } from "./shapes/time-filter.ts";

export const ANOMALY_STATUSES = ["ACTIVE", "IGNORED", "ARCHIVED", "RESOLVED"] as const;
export const ANOMALY_VIEWS = ["RESOURCE", "COST_BUCKET", "UNIT_COST", "PERSPECTIVE"] as const;

/** What an anomaly is about: the member of its `entity`, the list of the filter, and the field that sorts, groups and aggregates. */
export const ENTITIES = [
  { member: "k8sClusterName", list: "k8sClusterNames", field: "CLUSTER_NAME" },
  { member: "k8sNamespace", list: "k8sNamespaces", field: "NAMESPACE" },
  { member: "k8sWorkloadName", list: "k8sWorkloadNames", field: "WORKLOAD" },
  { member: "k8sServiceName", list: "k8sServiceNames", field: "SERVICE_NAME" },
  { member: "cloud3Project", list: "cloud3Projects", field: "CLOUD_3_PROJECT" },
  { member: "cloud3Product", list: "cloud3Products", field: "CLOUD_3_PRODUCT" },
  { member: "cloud3SKUDescription", list: "cloud3SKUDescriptions", field: "CLOUD_3_SKU_DESCRIPTION" },
  { member: "cloud1Account", list: "cloud1Accounts", field: "CLOUD_1_ACCOUNT" },
  { member: "cloud1Service", list: "cloud1Services", field: "CLOUD_1_SERVICE" },
  { member: "cloud1UsageType", list: "cloud1UsageTypes", field: "CLOUD_1_USAGE_TYPE" },
  { member: "cloud2SubscriptionGuid", list: "cloud2SubscriptionGuids", field: "CLOUD_2_SUBSCRIPTION_GUID" },
  { member: "cloud2ResourceGroup", list: "cloud2ResourceGroups", field: "CLOUD_2_RESOURCE_GROUP_NAME" },
  { member: "cloud2MeterCategory", list: "cloud2MeterCategories", field: "CLOUD_2_METER_CATEGORY" },
  { member: "aiVendor1ProjectId", list: "aiVendor1ProjectIds", field: "AI_VENDOR_1_PROJECT_ID" },
  { member: "aiVendor1Model", list: "aiVendor1Models", field: "AI_VENDOR_1_MODEL" },
  { member: "aiVendor1UsageType", list: "aiVendor1UsageTypes", field: "AI_VENDOR_1_USAGE_TYPE" },
  { member: "aiVendor2ProjectId", list: "aiVendor2ProjectIds", field: "AI_VENDOR_2_PROJECT_ID" },
  { member: "aiVendor2Model", list: "aiVendor2Models", field: "AI_VENDOR_2_MODEL" },
  { member: "aiVendor2UsageType", list: "aiVendor2UsageTypes", field: "AI_VENDOR_2_USAGE_TYPE" },
] as const;
type Entity = (typeof ENTITIES)[number];
export type EntityMember = Entity["member"];

/** Creates the schema of an anomaly's `entity`, of which each member is a `text`. */
export const createEntitySchema = <S extends z.ZodType>(text: S) =>
  z.object(
    Object.fromEntries(ENTITIES.map(({ member }) => [member, text])) as Record<EntityMember, S>, // made of these names
  );

/** Fields that sort, group and aggregate a list of anomalies. Each dialect has its own names for a provider's fields. */
export const anomalyField = createTokenSchema("anomalyField", [
  "ANOMALY_ID",
  "ANOMALY_TIME",
  "ACTUAL_COST",
  "EXPECTED_COST",
  "ANOMALOUS_SPEND",
  "STATUS",
  "CRITICALITY",
  "CLOUD_PROVIDER",
  "RESOURCE_NAME",
  "PERSPECTIVE_ID",
  "PERSPECTIVE_NAME",
  "UNIT_METRIC_NAME",
  ...ENTITIES.map(({ field }) => field),
]);
const AGGREGATIONS = ["SUM", "MAX", "MIN", "AVG", "COUNT"] as const;

const MAX_TAGS = 100;
const texts = z.array(z.string().min(1).max(1024)).max(1000).nullish();
const leastAmount = z.number().nullish();

const STRING_ARRAYS = {
  // Made of these names.
  ...(Object.fromEntries(ENTITIES.map(({ list: name }) => [name, texts])) as Record<
    Entity["list"],
    typeof texts
  >),
  searchText: texts.describe(
    "Part of the id, a name, the details or any other text of the anomaly, in any case by Unicode's rules.",
  ),
  anomalyIds: texts,
  costCategories: texts.describe("Names of cost categories that the anomaly falls into, in whatever bucket."),
  perspectiveIds: texts,
  unitMetricNames: texts,
};

const SHAPING = {
  orderBy: z
    .array(z.object({ field: anomalyField, order: z.enum(["ASCENDING", "DESCENDING"]).default("ASCENDING") }))
    .max(10)
    .nullish()
    .describe(
      "The first counts most. What has no value comes last, and the id decides in the end. Without it: newest first. A list in groups can be ordered by what it is grouped by or aggregates.",
    ),
  groupBy: z
    .array(z.object({ groupByField: anomalyField }))
    .max(10)
    .nullish()
    .describe(
      "One entry for each combination of values instead of one for each anomaly. Shapes the list only.",
    ),
  aggregations: z
    .array(z.object({ operationType: z.enum(AGGREGATIONS), field: anomalyField }))
    .max(10)
    .nullish()
    .describe(
      "Computed for each group; without `groupBy` over everything. `COUNT` takes every field and counts the anomalies that have it, the others take amounts only. Shapes the list only.",
    ),
  offset: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .nullish()
    .describe("Entries to leave out; 0 when absent. Shapes the list only."),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .nullish()
    .describe("Entries to return; 10 when absent, at most 1000. Shapes the list only."),
};

export const DEFAULT_ANOMALY_LIMIT = 10;

/** Selects anomalies (cost management 2.7). Members that are absent, null or an empty list match everything. */
const AnomalyFilter = z
  .object({
    ...STRING_ARRAYS,
    minActualAmount: leastAmount.describe("Actual cost of at least this much."),
    minAnomalousSpend: leastAmount.describe("Anomalous spend of at least this much."),
    timeFilters: TimeFilters.nullish().describe("On the time at which the anomaly began; all must hold."),
    ...SHAPING,
    status: z.array(z.enum(ANOMALY_STATUSES)).max(20).nullish(),
    costCategoryDTOs: z
      .array(
        z.object({ costCategory: z.string().min(1).max(1024), costBucket: z.string().max(1024).nullish() }),
      )
      .max(1000)
      .nullish()
      .describe("Falls into one of these buckets; without `costBucket` into any bucket of the category."),
    anomalyView: z.enum(ANOMALY_VIEWS).nullish().describe("What the anomaly was found in."),
    tags: z
      .record(z.string().max(1024), z.string().max(1024))
      .refine((tags) => Object.keys(tags).length <= MAX_TAGS, `has more than ${MAX_TAGS} tags`)
      .meta({ maxProperties: MAX_TAGS })
      .nullish()
      .describe("Has all of these tags; at most 100."),
    filterType: z.literal("Anomaly").nullish(),
  })
  .describe(
    "An anomaly fits when it fits every member; it fits a list when it fits one of its values. Lists hold up to 1000 texts of up to 1024 characters.",
  )
  .meta({ id: "AnomalyFilter" });
export type AnomalyFilter = z.output<typeof AnomalyFilter>;

/** Body of every query of anomalies (cost management 2.7). */
export const AnomalyRequest = z
  .object({
    anomalyFilterPropertiesDTO: AnomalyFilter.nullish(),
    perspectiveQueryDTO: PerspectiveQuery.nullish().describe(
      "Only anomalies that fit all of its filters. How a perspective groups its chart changes nothing here.",
    ),
    showWhitelistedAnomalies: z
      .boolean()
      .nullish()
      .describe("Also those that were allow-listed; they are hidden otherwise."),
  })
  .meta({ id: "AnomalyRequest" });
export type AnomalyRequest = z.output<typeof AnomalyRequest>;

const COMMON = { api: "cost", area: "anomalies", status: 200 } as const;
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

const acceptNothing = <S extends z.ZodType>(schema: S) => orNull(schema.nullable());
const text = acceptNothing(z.string());
const amount = acceptNothing(z.number());
const relative = text.describe("As people say it: `3 days ago`.");
const time = acceptNothing(z.int()).describe("Milliseconds since 1970.");

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
    entity: orNull(createEntitySchema(text)).describe("What it is about."),
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

/** Cost anomalies (cost management 4.3). */
export const anomalies = {
  listAnomalies: declareEndpoint({
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
  }),
  getAnomalyMetrics: declareEndpoint({
    ...QUESTION,
    operation: "metrics",
    path: "/anomaly/v2/metrics",
    summary: "Count and cost impact of anomalies by status",
    response: wrapInEnvelope(AnomalyOverview),
  }),
  getAnomalySummary: declareEndpoint({
    ...QUESTION,
    operation: "summary",
    path: "/anomaly/v2/summary",
    summary: "Count and cost impact of all anomalies that fit",
    response: wrapInEnvelope(AnomalySummary),
  }),
  getAnomalyTimeSeries: declareEndpoint({
    ...QUESTION,
    operation: "metrics-time-series",
    path: "/anomaly/v2/metrics/time-series",
    summary: "Count and cost impact of anomalies by day and status",
    description:
      "Keyed by the start of each day in UTC, as milliseconds since 1970. Days on which no anomaly began are left out, and so are anomalies whose time is not known.",
    response: wrapInEnvelope(map(AnomalyOverview)),
  }),
  getMeanResolutionTime: declareEndpoint({
    ...QUESTION,
    operation: "mean-resolution-time",
    path: "/anomaly/v2/mean-resolution-time",
    summary: "How long anomalies took to be resolved, on average",
    description:
      "Milliseconds from an anomaly's begin until its status became `RESOLVED`, over the resolved ones among those that fit. Null: none was, or of none both times are known.",
    response: wrapInEnvelope(orNull(z.number().nullable())),
  }),
  updateAnomalyFeedback: declareEndpoint({
    ...UPDATE,
    operation: "update-feedback",
    path: "/anomaly/v2/update/feedback",
    summary: "Say whether an anomaly was one",
    description: "Both parameters are needed, although the platform's documents call them optional.",
    query: z.object({ anomalyId, feedback: z.enum(FEEDBACKS).optional() }),
  }),
  updateAnomalyStatus: declareEndpoint({
    ...UPDATE,
    operation: "update-status",
    path: "/anomaly/v2/update/status",
    summary: "Set the status of an anomaly",
    description:
      "Any status can follow any other; the one that it has already changes nothing. Both parameters are needed, although the platform's documents call them optional.",
    query: z.object({ anomalyId, status: z.enum(ANOMALY_STATUSES).optional() }),
  }),
} as const satisfies Contract;
