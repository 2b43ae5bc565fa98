import { type Expression, sql } from "kysely";
import { DAY_MS } from "../../kernel/clock.ts";
import {
  DEFAULT_RECOMMENDATION_LIMIT,
  type RecommendationFilter,
} from "../../platform/contract/recommendations.ts";
import {
  allOf,
  anyOf,
  type FilterableRows,
  LABEL_FIELDS,
  type LabelName,
  parsePerspectiveFilters,
  type Sql,
  type TextTest,
  textCondition,
} from "../area/perspective-filter.ts";
import type { TextColumn } from "../tables/recommendations.ts";

const IGNORED_STATES: readonly string[] = ["IGNORED", "TEMPORARILY_IGNORED"];

export interface RecommendationQuery {
  readonly condition: Sql;
  /** Rows without a value come last in both directions; equal rows are ordered by id. */
  readonly order: Expression<unknown>;
  readonly offset: number;
  readonly limit: number;
}

/** Converts a filter at the time `now`; `path`: its place in the request's body. @throws Refusal */
export function parseRecommendationQuery(
  filter: RecommendationFilter,
  now: number,
  path = "",
): RecommendationQuery {
  const perspective = parsePerspectiveFilters(ROWS, filter.perspectiveFilters ?? [], {
    now,
    path: `${path}perspectiveFilters.`,
  });
  return {
    condition: allOf([
      ...parseTextConditions(filter),
      ...parseFilterRules(filter),
      ...parseAmountsAndTimes(filter, now),
      ...parseLabelConditions(filter),
      perspective,
    ]),
    order: buildOrder(filter),
    offset: filter.offset ?? 0,
    limit: filter.limit ?? DEFAULT_RECOMMENDATION_LIMIT,
  };
}

/** Returns the condition that the state is one of these; without any, that the recommendation is not ignored. */
export const createStateCondition = (states: readonly string[]): Sql =>
  states.length === 0
    ? textCondition(column("state"), { operator: "NOT_IN", values: IGNORED_STATES })
    : isOneOf("state", states);

function column(
  name:
    | TextColumn
    | "saving"
    | "monthly_cost"
    | `${"applied" | "created" | "processed" | "generated" | "updated"}_ms`,
): Expression<unknown> {
  return sql.ref(`r.${name}`);
}

const isOneOf = (name: TextColumn, values: readonly string[]): Sql =>
  textCondition(column(name), { operator: "IN", values });

const ROWS: FilterableRows = {
  one: "a recommendation",
  texts: {
    cloudProvider: column("cloud_provider"),
    cloudAccountId: column("cloud_account_id"),
    cloudAccountName: column("cloud_account_name"),
    region: column("region"),
    clusterName: column("cluster_name"),
    namespace: column("namespace"),
    workloadName: column("resource_name"),
    resourceName: column("resource_name"),
    resourceId: column("resource_id"),
    resourceType: column("resource_type"),
    resourceGroup: column("resource_group"),
    instanceType: column("instance_type"),
    csClusterName: column("cs_cluster_name"),
    csLaunchType: column("cs_launch_type"),
    governanceRuleName: column("governance_rule_name"),
    perspectiveId: column("perspective_id"),
    recommendationState: column("state"),
    verificationStatus: column("verification_status"),
    appliedByUserName: column("applied_by_user_name"),
  },
  times: {
    startTime: column("generated_ms"),
    createdAt: column("created_ms"),
    lastProcessedAt: column("processed_ms"),
    appliedAt: column("applied_ms"),
    updatedAt: column("updated_ms"),
  },
  testLabel,
};

/** Every identifier that a perspective filter may name, in order. */
export const SUPPORTED_FIELDS: readonly string[] = [
  ...Object.keys(ROWS.texts),
  ...Object.values(LABEL_FIELDS),
  ...Object.keys(ROWS.times),
].sort();

/** A recommendation may be in several buckets of a cost category. */
function testLabel({ kind, key }: LabelName, test: TextTest): Sql {
  const has = (condition: Sql): Sql => sql`exists (select 1 from platform_recommendation_labels as l
    where l.account = r.account and l.id = r.id and l.kind = ${kind} and l.key = ${key} and ${condition})`;
  if (test.operator === "NULL") return sql`not ${has(sql`true`)}`;
  if (test.operator === "NOT_IN")
    return sql`not ${has(textCondition(sql.ref("l.value"), { ...test, operator: "IN" }))}`;
  return has(textCondition(sql.ref("l.value"), test));
}

const ORDERS = {
  MONTHLY_SAVING: "saving",
  MONTHLY_COST: "monthly_cost",
  APPLIED_AT: "applied_ms",
  RESOURCE_TYPE: "resource_type",
} as const satisfies Readonly<Record<NonNullable<RecommendationFilter["sortBy"]>, string>>;

function buildOrder({ sortBy, sortOrder }: RecommendationFilter): Expression<unknown> {
  const value = column(ORDERS[sortBy ?? "MONTHLY_SAVING"]);
  return sortOrder === "ASCENDING" ? sql`${value} asc nulls last, r.id` : sql`${value} desc nulls last, r.id`;
}

type FilterValues = readonly string[] | null | undefined;

function parseTextConditions(filter: RecommendationFilter): readonly Sql[] {
  const k8s = filter.k8sRecommendationFilterPropertiesDTO;
  const base = filter.baseRecommendationFilterPropertiesDTO;
  const container = filter.containerRecommendationFilterPropertiesDTO;
  const columnFilters: readonly (readonly [TextColumn, FilterValues])[] = [
    ["id", k8s?.ids],
    ["resource_name", k8s?.names],
    ["namespace", k8s?.namespaces],
    ["cluster_name", k8s?.clusterNames],
    ["resource_type", k8s?.resourceTypes],
    ["state", k8s?.recommendationStates],
    ["cloud_provider", typeof k8s?.cloudProvider === "string" ? [k8s.cloudProvider] : k8s?.cloudProvider],
    ["region", k8s?.regions],
    ["cluster_name", container?.k8sClusterName],
    ["namespace", container?.k8sNamespace],
    ["cs_cluster_name", container?.csClusterName],
    ["cs_launch_type", container?.csLaunchType],
    ["governance_rule_name", filter.governanceRecommendationFilterPropertiesDTO?.governanceRuleName],
    ["id", base?.id],
    ["cloud_account_id", base?.cloudAccountId],
    ["cloud_account_name", base?.cloudAccountName],
    ["resource_id", base?.resourceId],
    ["resource_name", base?.resourceName],
    ["region", base?.region],
    ["resource_type", base?.resourceType],
    ["state", base?.recommendationState],
    ["cloud_provider", base?.cloudProvider],
    ["applied_by_user_name", base?.appliedByUserName],
    ["verification_status", base?.verificationStatus],
    ["perspective_id", base?.perspectiveId],
  ];
  return [
    ...columnFilters.flatMap(([column, values]) => createListCondition(column, values)),
    ...parseCloudConditions(filter),
  ];
}

/** What only one cloud has: of a recommendation that names no cloud, its own value decides. */
function parseCloudConditions(filter: RecommendationFilter): readonly Sql[] {
  const cloud1 = filter.cloud1RecommendationFilterPropertiesDTO;
  const cloud2 = filter.cloud2RecommendationFilterProperties;
  const cloudConditions = [
    { cloud: "CLOUD_1", conditions: createListCondition("instance_type", cloud1?.instanceType) },
    {
      cloud: "CLOUD_2",
      conditions: [
        ...createListCondition("instance_type", cloud2?.instanceType),
        ...createListCondition("resource_group", cloud2?.resourceGroup),
      ],
    },
  ];
  return cloudConditions.flatMap(({ cloud, conditions }) =>
    conditions.length === 0
      ? []
      : [
          ...conditions,
          anyOf([isOneOf("cloud_provider", [cloud]), sql`${column("cloud_provider")} is null`]),
        ],
  );
}

const createListCondition = (name: TextColumn, values: FilterValues): readonly Sql[] =>
  values === null || values === undefined || values.length === 0 ? [] : [isOneOf(name, values)];

/** Which members of a family, and whether ignored ones too: the latter also when they are asked for by name. */
function* parseFilterRules(filter: RecommendationFilter): Iterable<Sql> {
  const { childRecommendation: child, parentRecommendation: parent } = filter;
  const wanted = [
    ...(parent ? [isOneOf("family", ["parent"]), HAS_PARTS] : []),
    ...(child ? [isOneOf("family", ["child"])] : []),
  ];
  yield wanted.length === 0 ? isOneOf("family", ["alone", "parent"]) : anyOf(wanted);
  const named = [
    ...(filter.k8sRecommendationFilterPropertiesDTO?.recommendationStates ?? []),
    ...(filter.baseRecommendationFilterPropertiesDTO?.recommendationState ?? []),
  ];
  if (!filter.includeIgnoredRecommendation && named.length === 0) yield createStateCondition([]);
}

const HAS_PARTS: Sql = sql`exists (select 1 from platform_recommendations as part
  where part.account = r.account and part.parent_id = r.id)`;

function* parseAmountsAndTimes(filter: RecommendationFilter, now: number): Iterable<Sql> {
  const { minSaving, minCost, daysBack } = filter;
  const base = filter.baseRecommendationFilterPropertiesDTO;
  // Of an amount or a time that is not known, no comparison is true.
  if (typeof minSaving === "number") yield sql`${column("saving")} > ${String(minSaving)}::numeric`;
  if (typeof minCost === "number") yield sql`${column("monthly_cost")} > ${String(minCost)}::numeric`;
  if (typeof daysBack === "number")
    yield sql`${column("generated_ms")} >= ${now - daysBack * DAY_MS}::bigint`;
  if (typeof base?.appliedAtStartTime === "number")
    yield sql`${column("applied_ms")} >= ${base.appliedAtStartTime}::bigint`;
  if (typeof base?.appliedAtEndTime === "number")
    yield sql`${column("applied_ms")} <= ${base.appliedAtEndTime}::bigint`;
}

function parseLabelConditions(filter: RecommendationFilter): readonly Sql[] {
  const tags = (filter.tagDTOs ?? []).map(({ key, value }) => ({ key, value }));
  const categories = (filter.costCategoryDTOs ?? []).map(({ costCategory, costBucket }) => ({
    key: costCategory,
    value: costBucket,
  }));
  const exact = Object.entries(filter.tags ?? {}).map(([key, value]) =>
    testLabel({ kind: "tag", key }, { operator: "IN", values: [value] }),
  );
  return [
    ...exact,
    ...createLabelConditions("tag", tags),
    ...createLabelConditions("cost-category", categories),
  ];
}

const createLabelConditions = (
  kind: "tag" | "cost-category",
  labels: readonly { readonly key: string; readonly value: string }[],
): readonly Sql[] =>
  [...Map.groupBy(labels, ({ key }) => key)].map(([key, all]) =>
    testLabel({ kind, key }, { operator: "IN", values: all.map(({ value }) => value) }),
  );
