import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { list, openEnum, orNull, wrapInEnvelope } from "./shapes/fields.ts";
import { RECOMMENDATION_STATES } from "./shapes/recommendation-filter.ts";
import { Recommendation } from "./shapes/recommendation-item.ts";

/**
 * The result for one resource of the request. `ERROR` is written by services whose lookup of a single
 * resource can fail.
 */
export const MATCH_STATUSES = [
  "SUCCESS",
  "NO_RECOMMENDATIONS",
  "UNKNOWN_TYPE",
  "PARSE_ERROR",
  "ERROR",
] as const;

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
  api: "cost",
  area: "recommendations",
  operation: "iacm",
  method: "POST",
  path: "/recommendation/overview/iacm",
  summary: "Recommendations for resources that infrastructure code manages",
  description:
    "One entry for each resource of the request, in its order. Parts of an identifier that both sides state (cloud, account, " +
    "region, path) must agree; a short id matches only recommendations of the resource's own kind.",
  source: "cost management 2.9, 4.2",
  status: 200,
  errors: [400, 500],
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
