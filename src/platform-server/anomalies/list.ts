import { type Expression, sql } from "kysely";
import type { z } from "zod";
import type { Anomalies } from "../../platform/contract/anomalies.ts";
import {
  type AnomalyFilter,
  type AnomalyRequest,
  DEFAULT_ANOMALY_LIMIT,
} from "../../platform/contract/shapes/anomaly-filter.ts";
import { countTotal } from "../area/count-found.ts";
import type { Context } from "../area/deps.ts";
import { foldCase } from "../area/fold-case.ts";
import {
  allOf,
  type FilterableRows,
  parsePerspectiveFilters,
  type Sql,
  textCondition,
} from "../area/perspective-filter.ts";
import { invalidFields, isProblem, type Problem } from "../area/problem.ts";
import { buildTimeConditions } from "../area/time-conditions.ts";
import type { AnomalyCriteria } from "./store/list.ts";
import {
  type AnomalyGrouping,
  countGroups,
  groupAnomalies,
  listAnomalies,
  type Order,
} from "./store/list.ts";
import type { AnomalyTables, TextColumn } from "./store/tables.ts";
import { sumAll } from "./store/write.ts";
import {
  type AnomalyField,
  ENTITY_COLUMNS,
  FIELD_COLUMNS,
  LIST_COLUMNS,
  toWireAnomaly,
  toWireGroup,
} from "./wire-anomaly.ts";

type BadRequest = Problem<"bad_request">;

const AMOUNTS: readonly AnomalyField[] = ["ACTUAL_COST", "EXPECTED_COST", "ANOMALOUS_SPEND"];

interface AnomalyPiece {
  readonly entries: z.input<typeof Anomalies>;
  /** Number of entries on all pages. */
  readonly total: number;
}

/** Returns one page of the requested anomalies, or of their groups where the request asks for groups. */
export async function anomalyList(
  request: AnomalyRequest,
  context: Context<AnomalyTables>,
): Promise<AnomalyPiece | BadRequest> {
  const criteria = buildCriteria(request, context);
  if (isProblem(criteria)) return criteria;
  const now = context.clock.now();
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  const piece = { limit: filter.limit ?? DEFAULT_ANOMALY_LIMIT, offset: filter.offset ?? 0 };
  if (!isGroupRequest(filter)) {
    const orders = (filter.orderBy ?? []).map(({ field, order }) => ({
      by: FIELD_COLUMNS[field],
      descending: order === "DESCENDING",
    }));
    const rows = await listAnomalies(context.db, criteria, { ...piece, orders });
    const total = await countTotal(piece, rows, async () => (await sumAll(context.db, criteria)).anomalies);
    return { entries: rows.map((row) => toWireAnomaly(row, now)), total };
  }
  const grouping = parseGrouping(filter);
  if (isProblem(grouping)) return grouping;
  const groups = await groupAnomalies(context.db, criteria, { ...piece, ...grouping });
  const total = await countTotal(piece, groups, () => countGroups(context.db, criteria, grouping.columns));
  return { entries: groups.map((group) => toWireGroup(group, filter.aggregations ?? [], now)), total };
}

const isGroupRequest = ({ groupBy, aggregations }: AnomalyFilter): boolean =>
  (groupBy ?? []).length > 0 || (aggregations ?? []).length > 0;

function parseGrouping(filter: AnomalyFilter): Omit<AnomalyGrouping, "limit" | "offset"> | BadRequest {
  const computed = filter.aggregations ?? [];
  const wrong = computed.findIndex((one) => one.operationType !== "COUNT" && !AMOUNTS.includes(one.field));
  if (wrong >= 0)
    return refuse(
      `aggregations.${wrong}.field`,
      `${computed[wrong]?.operationType} takes one of ${AMOUNTS.join(", ")}`,
    );
  const orders = groupOrders(filter);
  if (isProblem(orders)) return orders;
  return {
    columns: [...new Set(listGroupFields(filter))].map((field) => FIELD_COLUMNS[field]),
    aggregations: computed.map(({ operationType, field }) => ({
      operation: operationType,
      column: FIELD_COLUMNS[field],
    })),
    orders,
  };
}

const listGroupFields = ({ groupBy }: AnomalyFilter): readonly AnomalyField[] =>
  (groupBy ?? []).map(({ groupByField }) => groupByField);

/** A field that is both grouped by and aggregated orders by the group's own value; of several aggregations the first counts. */
function groupOrders(filter: AnomalyFilter): AnomalyGrouping["orders"] | BadRequest {
  const grouped = listGroupFields(filter);
  const orders: Order<AnomalyGrouping["orders"][number]["by"]>[] = [];
  for (const [index, { field, order }] of (filter.orderBy ?? []).entries()) {
    const aggregation = (filter.aggregations ?? []).findIndex((one) => one.field === field);
    const isGrouped = grouped.includes(field);
    if (!isGrouped && aggregation < 0)
      return refuse(
        `orderBy.${index}.field`,
        "a list in groups is ordered by what it is grouped by or aggregates",
      );
    orders.push({
      by: isGrouped ? FIELD_COLUMNS[field] : aggregation,
      descending: order === "DESCENDING",
    });
  }
  return orders;
}

const refuse = (member: string, error: string): BadRequest =>
  invalidFields([{ field: `anomalyFilterPropertiesDTO.${member}`, error }]);

/**
 * Returns the criteria for the requested anomalies of the caller's account, or the problem of the request.
 */
export function buildCriteria(
  request: AnomalyRequest,
  { token, clock }: Pick<Context<AnomalyTables>, "token" | "clock">,
): AnomalyCriteria | Problem<"bad_request"> {
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  const perspective = parsePerspectiveFilters(ROWS, request.perspectiveQueryDTO?.filters ?? [], {
    now: clock.now(),
    path: "perspectiveQueryDTO.filters.",
  });
  if (isProblem(perspective)) return perspective;
  return {
    account: token.account,
    condition: allOf([
      ...buildListConditions(filter),
      ...buildNestedConditions(filter),
      ...buildTimeConditions(filter.timeFilters ?? []),
      perspective,
      ...(request.showWhitelistedAnomalies === true ? [] : [sql<boolean>`not allow_listed`]),
    ]),
  };
}

function column(name: TextColumn | "time_ms"): Expression<unknown> {
  return sql.ref(`platform_anomalies.${name}`);
}

const ROWS: FilterableRows = {
  one: "an anomaly",
  texts: {
    ...Object.fromEntries(Object.entries(ENTITY_COLUMNS).map(([member, name]) => [member, column(name)])),
    clusterName: column("k8s_cluster_name"),
    namespace: column("k8s_namespace"),
    workloadName: column("k8s_workload_name"),
    serviceName: column("k8s_service_name"),
    cloud1UsageAccountId: column("cloud1_account"),
    cloud1ServiceCode: column("cloud1_service"),
    cloud3ProjectId: column("cloud3_project"),
    cloudProvider: column("cloud_provider"),
    resourceName: column("resource_name"),
    unitMetricName: column("unit_metric_name"),
    perspectiveId: column("perspective_id"),
  },
  times: { startTime: column("time_ms") },
  testLabel: ({ kind, key }, test) =>
    textCondition(
      kind === "tag"
        ? sql`(platform_anomalies.tags ->> ${key}::text)`
        : sql`(select min(one ->> 'costBucket') from jsonb_array_elements(platform_anomalies.cost_categories) as one
            where one ->> 'costCategory' = ${key})`,
      test,
    ),
};

/** Lists that are empty or missing match everything. */
function* buildListConditions(filter: AnomalyFilter): Iterable<Sql> {
  for (const [member, name] of Object.entries(LIST_COLUMNS)) {
    const values = filter[member as keyof typeof LIST_COLUMNS] ?? []; // the table's own keys
    if (values.length > 0) yield textCondition(column(name), { operator: "IN", values });
  }
  if (filter.anomalyView)
    yield textCondition(column("view"), { operator: "IN", values: [filter.anomalyView] });
  const searches = (filter.searchText ?? []).map(foldCase);
  if (searches.length > 0)
    yield sql`exists (select 1 from unnest(${searches}::text[]) as wanted(text)
      where strpos(platform_anomalies.search, wanted.text) > 0)`;
}

function* buildNestedConditions(filter: AnomalyFilter): Iterable<Sql> {
  const { costCategories, costCategoryDTOs, tags, minActualAmount, minAnomalousSpend } = filter;
  if (costCategories?.length)
    yield buildBucketCondition(costCategories.map((costCategory) => ({ costCategory })));
  if (costCategoryDTOs?.length) yield buildBucketCondition(costCategoryDTOs);
  for (const [key, value] of Object.entries(tags ?? {}))
    yield sql`platform_anomalies.tags ->> ${key}::text = ${value}`;
  // A driver would send a double; its shortest text compares exactly with the decimals that are stored.
  if (typeof minActualAmount === "number") yield sql`actual_amount >= ${`${minActualAmount}`}::numeric`;
  if (typeof minAnomalousSpend === "number") yield sql`anomalous_spend >= ${`${minAnomalousSpend}`}::numeric`;
}

/** The anomaly is in one of the buckets; without a bucket, or with an empty one, in any of the category. */
function buildBucketCondition(
  wanted: readonly { readonly costCategory: string; readonly costBucket?: string | null | undefined }[],
): Sql {
  const buckets = wanted.map(({ costBucket }) => costBucket || null);
  return sql`exists (select 1 from jsonb_array_elements(platform_anomalies.cost_categories) as one
    join unnest(${wanted.map(({ costCategory }) => costCategory)}::text[], ${buckets}::text[]) as wanted(category, bucket)
      on one ->> 'costCategory' = wanted.category
      and (wanted.bucket is null or one ->> 'costBucket' = wanted.bucket))`;
}
