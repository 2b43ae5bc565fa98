import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { EndpointInput } from "../../platform/contract/endpoint.ts";
import {
  type FILTER_COLUMNS,
  type findIacRecommendations,
  INFERRED_STATUSES,
  type Recommendation,
  type recommendations,
} from "../../platform/contract/recommendations.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import { findRow, has, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import { containsText, type Sql } from "../area/perspective-filter.ts";
import { refuse, refuseUnknown } from "../area/problem.ts";
import { countFound, readPiece } from "../area/read-piece.ts";
import type { Db } from "../tables/tables.ts";
import {
  type CodeResource,
  getResourceKey,
  isFor,
  isReadable,
  readResource,
  toResourceKey,
} from "./match.ts";
import { createStateCondition, parseRecommendationQuery, SUPPORTED_FIELDS } from "./recommendation-query.ts";
import { toWireRecommendation } from "./wire-recommendation.ts";

/** Most values of one column in an answer. */
const MAX_VALUES = 10_000;

const COLUMNS = {
  name: "resource_name",
  resourceType: "resource_type",
  namespace: "namespace",
  clusterName: "cluster_name",
} as const satisfies Readonly<Record<(typeof FILTER_COLUMNS)[number], string>>;

/** Handlers for recommended savings (cost management 4.2). */
export const recommendationsHandlers: Area<typeof recommendations> = {
  listRecommendations: async ({ body }, context) => {
    const query = parseRecommendationQuery(body, context.clock.now());
    const { offset, limit } = query;
    const found = selectRecommendations(context, query.condition).selectAll("r");
    const { rows, total } = await readPiece(found.orderBy(sql.join([query.order])), query);
    return { body: createSuccess({ items: rows.map(toWireRecommendation), offset, limit }, context), total };
  },

  countRecommendations: async ({ body }, context) => {
    const { condition } = parseRecommendationQuery(body, context.clock.now());
    return { body: createSuccess(await countFound(selectRecommendations(context, condition)), context) };
  },

  getAppliedStats: async ({ body }, context) => {
    const { condition } = parseRecommendationQuery(body, context.clock.now());
    const stats = await selectRecommendations(context, condition)
      .where("r.state", "=", "APPLIED")
      .select([
        "r.resource_type as resourceType",
        sql<number>`count(*)`.as("count"),
        sql<number | null>`sum(coalesce(r.applied_savings, r.saving))::float8`.as("totalMonthlySaving"),
      ])
      .groupBy("r.resource_type")
      .orderBy("r.resource_type")
      .execute();
    return { body: createSuccess(stats, context) };
  },

  listFilterValues: async ({ body }, context) => {
    const { condition } = parseRecommendationQuery(body.filter ?? {}, context.clock.now(), "filter.");
    const values: { key: string; values: string[] }[] = [];
    for (const key of new Set(body.columns)) {
      const column = `r.${COLUMNS[key]}` as const;
      const rows = await selectRecommendations(context, condition)
        .where(column, "is not", null)
        .select(sql<string>`${sql.ref(column)}`.as("value"))
        .distinct()
        .orderBy("value")
        .limit(MAX_VALUES)
        .execute();
      values.push({ key, values: rows.map(({ value }) => value) });
    }
    return { body: createSuccess(values, context) };
  },

  listSupportedFilters: (_, context) => ({ body: createSuccess(SUPPORTED_FIELDS, context) }),

  findIacRecommendations: async ({ body }, context) => ({
    body: createSuccess({ resources: await findCodeRecommendations(context, body) }, context),
  }),

  getRecommendationTags: async ({ query: { recommendationId } }, context) => {
    const rows = await context.db
      .selectFrom("platform_recommendations as r")
      .leftJoin("platform_recommendation_labels as l", (join) =>
        join.onRef("l.account", "=", "r.account").onRef("l.id", "=", "r.id").on("l.kind", "=", "tag"),
      )
      .where("r.account", "=", context.account)
      .where("r.id", "=", recommendationId)
      .select(["l.key", "l.value"])
      .orderBy("l.key")
      .execute();
    if (rows.length === 0) refuseUnknownRecommendation();
    const tags = rows.flatMap(({ key, value }) => (key === null || value === null ? [] : [[key, value]]));
    return { body: createSuccess({ recommendationId, tags: Object.fromEntries(tags) }, context) };
  },

  listTagFilterPanel: async ({ query }, context) => {
    const words =
      query.tagKey === undefined ? selectTagKeys(context) : selectTagValues(context, query.tagKey);
    const { search = "", limit, offset } = query;
    const isWanted = search === "" ? sql`true` : containsText(sql.ref("word"), [search]);
    // The count is joined to the page, so that it is there for an empty page too.
    const { rows } = await sql<{ total: number; word: string | null }>`
      with listed as (select word from (${words}) as every where ${isWanted})
      select counted.total, page.word
      from (select count(*) as total from listed) as counted
      left join (select word from listed order by word limit ${limit} offset ${offset}) as page on true
      order by page.word`.execute(context.db);
    const page = rows.flatMap(({ word }) => word ?? []);
    return { body: createSuccess(page, context), total: rows[0]?.total ?? 0 };
  },

  changeRecommendationState: async ({ query: { recommendationId: id, state: to }, body }, context) => {
    const ms = context.clock.now();
    const savings = toAmountText(body?.appliedSavings);
    await transact(context.db, async (trx) => {
      const { state } = await lockRecommendation(trx, context, id);
      if (state !== "OPEN" && state !== "APPLIED")
        refuse("bad_request", `a recommendation in state ${state} can be neither applied nor opened`, {
          code: "INVALID_REQUEST",
        });
      const change = updateRecommendation(trx, context, id).set({ state_set: true, updated_ms: ms });
      if (to === "OPEN")
        await change
          .set({ state: "OPEN", applied_ms: null, applied_savings: null })
          .set({ applied_by_user_id: null, applied_by_user_name: null })
          .execute();
      else if (state === "OPEN")
        await change
          .set({ state: "APPLIED", applied_ms: ms })
          .set({ applied_savings: sql<string | null>`coalesce(${savings}::numeric, saving)` })
          .set({ applied_by_user_id: context.token.id, applied_by_user_name: null })
          .execute();
      else if (savings !== null) await change.set({ applied_savings: savings }).execute();
    });
    return { body: createSuccess(null, context) };
  },

  changeInferenceStatus: async ({ body }, context) => {
    const { recommendationId: id, verificationStatus: verification_status, comment } = body;
    await transact(context.db, async (trx) => {
      const known = await lockRecommendation(trx, context, id);
      if (!INFERRED.has(known.verification_status))
        refuse(
          "bad_request",
          "nothing was inferred about this recommendation that could be confirmed or rejected",
          { code: "INVALID_REQUEST" },
        );
      await updateRecommendation(trx, context, id)
        .set({ verification_status, verification_set: true, updated_ms: context.clock.now() })
        .$if(typeof comment === "string", (change) => change.set({ variance_notes: comment }))
        .execute();
    });
    return { body: createSuccess(null, context) };
  },

  overrideSavings: async ({ query }, context) => {
    const key = { account: context.account, id: query.recommendationId };
    const count = await updateRows(context.db, "platform_recommendations", key, {
      overridden_savings: String(query.overriddenSavings),
      savings_set: true,
      updated_ms: context.clock.now(),
    });
    if (count === 0) refuseUnknownRecommendation();
    return { body: createSuccess(true, context) };
  },
};

const selectRecommendations = ({ db, account }: Context, condition: Sql) =>
  db.selectFrom("platform_recommendations as r").where("r.account", "=", account).where(condition);

/** Skips from key to key in the index, because there are few keys and many tags. */
const selectTagKeys = ({ account }: Context): RawBuilder<unknown> => sql`
  with recursive found(key) as (
    select min(l.key) from platform_recommendation_labels as l where l.account = ${account} and l.kind = 'tag'
    union all
    select (select min(l.key) from platform_recommendation_labels as l
      where l.account = ${account} and l.kind = 'tag' and l.key > found.key)
    from found where found.key is not null)
  select found.key as word from found where found.key is not null`;

const selectTagValues = ({ account }: Context, key: string): RawBuilder<unknown> => sql`
  select distinct l.value as word from platform_recommendation_labels as l
  where l.account = ${account} and l.kind = 'tag' and l.key = ${key}`;

const updateRecommendation = (db: Db, { account }: Context, id: string) =>
  db.updateTable("platform_recommendations").where(has({ account, id }));

/** Returns what decides about possible calls, and locks it until the transaction ends. */
const lockRecommendation = async (trx: Db, { account }: Context, id: string) =>
  (await findRow(trx, "platform_recommendations", { account, id }, "lock")) ?? refuseUnknownRecommendation();

const toAmountText = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

const INFERRED: ReadonlySet<string | null> = new Set(INFERRED_STATUSES);

const refuseUnknownRecommendation = (): never => refuseUnknown("there is no such recommendation");

/** Most recommendations that are read for one request. */
const MAX_LOOKED_AT = 10_000;

type CodeQuery = EndpointInput<typeof findIacRecommendations>["body"];
type CodeMatch = CodeResource & {
  readonly status: "SUCCESS" | "NO_RECOMMENDATIONS" | "UNKNOWN_TYPE" | "PARSE_ERROR";
  readonly message: string | null;
  readonly recommendations: readonly z.input<typeof Recommendation>[];
};

async function findCodeRecommendations(
  context: Context,
  { resources, states }: CodeQuery,
): Promise<CodeMatch[]> {
  const readings = resources.map(readResource);
  const keys = [...new Set(readings.filter(isReadable).map(getResourceKey))];
  const rows = await selectRecommendations(context, createStateCondition(states ?? []))
    .selectAll("r")
    .where("r.resource_key", "=", sql<string>`any(${keys}::text[])`)
    .orderBy("r.id")
    .limit(MAX_LOOKED_AT)
    .execute();
  const byKey = Map.groupBy(rows, ({ resource_id, resource_name }) =>
    toResourceKey(resource_id ?? resource_name ?? ""),
  );
  return resources.map((resource, index): CodeMatch => {
    const reading = readings[index] ?? readResource(resource);
    if (!isReadable(reading)) return { ...resource, ...reading, recommendations: [] };
    const found = (byKey.get(getResourceKey(reading)) ?? []).filter((row) => isFor(reading, row));
    if (found.length > 0) {
      const all = found.map(toWireRecommendation);
      return { ...resource, status: "SUCCESS", message: null, recommendations: all };
    }
    const [status, message] =
      reading.kinds === null
        ? (["UNKNOWN_TYPE", "nothing is known of this resource type"] as const)
        : (["NO_RECOMMENDATIONS", "nothing is recommended for this resource"] as const);
    return { ...resource, status, message, recommendations: [] };
  });
}
