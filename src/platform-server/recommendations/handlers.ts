import type { z } from "zod";
import type { findIacRecommendations } from "../../platform/contract/code-recommendations.ts";
import type { EndpointInput } from "../../platform/contract/endpoint.ts";
import type { FILTER_COLUMNS, recommendations } from "../../platform/contract/recommendations.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import type { Recommendation } from "../../platform/contract/shapes/recommendation-item.ts";
import type { Area } from "../area/area.ts";
import { countTotal } from "../area/count-found.ts";
import type { Context } from "../area/deps.ts";
import { isProblem } from "../area/problem.ts";
import { changeHandlers, createUnknownRecommendationProblem } from "./changes.ts";
import {
  type CodeResource,
  getResourceKey,
  isFor,
  isReadable,
  readResource,
  toResourceKey,
} from "./match.ts";
import { createStateCondition, parseRecommendationQuery, SUPPORTED_FIELDS } from "./recommendation-query.ts";
import { listTagKeys, listTagValues, readTags } from "./store/labels.ts";
import {
  countRecommendations,
  findRecommendationsByKey,
  listColumnValues,
  listRecommendations,
  type RecommendationRow,
  readAppliedStats,
  type ValueColumn,
} from "./store/rows.ts";
import type { RecommendationTables } from "./store/tables.ts";
import { toWireRecommendation } from "./wire-recommendation.ts";

/** Most values of one column in an answer. */
const MAX_VALUES = 10_000;

const COLUMNS: Readonly<Record<(typeof FILTER_COLUMNS)[number], ValueColumn>> = {
  name: "resource_name",
  resourceType: "resource_type",
  namespace: "namespace",
  clusterName: "cluster_name",
};

/** Handlers for recommended savings (cost management 4.2). */
export const recommendationsHandlers: Area<typeof recommendations, RecommendationTables> = {
  ...changeHandlers,

  listRecommendations: async ({ body }, context) => {
    const question = parseRecommendationQuery(body, context.clock.now());
    if (isProblem(question)) return question;
    const rows = await listRecommendations(context.db, context.token.account, question);
    const { offset, limit } = question;
    const total = await countTotal(question, rows, () =>
      countRecommendations(context.db, context.token.account, question.condition),
    );
    return { body: createSuccess({ items: rows.map(toWireRecommendation), offset, limit }, context), total };
  },

  countRecommendations: async ({ body }, context) => {
    const question = parseRecommendationQuery(body, context.clock.now());
    if (isProblem(question)) return question;
    const found = await countRecommendations(context.db, context.token.account, question.condition);
    return { body: createSuccess(found, context) };
  },

  getAppliedStats: async ({ body }, context) => {
    const question = parseRecommendationQuery(body, context.clock.now());
    if (isProblem(question)) return question;
    const stats = await readAppliedStats(context.db, context.token.account, question.condition);
    const rows = stats.map(({ resource_type, found, saving }) => ({
      resourceType: resource_type,
      count: found,
      totalMonthlySaving: saving,
    }));
    return { body: createSuccess(rows, context) };
  },

  listFilterValues: async ({ body }, context) => {
    const question = parseRecommendationQuery(body.filter ?? {}, context.clock.now(), "filter.");
    if (isProblem(question)) return question;
    const values: { key: string; values: string[] }[] = [];
    for (const key of new Set(body.columns)) {
      const columnQuery = { column: COLUMNS[key], condition: question.condition, limit: MAX_VALUES };
      values.push({ key, values: await listColumnValues(context.db, context.token.account, columnQuery) });
    }
    return { body: createSuccess(values, context) };
  },

  listSupportedFilters: (_, context) => ({ body: createSuccess(SUPPORTED_FIELDS, context) }),

  findIacRecommendations: async ({ body }, context) => ({
    body: createSuccess({ resources: await findCodeRecommendations(context, body) }, context),
  }),

  getRecommendationTags: async ({ query }, context) => {
    const tags = await readTags(context.db, context.token.account, query.recommendationId);
    if (tags === null) return createUnknownRecommendationProblem();
    return { body: createSuccess({ recommendationId: query.recommendationId, tags }, context) };
  },

  listTagFilterPanel: async ({ query }, context) => {
    const { search = "", tagKey: key } = query;
    const wanted = { account: context.token.account, search };
    const { words, total } =
      key === undefined
        ? await listTagKeys(context.db, wanted, query)
        : await listTagValues(context.db, { ...wanted, key }, query);
    return { body: createSuccess(words, context), total };
  },
};

/** Most recommendations that are read for one request. */
const MAX_LOOKED_AT = 10_000;

type CodeQuery = EndpointInput<typeof findIacRecommendations>["body"];
type CodeMatch = CodeResource & {
  readonly status: "SUCCESS" | "NO_RECOMMENDATIONS" | "UNKNOWN_TYPE" | "PARSE_ERROR";
  readonly message: string | null;
  readonly recommendations: readonly z.input<typeof Recommendation>[];
};

/** Returns the recommendations for each of the resources, in their order. */
async function findCodeRecommendations(
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
