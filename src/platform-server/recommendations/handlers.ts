import type { FILTER_COLUMNS, recommendations } from "../../platform/contract/recommendations.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import type { Area } from "../area/area.ts";
import { countTotal } from "../area/count-total.ts";
import { isProblem } from "../area/problem.ts";
import { changeHandlers, createUnknownRecommendationProblem } from "./changes.ts";
import { findCodeRecommendations } from "./code-recommendations.ts";
import { parseRecommendationQuery, SUPPORTED_FIELDS } from "./recommendation-query.ts";
import { listTagKeys, listTagValues, readTags } from "./store/labels.ts";
import { listRecommendations } from "./store/rows.ts";
import { countRecommendations, listColumnValues, readAppliedStats, type ValueColumn } from "./store/stats.ts";
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
