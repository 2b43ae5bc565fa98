import { z } from "zod";
import { CLOUD_PROVIDERS, createTokenSchema } from "./fields.ts";
import { perspectiveFilters } from "./perspective-filter.ts";

/** The state of a recommendation. A call can set only `OPEN` and `APPLIED`. */
export const RECOMMENDATION_STATES = ["OPEN", "APPLIED", "IGNORED", "TEMPORARILY_IGNORED"] as const;

/** What was inferred of a recommendation's application. A call can set these only. */
export const INFERRED_STATUSES = [
  "INFERRED_PENDING_REVIEW",
  "INFERRED_APPLIED",
  "INFERRED_REJECTED",
] as const;

/** Whether the recommendation was applied, inferred or verified. */
export const VERIFICATION_STATUSES = [
  ...INFERRED_STATUSES,
  "MANUAL_PENDING_EVALUATION",
  "MANUAL_APPLIED_FETCHED",
] as const;

export const SORT_KEYS = ["MONTHLY_SAVING", "MONTHLY_COST", "APPLIED_AT", "RESOURCE_TYPE"] as const;

/** Upper limit of amounts per month. */
export const MAX_AMOUNT = 1e12;
const MAX_VALUES = 1000;

const words = z.array(z.string().max(1024)).max(MAX_VALUES).nullish();
const states = z.array(z.enum(RECOMMENDATION_STATES)).max(MAX_VALUES).nullish();
const amount = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT).nullish();
const toggle = z.boolean().nullish();
const time = z.int().nullish();
const cloud = createTokenSchema("cloud", CLOUD_PROVIDERS);

const K8s = z.object({
  ids: words,
  names: words,
  namespaces: words,
  clusterNames: words,
  resourceTypes: words,
  recommendationStates: states,
  cloudProvider: z
    .union([cloud, z.array(cloud).max(MAX_VALUES)])
    .nullish()
    .describe("One or several: the document names it among the lists."),
  regions: words,
});

const Base = z.object({
  id: words,
  cloudAccountId: words,
  cloudAccountName: words,
  resourceId: words,
  resourceName: words,
  region: words,
  resourceType: words,
  recommendationState: states,
  cloudProvider: z.array(cloud).max(MAX_VALUES).nullish(),
  appliedByUserName: words,
  verificationStatus: z.array(z.enum(VERIFICATION_STATUSES)).max(MAX_VALUES).nullish(),
  perspectiveId: words,
  appliedAtStartTime: time.describe("Applied at this time or later; milliseconds since 1970."),
  appliedAtEndTime: time.describe("Applied at this time or earlier; milliseconds since 1970."),
});

const SAVING =
  "The saving that counts is the overridden one where there is one, else the computed one; one that is not known is never above.";

/** Default number of items of a list. */
export const DEFAULT_RECOMMENDATION_LIMIT = 10;

/** Filter, order and page of recommendations (cost management 2.6). */
export const RecommendationFilter = z
  .object({
    k8sRecommendationFilterPropertiesDTO: K8s.nullish(),
    cloud1RecommendationFilterPropertiesDTO: z.object({ instanceType: words }).nullish(),
    cloud2RecommendationFilterProperties: z.object({ instanceType: words, resourceGroup: words }).nullish(),
    containerRecommendationFilterPropertiesDTO: z
      .object({ k8sClusterName: words, k8sNamespace: words, csClusterName: words, csLaunchType: words })
      .nullish(),
    governanceRecommendationFilterPropertiesDTO: z.object({ governanceRuleName: words }).nullish(),
    baseRecommendationFilterPropertiesDTO: Base.nullish(),
    perspectiveFilters: perspectiveFilters
      .nullish()
      .describe("Fields by the identifiers that `supported-filters` lists."),
    minSaving: amount.describe(`Only with a monthly saving above it. ${SAVING}`),
    minCost: amount.describe("Only with a monthly cost above it; one that is not known is never above."),
    daysBack: z
      .int()
      .min(0)
      .max(36_500)
      .nullish()
      .describe("Only those generated (last processed, else created) in the last so many times 24 hours."),
    offset: z.int().min(0).max(1_000_000_000).nullish().describe("How many to leave out; 0 when absent."),
    limit: z.int().min(1).max(1000).nullish().describe("At most so many, up to 1,000; 10 when absent."),
    sortBy: z.enum(SORT_KEYS).nullish().describe("`MONTHLY_SAVING` when absent."),
    sortOrder: z
      .enum(["ASCENDING", "DESCENDING"])
      .nullish()
      .describe("`DESCENDING` when absent. What has no value comes last in both; equal ones go by their id."),
    childRecommendation: toggle.describe(
      "Parts of another recommendation only (see `parentRecommendation`).",
    ),
    parentRecommendation: toggle.describe(
      "Those with parts only. With both toggles: those with parts, and parts. With neither: all that are not parts of another, so that no saving is listed twice.",
    ),
    includeIgnoredRecommendation: toggle.describe(
      "Ignored ones too. They are also there when a filter asks for their state by name.",
    ),
    tagDTOs: z
      .array(z.object({ key: z.string().max(256), value: z.string().max(1024) }))
      .max(100)
      .nullish()
      .describe("Each key must be there with one of the values given for it."),
    costCategoryDTOs: z
      .array(z.object({ costCategory: z.string().max(256), costBucket: z.string().max(1024) }))
      .max(100)
      .nullish()
      .describe("Each category must be there with one of the buckets given for it."),
    tags: z.record(z.string().max(256), z.string().max(1024)).nullish().describe("All of these tags."),
    filterType: z.enum(["CCMRecommendation"]).nullish(),
  })
  .meta({
    id: "RecommendationFilter",
    description:
      "Each member narrows; the values of a list are alternatives; an absent, null or empty member asks nothing.",
  });
export type RecommendationFilter = z.output<typeof RecommendationFilter>;
