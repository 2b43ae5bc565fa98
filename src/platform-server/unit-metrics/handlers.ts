import { sql } from "kysely";
import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import {
  PerspectiveCondition,
  type PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import {
  type ColumnAggregation,
  toSecond,
  type UnitMetric,
  type UnitMetricRequest,
  type UnitMetricSummary,
  type unitMetrics,
} from "../../platform/contract/unit-metrics.ts";
import { deleteRows, findRow, has, insertNew, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import {
  allOf,
  foldCase,
  isPreview,
  parsePerspectiveFilters,
  parseRules,
  type Sql,
} from "../area/perspective-filter.ts";
import { type FieldProblem, refuse, refuseFields, refuseUnknown } from "../area/problem.ts";
import { readPiece } from "../area/read-piece.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Db, Row } from "../tables/tables.ts";
import type { MetricKey } from "../tables/unit-metrics.ts";
import { BILLING_ROWS, FIELD_IDS, findBillingColumn } from "./billing-fields.ts";
import {
  type MetricValues,
  readBucketRange,
  readDeletedRange,
  readValues,
  type ValueSource,
} from "./read-values.ts";

type MetricRow = Row<"platform_unit_metrics">;

/** Unit metrics (cost management 4.4). */
export const unitMetricsHandlers: Area<typeof unitMetrics> = {
  getUnitMetric: async ({ query }, context) => {
    const range = readBucketRange(query);
    const row = await readMetric(context.db, getKey(context, query.metricIdentifier));
    const values = await readValues(context.db, createValueSource(row, allOf([])), range);
    return { body: createSuccess(toUnitMetric(row, values), context) };
  },

  createUnitMetric: async ({ body }, context) => {
    const now = context.clock.now();
    const key = getKey(context, body.metricIdentifier);
    const created = await transact(context.db, async (trx) => {
      const row = { ...key, ...defineMetric(body, null), created_ms: now, updated_ms: now };
      if ((await insertNew(trx, "platform_unit_metrics", row)) === 0)
        refuse("bad_request", "there is a unit metric of this identifier already", {
          code: "RESOURCE_ALREADY_EXISTS",
          fields: [{ field: "metricIdentifier", error: "taken" }],
        });
      return addRecords(trx, row, body);
    });
    return { body: createSuccess(created, context) };
  },

  updateUnitMetric: async ({ body }, context) => {
    const key = getKey(context, body.metricIdentifier);
    const updated_ms = context.clock.now();
    const changed = await transact(context.db, async (trx) => {
      const stored = await lockMetric(trx, key);
      const changes = { ...defineMetric(body, stored), updated_ms };
      await updateRows(trx, "platform_unit_metrics", key, changes);
      return addRecords(trx, { ...stored, ...changes }, body);
    });
    return { body: createSuccess(changed, context) };
  },

  deleteUnitMetric: async ({ query }, context) => {
    const key = getKey(context, query.identifier);
    const range = query.deleteCompleteMetric ? null : readDeletedRange(query);
    await transact(context.db, async (trx) => {
      const { type } = await lockMetric(trx, key);
      const records = trx.deleteFrom("platform_unit_metric_records").where(has(key));
      if (range === null) {
        await refuseReferenced(trx, key);
        await records.execute();
        await deleteRows(trx, "platform_unit_metrics", key);
        return;
      }
      if (type === "DERIVED")
        refuse("bad_request", "a derived metric has no records of its own to delete", {
          code: "DELETE_NOT_ALLOWED",
        });
      const { numDeletedRows } = await records
        .where("at_ms", ">=", range.from)
        .where("at_ms", "<=", range.to)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n)
        await updateRows(trx, "platform_unit_metrics", key, { updated_ms: context.clock.now() });
    });
    return { body: createSuccess(true, context) };
  },

  readPerspectiveMetric: async ({ params, query, body }, context) => {
    const range = readBucketRange(query);
    const row = await readMetric(context.db, getKey(context, query.metricIdentifier));
    if (row.type !== "DERIVED")
      refuse("bad_request", "a perspective shows derived metrics only; this one is MANUAL", {
        code: "INVALID_REQUEST",
        fields: [{ field: "metricIdentifier", error: "expected a DERIVED metric" }],
      });
    const where = await loadPerspectiveCondition(context, {
      ...params,
      filters: body,
      override: query.overrideFilter,
    });
    const values = await readValues(context.db, createValueSource(row, where), range);
    return { body: createSuccess(toUnitMetric(row, values), context) };
  },

  listUnitMetrics: async ({ query }, context) => {
    const search = foldCase(query.searchKey ?? "");
    const found = context.db
      .selectFrom("platform_unit_metrics")
      .selectAll()
      .where("account", "=", context.account)
      .$if(search !== "", (all) => all.where(sql<boolean>`position(${search} in folded_name) > 0`))
      // "C": code points, so that the order does not depend on the database's language.
      .orderBy(
        query.sortType === "METRIC_NAME" ? sql`folded_name collate "C"` : "updated_ms",
        query.sortOrder === "ASCENDING" ? "asc" : "desc",
      )
      .orderBy(sql`metric_identifier collate "C"`);
    const { pageNo, pageSize } = query;
    const { rows, total } = await readPiece(found, { limit: pageSize, offset: pageNo * pageSize });
    const page = { unitMetrics: rows.map(toMetricSummary), totalCount: total };
    return { body: createSuccess(page, context) };
  },
};

const getKey = ({ account }: Context, metric_identifier: string): MetricKey => ({
  account,
  metric_identifier,
});

const refuseUnknownMetric = (): never => refuseUnknown("there is no such unit metric");

const readMetric = async (db: Db, key: MetricKey): Promise<MetricRow> =>
  (await findRow(db, "platform_unit_metrics", key)) ?? refuseUnknownMetric();

const lockMetric = async (trx: Db, key: MetricKey): Promise<MetricRow> =>
  (await findRow(trx, "platform_unit_metrics", key, "lock")) ?? refuseUnknownMetric();

/** Most perspectives that a refusal names. */
const MAX_NAMED = 10;

async function refuseReferenced(trx: Db, key: MetricKey): Promise<void> {
  const rows = await trx
    .selectFrom("platform_perspective_metrics")
    .select("perspective_id")
    .where(has(key))
    .orderBy(sql`perspective_id collate "C"`)
    .limit(MAX_NAMED + 1)
    .execute();
  if (rows.length === 0) return;
  const named = rows.slice(0, MAX_NAMED).map(({ perspective_id }) => perspective_id);
  const more = rows.length > MAX_NAMED ? " and others" : "";
  const message = `perspectives refer to this unit metric: ${named.join(", ")}${more}; import them without it first`;
  refuse("bad_request", message, { code: "DELETE_NOT_ALLOWED" });
}

/** Adds records to a series; replaces an existing record of the same instant. */
async function addRecords(
  trx: Db,
  row: MetricRow,
  { unitMetricRecords }: UnitMetricRequest,
): Promise<UnitMetric> {
  const records = (unitMetricRecords ?? [])
    .map(({ value, usageTimeStamp }) => ({ at: toSecond(usageTimeStamp), value }))
    .sort((a, b) => a.at - b.at);
  if (records.length > 0)
    await sql`
      insert into platform_unit_metric_records (account, metric_identifier, at_ms, value)
      select ${row.account}, ${row.metric_identifier}, new.at, new.value
        from json_to_recordset(${JSON.stringify(records)}::json) as new(at bigint, value numeric)
      on conflict (account, metric_identifier, at_ms) do update set value = excluded.value`.execute(trx);
  return toUnitMetric(row, { records, total: null });
}

/** What a metric is made of; of a derived one the billing rows that `where` leaves. */
function createValueSource(row: MetricRow, where: Sql): ValueSource {
  const handling = row.handle_empty_value;
  if (row.type === "MANUAL") {
    const { account, metric_identifier, default_aggregation: aggregation } = row;
    return { source: { kind: "records", key: { account, metric_identifier } }, aggregation, handling };
  }
  const column = findBillingColumn(row.field_id ?? "");
  if (column === null)
    throw new TollgateError("internal", `a stored unit metric is derived from no column: ${row.field_id}`);
  const source = { kind: "billing", account: row.account, column, where } as const;
  return { source, aggregation: row.column_aggregation ?? "SUM", handling };
}

const parseLabels = createStoredJsonParser("labels of a unit metric", z.record(z.string(), z.string()));

const toMetricSummary = (row: MetricRow): UnitMetricSummary => ({
  metricIdentifier: row.metric_identifier,
  metricName: row.metric_name,
  accountId: row.account,
  labels: parseLabels(row.labels),
  description: row.description,
  defaultAggregation: row.default_aggregation,
  handleEmptyValue: row.handle_empty_value,
  type: row.type,
  dataSource: row.data_source,
  fieldId: row.field_id,
  columnAggregation: row.column_aggregation,
  createdAt: row.created_ms,
  lastUpdatedAt: row.updated_ms,
});

const toUnitMetric = (row: MetricRow, { records, total }: MetricValues): UnitMetric => ({
  ...toMetricSummary(row),
  unitMetricRecords: records.map(({ at, value }) => ({ value, usageTimeStamp: formatSeconds(at) })),
  total,
});

/** In UTC, to the second, as records are written. */
const formatSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The columns that define a metric, without times and key. */
type MetricDefinition = Omit<
  Row<"platform_unit_metrics">,
  "account" | "metric_identifier" | "created_ms" | "updated_ms"
>;
type Source = Pick<MetricDefinition, "type" | "data_source" | "field_id" | "column_aggregation">;

/** Returns the definition in a request: unstated members are those of `stored`, or have their defaults. @throws Refusal */
function defineMetric(body: UnitMetricRequest, stored: MetricDefinition | null): MetricDefinition {
  const type = body.type ?? stored?.type ?? "MANUAL";
  if (stored !== null && type !== stored.type)
    refuse("bad_request", `type: this metric is ${stored.type}, which never changes`, {
      code: "UPDATE_NOT_ALLOWED",
      fields: [{ field: "type", error: `expected ${stored.type}` }],
    });
  const source: Source =
    type === "MANUAL"
      ? { type, data_source: null, field_id: null, column_aggregation: null }
      : {
          type,
          data_source: body.dataSource ?? stored?.data_source ?? "BILLING",
          field_id: body.fieldId ?? stored?.field_id ?? null,
          column_aggregation: body.columnAggregation ?? stored?.column_aggregation ?? "SUM",
        };
  const fields = type === "MANUAL" ? checkManualMetric(body) : [...checkDerivedMetric(body, source)];
  if (fields.length > 0) refuseFields(fields);
  return {
    metric_name: body.metricName,
    folded_name: foldCase(body.metricName),
    description: body.description ?? stored?.description ?? null,
    labels: body.labels ? JSON.stringify(body.labels) : (stored?.labels ?? "{}"),
    default_aggregation: chooseRequested(body.defaultAggregation, stored?.default_aggregation) ?? "AVG",
    handle_empty_value: chooseRequested(body.handleEmptyValue, stored?.handle_empty_value) ?? "LEAVE_BLANK",
    ...source,
  };
}

/** What is left out stays; null asks for the default, as the document says of both. */
const chooseRequested = <T>(requested: T | null | undefined, stored: T | undefined): T | null | undefined =>
  requested === undefined ? stored : requested;

function checkManualMetric(body: UnitMetricRequest): readonly FieldProblem[] {
  const derived = (["dataSource", "fieldId", "columnAggregation"] as const)
    .filter((field) => (body[field] ?? null) !== null)
    .map((field) => ({ field, error: "only a DERIVED metric has it" }));
  return [...derived, ...checkRepeatedTimes(body)];
}

/** Two records of one instant in one request: which one is meant cannot be known. */
function checkRepeatedTimes({ unitMetricRecords }: UnitMetricRequest): readonly FieldProblem[] {
  const indexes = new Map<number, number>();
  return (unitMetricRecords ?? []).flatMap(({ usageTimeStamp }, index) => {
    const at = toSecond(usageTimeStamp);
    const earlier = indexes.get(at);
    if (earlier === undefined) indexes.set(at, index);
    const field = `unitMetricRecords.${index}.usageTimeStamp`;
    return earlier === undefined ? [] : [{ field, error: `the same instant as record ${earlier}` }];
  });
}

const ON_TEXTS: readonly ColumnAggregation[] = ["COUNT", "COUNT_DISTINCT"];

function* checkDerivedMetric(
  { unitMetricRecords }: UnitMetricRequest,
  { data_source, field_id, column_aggregation }: Source,
): Iterable<FieldProblem> {
  if ((unitMetricRecords ?? []).length > 0)
    yield { field: "unitMetricRecords", error: "only a MANUAL metric has records" };
  if (data_source === "LLM_TRACES")
    yield { field: "dataSource", error: "the embedded platform has no traces; expected BILLING" };
  const column = field_id === null ? null : findBillingColumn(field_id);
  if (field_id === null) yield { field: "fieldId", error: "required when type is DERIVED" };
  else if (column === null)
    yield { field: "fieldId", error: `no field of a billing row; there are ${FIELD_IDS}` };
  else if (column.kind === "text" && !ON_TEXTS.includes(column_aggregation ?? "SUM"))
    yield {
      field: "columnAggregation",
      error: `${field_id} is a text: expected COUNT or COUNT_DISTINCT`,
    };
}

interface PerspectiveQuery {
  readonly perspectiveId: string;
  readonly filters: readonly PerspectiveFilter[];
  /** The perspective's own saved rules do not count. */
  readonly override: boolean;
}

/**
 * Returns the condition on the billing rows of a perspective with further filters, which may add the saved rules of other perspectives.
 * @throws Refusal
 */
async function loadPerspectiveCondition(
  context: Context,
  { perspectiveId, filters, override }: PerspectiveQuery,
): Promise<Sql> {
  const own = await loadSavedCondition(context, perspectiveId);
  const requested = parsePerspectiveFilters(BILLING_ROWS, filters, { now: context.clock.now(), path: "" });
  const conditions = override ? [requested] : [own, requested];
  for (const [index, { viewMetadataFilter: view }] of filters.entries()) {
    // Its own rules count already, or the caller asked that they do not.
    if (view === undefined || isPreview(view) || view.viewId === perspectiveId) continue;
    const field = `${index}.viewMetadataFilter.viewId`;
    conditions.push(await loadSavedCondition(context, view.viewId, [{ field, error: "not found" }]));
  }
  return allOf(conditions);
}

/** Without conditions, a rule would match every row. */
const parseSavedRules = createStoredJsonParser(
  "rules of a perspective",
  z.array(z.object({ conditions: z.array(PerspectiveCondition).min(1) })),
);

async function loadSavedCondition(
  { db, account }: Context,
  perspective_id: string,
  fields?: readonly FieldProblem[],
): Promise<Sql> {
  const saved = await findRow(db, "platform_perspectives", { account, perspective_id });
  const { rules } = saved ?? refuseUnknown("there is no such perspective", fields);
  return parseRules(BILLING_ROWS, parseSavedRules(rules)).condition;
}
