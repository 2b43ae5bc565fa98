import { type Expression, sql } from "kysely";
import type { z } from "zod";
import {
  type Anomalies,
  type AnomalyFilter,
  type AnomalyRequest,
  type anomalyField,
  DEFAULT_ANOMALY_LIMIT,
  ENTITIES,
  type EntityMember,
} from "../../platform/contract/anomalies.ts";
import type { Context } from "../area/area.ts";
import {
  allOf,
  type FilterableRows,
  foldCase,
  parsePerspectiveFilters,
  type Sql,
  textCondition,
} from "../area/perspective-filter.ts";
import { refuseFields } from "../area/problem.ts";
import { countTotal, type Piece, readPiece } from "../area/read-piece.ts";
import { buildTimeConditions } from "../area/time-conditions.ts";
import type { PlatformTables } from "../tables/tables.ts";
import { type AnomalyRow, toNumber, toWireAnomaly } from "./wire-anomaly.ts";

type AnomalyField = z.output<typeof anomalyField>;
type Query = ReturnType<typeof selectAnomalies>;

interface AnomalyPage {
  readonly entries: z.input<typeof Anomalies>;
  readonly total: number;
}

/** Returns one page of the requested anomalies, or of their groups where the request asks for groups. @throws Refusal */
export function listAnomalies(request: AnomalyRequest, context: Context): Promise<AnomalyPage> {
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  const found = selectAnomalies(request, context);
  const piece = { limit: filter.limit ?? DEFAULT_ANOMALY_LIMIT, offset: filter.offset ?? 0 };
  const isGrouped = (filter.groupBy ?? []).length > 0 || (filter.aggregations ?? []).length > 0;
  const read = isGrouped ? listGroups : listRows;
  return read(found, filter, { ...piece, now: context.clock.now() });
}

/** In the requested orders with missing values last, then newest first, then by id. */
async function listRows(
  found: Query,
  { orderBy }: AnomalyFilter,
  { now, ...piece }: Piece & { readonly now: number },
): Promise<AnomalyPage> {
  const orders = (orderBy ?? []).map(({ field, order }) => buildOrder(toSortable(field), order));
  const ordered = found
    .selectAll("platform_anomalies")
    .orderBy(sql.join([...orders, sql`time_ms desc nulls last`, sql`id collate "C"`]));
  const { rows, total } = await readPiece(ordered, piece);
  return { entries: rows.map((row) => toWireAnomaly(row, now)), total };
}

/** In the requested orders, then by the groups' own values. Without fields to group by there is one group. */
async function listGroups(
  found: Query,
  filter: AnomalyFilter,
  { now, ...piece }: Piece & { readonly now: number },
): Promise<AnomalyPage> {
  const fields = [...new Set((filter.groupBy ?? []).map(({ groupByField }) => groupByField))];
  const aggregations = filter.aggregations ?? [];
  const computed = computeAggregations(aggregations);
  const grouped = fields.length === 0 ? found : found.groupBy(fields.map(getValue));
  const rows = await grouped
    .select([
      sql<number>`count(*)`.as("anomalies"),
      ...fields.map((field, index) => sql<string | number | null>`${getValue(field)}`.as(`c${index}`)),
      ...computed.map((value, index) => sql<string | null>`${value}::text`.as(`a${index}`)),
    ])
    .orderBy(
      sql.join([
        ...buildGroupOrders(filter, fields, computed),
        ...fields.map((field) => buildOrder(toSortable(field), "ASCENDING")),
        sql`count(*)`,
      ]),
    )
    .limit(piece.limit)
    .offset(piece.offset)
    .execute();
  const entries = rows.map((row) => {
    const values = row as unknown as Readonly<Record<string, string | number | null>>; // columns named by their index
    const group = Object.fromEntries(fields.map((field, index) => [field, values[`c${index}`] ?? null]));
    return {
      ...toWireAnomaly(toGroupRow(group), now),
      anomalyCount: row.anomalies,
      aggregations: aggregations.map((one, index) => ({
        ...one,
        value: toNumber(values[`a${index}`]?.toString()),
      })),
    };
  });
  const total = await countTotal(piece, rows, () => countGroups(found, fields));
  return { entries, total };
}

async function countGroups(found: Query, fields: readonly AnomalyField[]): Promise<number> {
  if (fields.length === 0) return 1;
  const row = await found
    .select(sql<number>`count(*) over ()`.as("groups"))
    .groupBy(fields.map(getValue))
    .limit(1)
    .executeTakeFirst();
  return row?.groups ?? 0;
}

const AMOUNTS: readonly AnomalyField[] = ["ACTUAL_COST", "EXPECTED_COST", "ANOMALOUS_SPEND"];

function computeAggregations(
  aggregations: NonNullable<AnomalyFilter["aggregations"]>,
): readonly Expression<unknown>[] {
  return aggregations.map(({ operationType, field }, index) => {
    if (operationType !== "COUNT" && !AMOUNTS.includes(field))
      refuseMember(`aggregations.${index}.field`, `${operationType} takes one of ${AMOUNTS.join(", ")}`);
    return sql`${sql.raw(operationType)}(${getValue(field)})`;
  });
}

/** A field that is both grouped by and aggregated orders by the group's own value; of several aggregations the first counts. */
const buildGroupOrders = (
  { orderBy, aggregations }: AnomalyFilter,
  fields: readonly AnomalyField[],
  computed: readonly Expression<unknown>[],
): readonly Expression<unknown>[] =>
  (orderBy ?? []).map(({ field, order }, index) => {
    const aggregation = computed[(aggregations ?? []).findIndex((one) => one.field === field)];
    const value = fields.includes(field) ? toSortable(field) : aggregation;
    const error = "a list in groups is ordered by what it is grouped by or aggregates";
    return buildOrder(value ?? refuseMember(`orderBy.${index}.field`, error), order);
  });

const refuseMember = (member: string, error: string): never =>
  refuseFields([{ field: `anomalyFilterPropertiesDTO.${member}`, error }]);

/** Columns by which a list can be sorted, grouped and aggregated; the other fields are entities. */
const COLUMNS = {
  ANOMALY_ID: "id",
  ANOMALY_TIME: "time_ms",
  ACTUAL_COST: "actual_amount",
  EXPECTED_COST: "expected_amount",
  ANOMALOUS_SPEND: "anomalous_spend",
  STATUS: "status",
  CRITICALITY: "criticality",
  CLOUD_PROVIDER: "cloud_provider",
  RESOURCE_NAME: "resource_name",
  PERSPECTIVE_ID: "perspective_id",
  PERSPECTIVE_NAME: "perspective_name",
  UNIT_METRIC_NAME: "unit_metric_name",
} as const satisfies Partial<Record<AnomalyField, keyof AnomalyRow>>;
const VALUES: Readonly<Record<string, Expression<unknown>>> = {
  ...Object.fromEntries(Object.entries(COLUMNS).map(([field, name]) => [field, column(name)])),
  ...Object.fromEntries(ENTITIES.map(({ field, member }) => [field, entityText(member)])),
};

const getValue = (field: AnomalyField): Expression<unknown> => VALUES[field] ?? sql`null`;

// Texts sort by code point, so that both engines agree.
const toSortable = (field: AnomalyField): Expression<unknown> =>
  field === "ANOMALY_TIME" || AMOUNTS.includes(field) ? getValue(field) : sql`${getValue(field)} collate "C"`;

const buildOrder = (value: Expression<unknown>, order: "ASCENDING" | "DESCENDING"): Expression<unknown> =>
  order === "DESCENDING" ? sql`${value} desc nulls last` : sql`${value} asc nulls last`;

/** A row of which only the values that its group shares are known. */
const toGroupRow = (group: Readonly<Record<string, unknown>>): Partial<AnomalyRow> => ({
  // Each column's value has the column's own type.
  ...(Object.fromEntries(
    Object.entries(COLUMNS).map(([field, name]) => [name, group[field]]),
  ) as Partial<AnomalyRow>),
  entity: Object.fromEntries(ENTITIES.map(({ field, member }) => [member, group[field]])),
});

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

function column(name: keyof PlatformTables["platform_anomalies"]): Expression<unknown> {
  return sql`${sql.ref(`platform_anomalies.${name}`)}`;
}

/** Written out, so that groups and what is selected of them are the same expression. */
function entityText(member: EntityMember): Expression<unknown> {
  return sql`(platform_anomalies.entity ->> ${sql.lit(member)})`;
}

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
