import { z } from "zod";
import { createTokenSchema } from "./fields.ts";
import { PerspectiveQuery } from "./perspective-filter.ts";
import { TimeFilters } from "./time-filter.ts";

export const ANOMALY_STATUSES = ["ACTIVE", "IGNORED", "ARCHIVED", "RESOLVED"] as const;
export const ANOMALY_VIEWS = ["RESOURCE", "COST_BUCKET", "UNIT_COST", "PERSPECTIVE"] as const;

/**
 * Fields that sort, group and aggregate a list of anomalies. Each dialect has its own names for a provider's
 * fields.
 */
const ANOMALY_FIELDS = [
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
  "CLUSTER_NAME",
  "NAMESPACE",
  "WORKLOAD",
  "SERVICE_NAME",
  "CLOUD_1_ACCOUNT",
  "CLOUD_1_SERVICE",
  "CLOUD_1_USAGE_TYPE",
  "CLOUD_2_SUBSCRIPTION_GUID",
  "CLOUD_2_RESOURCE_GROUP_NAME",
  "CLOUD_2_METER_CATEGORY",
  "CLOUD_3_PROJECT",
  "CLOUD_3_PRODUCT",
  "CLOUD_3_SKU_DESCRIPTION",
  "AI_VENDOR_1_PROJECT_ID",
  "AI_VENDOR_1_MODEL",
  "AI_VENDOR_1_USAGE_TYPE",
  "AI_VENDOR_2_PROJECT_ID",
  "AI_VENDOR_2_MODEL",
  "AI_VENDOR_2_USAGE_TYPE",
] as const;
export const anomalyField = createTokenSchema("anomalyField", ANOMALY_FIELDS);
export const AGGREGATIONS = ["SUM", "MAX", "MIN", "AVG", "COUNT"] as const;

const MAX_TAGS = 100;
const texts = z.array(z.string().min(1).max(1024)).max(1000).nullish();
const amount = z.number().nullish();

const STRING_ARRAYS = {
  k8sClusterNames: texts,
  k8sNamespaces: texts,
  k8sWorkloadNames: texts,
  k8sServiceNames: texts,
  cloud3Projects: texts,
  cloud3Products: texts,
  cloud3SKUDescriptions: texts,
  cloud1Accounts: texts,
  cloud1Services: texts,
  cloud1UsageTypes: texts,
  cloud2SubscriptionGuids: texts,
  cloud2ResourceGroups: texts,
  cloud2MeterCategories: texts,
  aiVendor1ProjectIds: texts,
  aiVendor1Models: texts,
  aiVendor1UsageTypes: texts,
  aiVendor2ProjectIds: texts,
  aiVendor2Models: texts,
  aiVendor2UsageTypes: texts,
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

/** Default number of entries of a list. */
export const DEFAULT_ANOMALY_LIMIT = 10;

/** Selects anomalies (cost management 2.7). Members that are absent, null or an empty list match everything. */
const AnomalyFilter = z
  .object({
    ...STRING_ARRAYS,
    minActualAmount: amount.describe("Actual cost of at least this much."),
    minAnomalousSpend: amount.describe("Anomalous spend of at least this much."),
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
