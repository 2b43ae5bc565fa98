import { type Expression, sql } from "kysely";
import type { AnomalyFilter, AnomalyRequest } from "../../platform/contract/anomalies.ts";
import { ENTITIES, type EntityMember } from "../../platform/contract/anomalies.ts";
import type { Context } from "../area/area.ts";
import { foldCase } from "../area/fold-case.ts";
import {
  allOf,
  type FilterableRows,
  parsePerspectiveFilters,
  type Sql,
  textCondition,
} from "../area/perspective-filter.ts";
import { buildTimeConditions } from "../area/time-conditions.ts";
import type { PlatformTables } from "../tables/tables.ts";

/** Returns a query for the requested anomalies of the caller's account. @throws Refusal */
export function selectAnomalies(request: AnomalyRequest, { db, account, clock }: Context) {
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  const perspective = parsePerspectiveFilters(ROWS, request.perspectiveQueryDTO?.filters ?? [], {
    now: clock.now(),
    path: "perspectiveQueryDTO.filters.",
  });
  const condition = allOf([
    ...buildListConditions(filter),
    ...buildNestedConditions(filter),
    ...buildTimeConditions(filter.timeFilters ?? []),
    perspective,
    ...(request.showWhitelistedAnomalies === true ? [] : [sql<boolean>`not allow_listed`]),
  ]);
  return db
    .selectFrom("platform_anomalies")
    .where("platform_anomalies.account", "=", account)
    .where(condition);
}

export const column = (name: keyof PlatformTables["platform_anomalies"]): Expression<unknown> =>
  sql`${sql.ref(`platform_anomalies.${name}`)}`;

/** Written out, so that groups and what is selected of them are the same expression. */
export const entityText = (member: EntityMember): Expression<unknown> =>
  sql`(platform_anomalies.entity ->> ${sql.lit(member)})`;

const ROWS: FilterableRows = {
  one: "an anomaly",
  texts: {
    ...Object.fromEntries(ENTITIES.map(({ member }) => [member, entityText(member)])),
    clusterName: entityText("k8sClusterName"),
    namespace: entityText("k8sNamespace"),
    workloadName: entityText("k8sWorkloadName"),
    serviceName: entityText("k8sServiceName"),
    cloud1UsageAccountId: entityText("cloud1Account"),
    cloud1ServiceCode: entityText("cloud1Service"),
    cloud3ProjectId: entityText("cloud3Project"),
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
  const lists: readonly (readonly [Expression<unknown>, readonly string[] | null | undefined])[] = [
    ...ENTITIES.map(({ member, list }) => [entityText(member), filter[list]] as const),
    [column("id"), filter.anomalyIds],
    [column("perspective_id"), filter.perspectiveIds],
    [column("unit_metric_name"), filter.unitMetricNames],
    [column("status"), filter.status],
    [column("view"), filter.anomalyView ? [filter.anomalyView] : []],
  ];
  for (const [text, values] of lists)
    if (values?.length) yield textCondition(text, { operator: "IN", values });
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
