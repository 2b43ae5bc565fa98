import {
  DEFAULT_RECOMMENDATION_LIMIT,
  type RecommendationFilter,
} from "../../platform/contract/shapes/recommendation-filter.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { type FieldProblem, parsePerspectiveConditions } from "./perspective-conditions.ts";
import type { Condition } from "./store/conditions.ts";
import type { Order } from "./store/rows.ts";
import type { TextColumn } from "./store/tables.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
export const IGNORED_STATES: readonly string[] = ["IGNORED", "TEMPORARILY_IGNORED"];

/** A filter in the store's form. */
export interface RecommendationQuery {
  readonly condition: Condition;
  readonly order: Order;
  readonly offset: number;
  readonly limit: number;
}

/** Converts a filter at the time `now`, or returns its problem; `path`: its place in the request's body. */
export function parseRecommendationQuery(
  filter: RecommendationFilter,
  now: number,
  path = "",
): RecommendationQuery | Problem<"bad_request"> {
  const problems: FieldProblem[] = [];
  const perspective = parsePerspectiveConditions(
    filter.perspectiveFilters ?? [],
    `${path}perspectiveFilters`,
    {
      now,
      problems,
    },
  );
  if (problems.length > 0)
    return createProblem("bad_request", "the filter names fields that recommendations do not have", {
      code: "INVALID_REQUEST",
      fields: problems,
    });
  return {
    condition: {
      all: [
        ...parseTextConditions(filter),
        ...parseFilterRules(filter),
        ...parseAmountsAndTimes(filter, now),
        ...parseLabelConditions(filter),
        ...perspective,
      ],
    },
    order: toOrder(filter),
    offset: filter.offset ?? 0,
    limit: filter.limit ?? DEFAULT_RECOMMENDATION_LIMIT,
  };
}

const ORDERS: Readonly<Record<NonNullable<RecommendationFilter["sortBy"]>, Order["by"]>> = {
  MONTHLY_SAVING: "saving",
  MONTHLY_COST: "monthly_cost",
  APPLIED_AT: "applied_ms",
  RESOURCE_TYPE: "resource_type",
};

const toOrder = ({ sortBy, sortOrder }: RecommendationFilter): Order => ({
  by: ORDERS[sortBy ?? "MONTHLY_SAVING"],
  direction: sortOrder === "ASCENDING" ? "asc" : "desc",
});

type FilterValues = readonly string[] | null | undefined;

function parseTextConditions(filter: RecommendationFilter): readonly Condition[] {
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
function parseCloudConditions(filter: RecommendationFilter): readonly Condition[] {
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
          { any: [...createListCondition("cloud_provider", [cloud]), NO_CLOUD] } satisfies Condition,
        ],
  );
}

const NO_CLOUD: Condition = { on: "cloud_provider", test: { operator: "NULL", values: [] } };

const createListCondition = (on: TextColumn, values: FilterValues): readonly Condition[] =>
  values === null || values === undefined || values.length === 0
    ? []
    : [{ on, test: { operator: "IN", values } }];

/** Which members of a family, and whether ignored ones too: the latter also when they are asked for by name. */
function* parseFilterRules(filter: RecommendationFilter): Iterable<Condition> {
  const { childRecommendation: child, parentRecommendation: parent } = filter;
  const family = (...values: readonly string[]): Condition => ({
    on: "family",
    test: { operator: "IN", values },
  });
  const parents: readonly Condition[] = parent ? [family("parent"), { has: "parts" }] : [];
  const wanted = [...parents, ...(child ? [family("child")] : [])];
  yield wanted.length === 0 ? family("alone", "parent") : { any: wanted };
  const named = [
    ...(filter.k8sRecommendationFilterPropertiesDTO?.recommendationStates ?? []),
    ...(filter.baseRecommendationFilterPropertiesDTO?.recommendationState ?? []),
  ];
  if (!filter.includeIgnoredRecommendation && named.length === 0)
    yield { on: "state", test: { operator: "NOT_IN", values: IGNORED_STATES } };
}

function* parseAmountsAndTimes(filter: RecommendationFilter, now: number): Iterable<Condition> {
  const { minSaving, minCost, daysBack } = filter;
  if (typeof minSaving === "number") yield { amount: "saving", above: minSaving };
  if (typeof minCost === "number") yield { amount: "monthly_cost", above: minCost };
  if (typeof daysBack === "number") yield { time: "generated_ms", from: now - daysBack * DAY_MS };
  const base = filter.baseRecommendationFilterPropertiesDTO;
  if (typeof base?.appliedAtStartTime === "number")
    yield { time: "applied_ms", from: base.appliedAtStartTime };
  if (typeof base?.appliedAtEndTime === "number") yield { time: "applied_ms", to: base.appliedAtEndTime };
}

function parseLabelConditions(filter: RecommendationFilter): readonly Condition[] {
  const tags = (filter.tagDTOs ?? []).map(({ key, value }) => ({ key, value }));
  const categories = (filter.costCategoryDTOs ?? []).map(({ costCategory, costBucket }) => ({
    key: costCategory,
    value: costBucket,
  }));
  const exact = Object.entries(filter.tags ?? {}).map(
    ([key, value]): Condition => ({ label: { kind: "tag", key }, test: { operator: "IN", values: [value] } }),
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
): readonly Condition[] =>
  [...Map.groupBy(labels, ({ key }) => key)].map(([key, all]) => ({
    label: { kind, key },
    test: { operator: "IN", values: all.map(({ value }) => value) },
  }));
