import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import {
  CLOUD_PROVIDERS,
  count,
  createIntegerText,
  createTokenSchema,
  identifier,
  list,
  map,
  milliseconds,
  nothing,
  openEnum,
  openTokens,
  optionalText,
  orNull,
  wrapInEnvelope,
} from "./shapes/fields.ts";
import { TOTAL_HEADERS } from "./shapes/pagination.ts";
import { perspectiveFilters } from "./shapes/perspective-filter.ts";

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

const SORT_KEYS = ["MONTHLY_SAVING", "MONTHLY_COST", "APPLIED_AT", "RESOURCE_TYPE"] as const;

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

const text = orNull(z.string().nullable());
const perMonth = orNull(z.number().nullable()).describe("Per month; null: not known, which is not zero.");
const shownTime = orNull(milliseconds.nullable()).describe("Milliseconds since 1970.");

/** A recommended saving in a list. Unknown members are null. */
export const Recommendation = z
  .object({
    id: z.string(),
    resourceType: z.string().describe("Kind of the resource in the platform's words, e.g. `WORKLOAD`."),
    clusterName: text,
    namespace: text,
    resourceName: text,
    resourceId: text.describe("The cloud's own identifier of the resource."),
    monthlySaving: perMonth,
    preferenceBasedSaving: perMonth,
    monthlyCost: perMonth,
    overriddenSavings: perMonth.describe(
      "Set by `override-savings`: counts instead of `monthlySaving` in filters, order and statistics.",
    ),
    isValid: orNull(z.boolean().nullable()),
    lastProcessedAt: shownTime,
    recommendationState: openEnum(RECOMMENDATION_STATES),
    verificationStatus: orNull(openEnum(VERIFICATION_STATUSES).nullable()),
    varianceNotes: text.describe("Also the comment given with `change-inference-status`."),
    recommendationDetails: orNull(z.record(z.string(), z.unknown()).nullable()),
    recommendationLink: text,
    perspectiveId: text,
    perspectiveName: text,
    cloudProvider: orNull(openTokens("cloud", CLOUD_PROVIDERS).nullable()),
    cloudAccountId: text,
    cloudAccountName: text,
    targetRegion: text,
    cloud2ResourceGroup: text,
    governanceRuleId: text,
    costType: text,
    appliedAt: shownTime,
    appliedAtSavings: perMonth.describe("The saving that applying it brought."),
    appliedByUserId: text,
    appliedByUserName: text,
    ignoreComments: text,
    ignoreUntil: shownTime,
    createdAt: shownTime,
    updatedAt: shownTime,
    costCategoryDetails: orNull(
      z.array(z.object({ costCategory: z.string(), costBucket: z.string() })).nullable(),
    ),
    tags: map(z.string()),
    jiraConnectorRef: text,
    jiraIssueKey: text,
    jiraStatus: text,
    servicenowConnectorRef: text,
    servicenowIssueKey: text,
    servicenowIssueStatus: text,
  })
  .meta({ id: "Recommendation" });
export type Recommendation = z.output<typeof Recommendation>;

const COST = {
  api: "cost",
  area: "recommendations",
  source: "cost management 4.2",
  status: 200,
} as const;

/** The result for one resource of the request. `ERROR` is written by services whose lookup of a single resource can fail. */
const MATCH_STATUSES = ["SUCCESS", "NO_RECOMMENDATIONS", "UNKNOWN_TYPE", "PARSE_ERROR", "ERROR"] as const;

const Resource = z.object({
  provider: z
    .string()
    .min(1)
    .max(512)
    .describe(
      "Provider of the code: its registry address (`registry.terraform.io/hashicorp/aws`) or short name (`aws`).",
    ),
  type: z.string().min(1).max(256).describe("Resource type of the code, e.g. `aws_instance`."),
  resourceId: z
    .string()
    .min(1)
    .max(2048)
    .describe("The cloud's own identifier: an ARN, a full resource id or path, or the short id."),
});

export const findIacRecommendations = declareEndpoint({
  ...COST,
  operation: "iacm",
  method: "POST",
  path: "/recommendation/overview/iacm",
  summary: "Recommendations for resources that infrastructure code manages",
  description:
    "One entry for each resource of the request, in its order. Parts of an identifier that both sides state (cloud, account, " +
    "region, path) must agree; a short id matches only recommendations of the resource's own kind.",
  source: "cost management 2.9, 4.2",
  body: z.object({
    resources: z.array(Resource).max(1000).describe("At most 1,000."),
    states: z
      .array(z.enum(RECOMMENDATION_STATES))
      .max(100)
      .nullish()
      .describe("Only recommendations in one of these states; absent or empty: all that are not ignored."),
  }),
  response: wrapInEnvelope(
    z.object({
      resources: list(
        z.object({
          provider: z.string(),
          type: z.string(),
          resourceId: z.string(),
          status: openEnum(MATCH_STATUSES),
          message: orNull(z.string().nullable()).describe(
            "Why there is none, for a person; null with `SUCCESS`.",
          ),
          recommendations: list(Recommendation),
        }),
      ),
    }),
  ),
});

/** An amount in a query: a number for the caller, at most 32 characters on the wire. */
const amountText: z.ZodType<number, number> = z.preprocess(
  (value) => (typeof value === "string" ? parseNumber(value) : value),
  z.number().min(0).max(MAX_AMOUNT),
) as z.ZodType<number, number>; // callers give numbers; only a server sees the text

const parseNumber = (text: string): unknown =>
  text.length <= 32 && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;

const one = { recommendationId: identifier };

export const FILTER_COLUMNS = ["name", "resourceType", "namespace", "clusterName"] as const;

/** Number of tags in an answer to a request that states no limit. */
const DEFAULT_TAG_LIMIT = 30;

/** Recommended savings (cost management 4.2), by the name that handlers use. */
export const recommendations = {
  getAppliedStats: declareEndpoint({
    ...COST,
    operation: "stats-applied",
    method: "POST",
    path: "/recommendation/overview/stats/applied",
    summary: "Applied recommendations by resource type, with their total saving",
    description:
      "Of what the filter finds, the recommendations in state `APPLIED`. Of each the saving at the time it was applied counts, " +
      "else the overridden one, else the computed one; the total is null where none of them is known.",
    body: RecommendationFilter,
    response: wrapInEnvelope(
      list(
        z.object({
          resourceType: z.string(),
          count,
          totalMonthlySaving: z.number().nullable().describe("Per month; the sum of those that are known."),
        }),
      ),
    ),
  }),
  changeInferenceStatus: declareEndpoint({
    ...COST,
    operation: "change-inference-status",
    method: "POST",
    path: "/recommendation/overview/change-inference-status",
    summary: "Say whether it was rightly inferred that a recommendation was applied",
    description:
      "Only of a recommendation whose status is an inferred one. The recommendation's state stays.",
    source: "cost management 2.9, 3, 4.2",
    body: z.object({
      recommendationId: identifier,
      verificationStatus: z.enum(INFERRED_STATUSES),
      comment: z.string().min(1).max(100).nullish().describe("1 to 100 characters; read as `varianceNotes`."),
    }),
    response: wrapInEnvelope(nothing),
  }),
  changeRecommendationState: declareEndpoint({
    ...COST,
    operation: "change-state",
    method: "POST",
    path: "/recommendation/overview/change-state",
    summary: "Mark a recommendation as applied or open",
    description:
      "Either state may follow either; an ignored recommendation is refused. Applying stores the saving: `appliedSavings`, else " +
      "the overridden or computed one. Applying again changes the saving only, if one is given. Opening forgets both.",
    source: "cost management 2.9, 3, 4.2",
    query: z.object({ ...one, state: z.enum(["OPEN", "APPLIED"]) }),
    body: z
      .object({
        appliedSavings: z
          .number()
          .min(0)
          .max(MAX_AMOUNT)
          .nullish()
          .describe("Saving per month that it brought."),
      })
      .optional(),
    response: wrapInEnvelope(nothing),
  }),
  countRecommendations: declareEndpoint({
    ...COST,
    operation: "count",
    method: "POST",
    path: "/recommendation/overview/count",
    summary: "How many recommendations a filter finds",
    description: "`offset`, `limit` and the order do not matter.",
    body: RecommendationFilter,
    response: wrapInEnvelope(count),
  }),
  listFilterValues: declareEndpoint({
    ...COST,
    operation: "filter-values",
    method: "POST",
    path: "/recommendation/overview/filter-values",
    summary: "The values that columns have among the recommendations a filter finds",
    description: "In order of the alphabet, at most 10,000 of a column. `offset` and `limit` do not matter.",
    source: "cost management 2.9, 4.2",
    body: z.object({
      columns: z.array(z.enum(FILTER_COLUMNS)).max(100),
      filter: RecommendationFilter.nullish(),
    }),
    response: wrapInEnvelope(list(z.object({ key: z.string(), values: list(z.string()) }))),
  }),
  listSupportedFilters: declareEndpoint({
    ...COST,
    operation: "supported-filters",
    method: "GET",
    path: "/recommendation/overview/supported-filters",
    summary: "Identifiers of the fields that perspective filters may name",
    response: wrapInEnvelope(list(z.string())),
  }),
  findIacRecommendations,
  listRecommendations: declareEndpoint({
    ...COST,
    operation: "list",
    method: "POST",
    path: "/recommendation/overview/list",
    summary: "Recommendations, highest monthly saving first",
    body: RecommendationFilter,
    response: wrapInEnvelope(z.object({ items: list(Recommendation), offset: count, limit: count })),
    pagination: {
      ask: {
        by: "offset",
        in: "body",
        offset: ["offset"],
        limit: ["limit"],
        defaultLimit: DEFAULT_RECOMMENDATION_LIMIT,
      },
      items: ["data", "items"],
      total: TOTAL_HEADERS,
    },
  }),
  overrideSavings: declareEndpoint({
    ...COST,
    operation: "override-savings",
    method: "PUT",
    path: "/recommendation/overview/override-savings",
    summary: "Set the saving per month that counts instead of the computed one",
    query: z.object({ ...one, overriddenSavings: amountText }),
    response: wrapInEnvelope(orNull(z.boolean())),
  }),
  getRecommendationTags: declareEndpoint({
    ...COST,
    operation: "tags",
    method: "GET",
    path: "/recommendation/tags",
    summary: "Tags of a recommendation",
    query: z.object({ recommendationId: identifier }),
    response: wrapInEnvelope(
      z.object({ recommendationId: z.string(), tags: z.record(z.string(), z.string()) }),
    ),
  }),
  listTagFilterPanel: declareEndpoint({
    ...COST,
    operation: "tags-filter-panel",
    method: "GET",
    path: "/recommendation/tags/filter-panel",
    summary: "Tag keys of all recommendations, or the values of one key",
    query: z.object({
      tagKey: optionalText(256, "List the values of this key instead of keys."),
      search: optionalText(256, "Only those that contain it, in upper or lower case."),
      limit: createIntegerText(1, 100).default(DEFAULT_TAG_LIMIT).describe("1 to 100, default 30."),
      offset: createIntegerText(0, 2_147_483_647).default(0),
    }),
    response: wrapInEnvelope(list(z.string())),
    pagination: {
      ask: {
        by: "offset",
        in: "query",
        offset: ["offset"],
        limit: ["limit"],
        defaultLimit: DEFAULT_TAG_LIMIT,
      },
      items: ["data"],
      total: TOTAL_HEADERS,
    },
  }),
} as const;
