import { z } from "zod";
import { findIacRecommendations } from "./code-recommendations.ts";
import { declareEndpoint } from "./endpoint.ts";
import {
  count,
  createIntegerText,
  identifier,
  list,
  nothing,
  orNull,
  wrapInEnvelope,
} from "./shapes/fields.ts";
import { TOTAL_HEADERS } from "./shapes/pagination.ts";
import {
  DEFAULT_RECOMMENDATION_LIMIT,
  INFERRED_STATUSES,
  MAX_AMOUNT,
  RecommendationFilter,
} from "./shapes/recommendation-filter.ts";
import { Recommendation } from "./shapes/recommendation-item.ts";

const COST = { api: "cost", area: "recommendations", status: 200, errors: [400, 500] } as const;

/** An amount in a query: a number for the caller, at most 32 characters on the wire. */
const amountText: z.ZodType<number, number> = z.preprocess(
  (value) => (typeof value === "string" ? parseNumber(value) : value),
  z.number().min(0).max(MAX_AMOUNT),
) as z.ZodType<number, number>; // callers give numbers; only a server sees the text

const parseNumber = (text: string): unknown =>
  text.length <= 32 && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;

const one = { recommendationId: identifier };

export const listRecommendations = declareEndpoint({
  ...COST,
  operation: "list",
  method: "POST",
  path: "/recommendation/overview/list",
  summary: "Recommendations, highest monthly saving first",
  source: "cost management 4.2",
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
});

export const countRecommendations = declareEndpoint({
  ...COST,
  operation: "count",
  method: "POST",
  path: "/recommendation/overview/count",
  summary: "How many recommendations a filter finds",
  description: "`offset`, `limit` and the order do not matter.",
  source: "cost management 4.2",
  body: RecommendationFilter,
  response: wrapInEnvelope(count),
});

export const getAppliedStats = declareEndpoint({
  ...COST,
  operation: "stats-applied",
  method: "POST",
  path: "/recommendation/overview/stats/applied",
  summary: "Applied recommendations by resource type, with their total saving",
  description:
    "Of what the filter finds, the recommendations in state `APPLIED`. Of each the saving at the time it was applied counts, " +
    "else the overridden one, else the computed one; the total is null where none of them is known.",
  source: "cost management 4.2",
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
});

export const FILTER_COLUMNS = ["name", "resourceType", "namespace", "clusterName"] as const;

export const listFilterValues = declareEndpoint({
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
});

export const listSupportedFilters = declareEndpoint({
  ...COST,
  operation: "supported-filters",
  method: "GET",
  path: "/recommendation/overview/supported-filters",
  summary: "Identifiers of the fields that perspective filters may name",
  source: "cost management 4.2",
  response: wrapInEnvelope(list(z.string())),
});

export const changeRecommendationState = declareEndpoint({
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
});

export const changeInferenceStatus = declareEndpoint({
  ...COST,
  operation: "change-inference-status",
  method: "POST",
  path: "/recommendation/overview/change-inference-status",
  summary: "Say whether it was rightly inferred that a recommendation was applied",
  description: "Only of a recommendation whose status is an inferred one. The recommendation's state stays.",
  source: "cost management 2.9, 3, 4.2",
  body: z.object({
    recommendationId: identifier,
    verificationStatus: z.enum(INFERRED_STATUSES),
    comment: z.string().min(1).max(100).nullish().describe("1 to 100 characters; read as `varianceNotes`."),
  }),
  response: wrapInEnvelope(nothing),
});

export const overrideSavings = declareEndpoint({
  ...COST,
  operation: "override-savings",
  method: "PUT",
  path: "/recommendation/overview/override-savings",
  summary: "Set the saving per month that counts instead of the computed one",
  source: "cost management 4.2",
  query: z.object({ ...one, overriddenSavings: amountText }),
  response: wrapInEnvelope(orNull(z.boolean())),
});

const TAG_COST = { api: "cost", area: "recommendations", status: 200, errors: [400, 500] } as const;
/** Document 1, section 8. */
const DEFAULT_TAG_LIMIT = 30;

const getRecommendationTags = declareEndpoint({
  ...TAG_COST,
  operation: "tags",
  method: "GET",
  path: "/recommendation/tags",
  summary: "Tags of a recommendation",
  source: "cost management 4.2",
  query: z.object({ recommendationId: identifier }),
  response: wrapInEnvelope(
    z.object({ recommendationId: z.string(), tags: z.record(z.string(), z.string()) }),
  ),
});

const listTagFilterPanel = declareEndpoint({
  ...TAG_COST,
  operation: "tags-filter-panel",
  method: "GET",
  path: "/recommendation/tags/filter-panel",
  summary: "Tag keys of all recommendations, or the values of one key",
  source: "cost management 4.2",
  query: z.object({
    tagKey: z.string().max(256).optional().describe("List the values of this key instead of keys."),
    search: z.string().max(256).optional().describe("Only those that contain it, in upper or lower case."),
    limit: createIntegerText(1, 100).default(DEFAULT_TAG_LIMIT).describe("1 to 100, default 30."),
    offset: createIntegerText(0, 2_147_483_647).default(0),
  }),
  response: wrapInEnvelope(list(z.string())),
  pagination: {
    ask: { by: "offset", in: "query", offset: ["offset"], limit: ["limit"], defaultLimit: DEFAULT_TAG_LIMIT },
    items: ["data"],
    total: TOTAL_HEADERS,
  },
});

/** Recommended savings (cost management 4.2), by the name that handlers use. */
export const recommendations = {
  getAppliedStats,
  changeInferenceStatus,
  changeRecommendationState,
  countRecommendations,
  listFilterValues,
  listSupportedFilters,
  findIacRecommendations,
  listRecommendations,
  overrideSavings,
  getRecommendationTags,
  listTagFilterPanel,
} as const;
