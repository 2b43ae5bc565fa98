import type { FILTER_COLUMNS, recommendations } from "../../platform/contract/recommendations.ts";
import { success } from "../../platform/contract/shapes/cost-envelope.ts";
import type { Area } from "../area/area.ts";
import { isProblem } from "../area/problem.ts";
import { totalOf } from "../area/total-of.ts";
import { changeHandlers, noSuchRecommendation } from "./changes.ts";
import { recommendationsOfCode } from "./of-code.ts";
import { SUPPORTED_FIELDS } from "./perspective-fields.ts";
import { questionOf } from "./question.ts";
import { written } from "./shown.ts";
import { appliedStats, columnValues, countRecommendations, type ValueColumn } from "./store/figures.ts";
import { tagKeys, tagsOf, tagValues } from "./store/labels.ts";
import { listRecommendations } from "./store/rows.ts";
import type { RecommendationTables } from "./store/tables.ts";

/** So many values of one column are offered at most. */
const MAX_VALUES = 10_000;

const COLUMNS: Readonly<Record<(typeof FILTER_COLUMNS)[number], ValueColumn>> = {
  name: "resource_name",
  resourceType: "resource_type",
  namespace: "namespace",
  clusterName: "cluster_name",
};

/** Savings that the platform recommends (cost management 4.2). */
export const recommendationsHandlers: Area<typeof recommendations, RecommendationTables> = {
  ...changeHandlers,

  listRecommendations: async ({ body }, context) => {
    const question = questionOf(body, context.clock.now());
    if (isProblem(question)) return question;
    const rows = await listRecommendations(context.db, context.token.account, question);
    const { offset, limit } = question;
    const total = await totalOf(question, rows, () =>
      countRecommendations(context.db, context.token.account, question.condition),
    );
    return { body: success({ items: rows.map(written), offset, limit }, context), total };
  },

  countRecommendations: async ({ body }, context) => {
    const question = questionOf(body, context.clock.now());
    if (isProblem(question)) return question;
    const found = await countRecommendations(context.db, context.token.account, question.condition);
    return { body: success(found, context) };
  },

  getAppliedStats: async ({ body }, context) => {
    const question = questionOf(body, context.clock.now());
    if (isProblem(question)) return question;
    const stats = await appliedStats(context.db, context.token.account, question.condition);
    const rows = stats.map(({ resource_type, found, saving }) => ({
      resourceType: resource_type,
      count: found,
      totalMonthlySaving: saving,
    }));
    return { body: success(rows, context) };
  },

  listFilterValues: async ({ body }, context) => {
    const question = questionOf(body.filter ?? {}, context.clock.now(), "filter.");
    if (isProblem(question)) return question;
    const values: { key: string; values: string[] }[] = [];
    for (const key of new Set(body.columns)) {
      const asked = { column: COLUMNS[key], condition: question.condition, limit: MAX_VALUES };
      values.push({ key, values: await columnValues(context.db, context.token.account, asked) });
    }
    return { body: success(values, context) };
  },

  listSupportedFilters: (_, context) => ({ body: success(SUPPORTED_FIELDS, context) }),

  findIacRecommendations: async ({ body }, context) => ({
    body: success({ resources: await recommendationsOfCode(context, body) }, context),
  }),

  getRecommendationTags: async ({ query }, context) => {
    const tags = await tagsOf(context.db, context.token.account, query.recommendationId);
    if (tags === null) return noSuchRecommendation();
    return { body: success({ recommendationId: query.recommendationId, tags }, context) };
  },

  listTagFilterPanel: async ({ query }, context) => {
    const { search = "", tagKey: key } = query;
    const wanted = { account: context.token.account, search };
    const { words, total } =
      key === undefined
        ? await tagKeys(context.db, wanted, query)
        : await tagValues(context.db, { ...wanted, key }, query);
    return { body: success(words, context), total };
  },
};
