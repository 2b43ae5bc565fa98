import type { z } from "zod";
import type { findIacRecommendations } from "../../platform/contract/code-recommendations.ts";
import type { EndpointInput } from "../../platform/contract/endpoint.ts";
import type { Recommendation } from "../../platform/contract/shapes/recommendation-item.ts";
import type { Context } from "../area/deps.ts";
import { type CodeResource, getResourceKey, isFor, isReadable, readResource } from "./match/match.ts";
import { toResourceKey } from "./match/resource-id.ts";
import { createStateCondition } from "./recommendation-query.ts";
import { findRecommendationsByKey, type RecommendationRow } from "./store/rows.ts";
import type { RecommendationTables } from "./store/tables.ts";
import { toWireRecommendation } from "./wire-recommendation.ts";

/** Most recommendations that are read for one request. */
const MAX_LOOKED_AT = 10_000;

type CodeQuery = EndpointInput<typeof findIacRecommendations>["body"];
type CodeMatch = CodeResource & {
  readonly status: "SUCCESS" | "NO_RECOMMENDATIONS" | "UNKNOWN_TYPE" | "PARSE_ERROR";
  readonly message: string | null;
  readonly recommendations: readonly z.input<typeof Recommendation>[];
};

/** Returns the recommendations for each of the resources, in their order. */
export async function findCodeRecommendations(
  context: Context<RecommendationTables>,
  { resources, states }: CodeQuery,
): Promise<CodeMatch[]> {
  const readings = resources.map(readResource);
  const keys = [...new Set(readings.filter(isReadable).map(getResourceKey))];
  const rows = await findRecommendationsByKey(context.db, context.token.account, {
    keys,
    condition: createStateCondition(states ?? []),
    limit: MAX_LOOKED_AT,
  });
  const byKey = Map.groupBy(rows, ({ resource_id, resource_name }) =>
    toResourceKey(resource_id ?? resource_name ?? ""),
  );
  return resources.map((resource, index) => {
    const reading = readings[index] ?? readResource(resource);
    if (!isReadable(reading)) return { ...resource, ...reading, recommendations: [] };
    const found = (byKey.get(getResourceKey(reading)) ?? []).filter((row) => isFor(reading, row));
    return { ...resource, ...createMatchOutcome(found, reading.kinds !== null) };
  });
}

function createMatchOutcome(
  found: readonly RecommendationRow[],
  typeIsKnown: boolean,
): Omit<CodeMatch, keyof CodeResource> {
  if (found.length > 0)
    return { status: "SUCCESS", message: null, recommendations: found.map(toWireRecommendation) };
  return typeIsKnown
    ? {
        status: "NO_RECOMMENDATIONS",
        message: "nothing is recommended for this resource",
        recommendations: [],
      }
    : { status: "UNKNOWN_TYPE", message: "nothing is known of this resource type", recommendations: [] };
}
