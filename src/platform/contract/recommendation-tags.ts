import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { createIntegerText, identifier, list, wrapInEnvelope } from "./shapes/fields.ts";
import { TOTAL_HEADERS } from "./shapes/pagination.ts";

const COST = { api: "cost", area: "recommendations", status: 200, errors: [400, 500] } as const;
/** Document 1, section 8. */
const DEFAULT_TAG_LIMIT = 30;

export const getRecommendationTags = declareEndpoint({
  ...COST,
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

export const listTagFilterPanel = declareEndpoint({
  ...COST,
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
