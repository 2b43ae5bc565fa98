import type { Kysely } from "kysely";
import type { ColumnAggregation } from "../../platform/contract/unit-metrics.ts";
import { toSecond, type UnitMetric, type UnitMetricRequest } from "../../platform/contract/unit-metrics.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Context } from "../area/deps.ts";
import { foldCase } from "../area/fold-case.ts";
import { createProblem, invalidFields, type Problem } from "../area/problem.ts";
import { FIELD_IDS, findBillingColumn } from "./billing-fields.ts";
import {
  deleteMetric,
  deleteRecords,
  insertMetric,
  lockMetric,
  type MetricRow,
  putRecords,
  type Range,
  updateMetric,
} from "./store/metrics.ts";
import { listReferences } from "./store/perspectives.ts";
import type { MetricKey, UnitMetricTables } from "./store/tables.ts";
import { createUnknownMetricProblem, toUnitMetric } from "./wire-metric.ts";

type WriteResult = UnitMetric | Problem<"bad_request">;

/** Creates a metric with its first records. */
export function createMetric(
  context: Context<UnitMetricTables>,
  body: UnitMetricRequest,
): Promise<WriteResult> {
  const now = context.clock.now();
  const key = { account: context.token.account, metric_identifier: body.metricIdentifier };
  return transact(context.db, async (trx) => {
    const definition = define(body, null);
    if ("problem" in definition) return definition;
    const row: MetricRow = { ...key, ...definition, created_ms: now, updated_ms: now };
    if (!(await insertMetric(trx, row))) return createExistingMetricProblem();
    return addRecords(trx, row, body);
  });
}

/** Changes a metric and adds records. */
export function changeMetric(
  context: Context<UnitMetricTables>,
  body: UnitMetricRequest,
): Promise<WriteResult> {
  const now = context.clock.now();
  const key = { account: context.token.account, metric_identifier: body.metricIdentifier };
  return transact(context.db, async (trx) => {
    const stored = await lockMetric(trx, key);
    if (stored === null) return createUnknownMetricProblem();
    const definition = define(body, stored);
    if ("problem" in definition) return definition;
    await updateMetric(trx, key, { ...definition, updated_ms: now });
    return addRecords(trx, { ...stored, ...definition, updated_ms: now }, body);
  });
}

type RemovalResult = true | Problem<"bad_request">;

/** Deletes a metric with all its records. */
export function removeMetric(context: Context<UnitMetricTables>, key: MetricKey): Promise<RemovalResult> {
  return transact(context.db, async (trx) => {
    const stored = await lockMetric(trx, key);
    if (stored === null) return createUnknownMetricProblem();
    const perspectives = await listReferences(trx, key, MAX_NAMED + 1);
    if (perspectives.length > 0) return createReferencedMetricProblem(perspectives);
    await deleteRecords(trx, key, "all");
    await deleteMetric(trx, key);
    return true;
  });
}

/** Deletes the records of a range. */
export function removeRecords(
  context: Context<UnitMetricTables>,
  key: MetricKey,
  range: Range,
): Promise<RemovalResult> {
  const now = context.clock.now();
  return transact(context.db, async (trx) => {
    const stored = await lockMetric(trx, key);
    if (stored === null) return createUnknownMetricProblem();
    if (stored.type === "DERIVED") return createNoRecordsProblem();
    const deleted = await deleteRecords(trx, key, range);
    if (deleted > 0) await updateMetric(trx, key, { updated_ms: now });
    return true;
  });
}

async function addRecords(
  trx: Kysely<UnitMetricTables>,
  row: MetricRow,
  { unitMetricRecords }: UnitMetricRequest,
): Promise<UnitMetric> {
  const records = (unitMetricRecords ?? [])
    .map(({ value, usageTimeStamp }) => ({ at: toSecond(usageTimeStamp), value }))
    .sort((a, b) => a.at - b.at);
  await putRecords(
    trx,
    row,
    records.map(({ at, value }) => ({ at_ms: at, value })),
  );
  return toUnitMetric(row, { records, total: null });
}

const createExistingMetricProblem = (): Problem<"bad_request"> =>
  createProblem("bad_request", "there is a unit metric of this identifier already", {
    code: "RESOURCE_ALREADY_EXISTS",
    fields: [{ field: "metricIdentifier", error: "taken" }],
  });

/** Most perspectives that a refusal names. */
const MAX_NAMED = 10;

function createReferencedMetricProblem(perspectives: readonly string[]): Problem<"bad_request"> {
  const named = perspectives.slice(0, MAX_NAMED).join(", ");
  const more = perspectives.length > MAX_NAMED ? " and others" : "";
  const message = `perspectives refer to this unit metric: ${named}${more}; import them without it first`;
  return createProblem("bad_request", message, { code: "DELETE_NOT_ALLOWED" });
}

const createNoRecordsProblem = (): Problem<"bad_request"> =>
  createProblem("bad_request", "a derived metric has no records of its own to delete", {
    code: "DELETE_NOT_ALLOWED",
  });

/** The columns that define a metric, without times and key. */
type MetricDefinition = Omit<MetricRow, "account" | "metric_identifier" | "created_ms" | "updated_ms">;

interface FieldProblem {
  readonly field: string;
  readonly error: string;
}

/** Returns the definition in a request: unstated members are those of `stored`, or have their defaults. */
function define(
  body: UnitMetricRequest,
  stored: MetricDefinition | null,
): MetricDefinition | Problem<"bad_request"> {
  const type = body.type ?? stored?.type ?? "MANUAL";
  if (stored !== null && type !== stored.type)
    return createProblem("bad_request", `type: this metric is ${stored.type}, which never changes`, {
      code: "UPDATE_NOT_ALLOWED",
      fields: [{ field: "type", error: `expected ${stored.type}` }],
    });
  const definition = {
    metric_name: body.metricName,
    folded_name: foldCase(body.metricName),
    description: body.description ?? stored?.description ?? null,
    labels: body.labels ? JSON.stringify(body.labels) : (stored?.labels ?? "{}"),
    default_aggregation: chooseRequested(body.defaultAggregation, stored?.default_aggregation) ?? "AVG",
    handle_empty_value: chooseRequested(body.handleEmptyValue, stored?.handle_empty_value) ?? "LEAVE_BLANK",
    ...parseSource(body, { type, stored }),
  } satisfies MetricDefinition;
  const fields = [...(type === "MANUAL" ? checkManualMetric(body) : checkDerivedMetric(body, definition))];
  return fields.length === 0 ? definition : invalidFields(fields);
}

/** What is left out stays; null asks for the default, as the document says of both. */
const chooseRequested = <T>(requested: T | null | undefined, stored: T | undefined): T | null | undefined =>
  requested === undefined ? stored : requested;

type Source = Pick<MetricDefinition, "type" | "data_source" | "field_id" | "column_aggregation">;

function parseSource(
  body: UnitMetricRequest,
  { type, stored }: { readonly type: MetricDefinition["type"]; readonly stored: MetricDefinition | null },
): Source {
  if (type === "MANUAL") return { type, data_source: null, field_id: null, column_aggregation: null };
  return {
    type,
    data_source: body.dataSource ?? stored?.data_source ?? "BILLING",
    field_id: body.fieldId ?? stored?.field_id ?? null,
    column_aggregation: body.columnAggregation ?? stored?.column_aggregation ?? "SUM",
  };
}

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

function checkDerivedMetric(body: UnitMetricRequest, source: Source): readonly FieldProblem[] {
  const records = body.unitMetricRecords ?? [];
  return [
    ...(records.length === 0
      ? []
      : [{ field: "unitMetricRecords", error: "only a MANUAL metric has records" }]),
    ...(source.data_source === "LLM_TRACES"
      ? [{ field: "dataSource", error: "the embedded platform has no traces; expected BILLING" }]
      : []),
    ...checkColumn(source),
  ];
}

const ON_TEXTS: readonly ColumnAggregation[] = ["COUNT", "COUNT_DISTINCT"];

function checkColumn({ field_id, column_aggregation }: Source): readonly FieldProblem[] {
  if (field_id === null) return [{ field: "fieldId", error: "required when type is DERIVED" }];
  const column = findBillingColumn(field_id);
  if (column === null) {
    const error = `no field of a billing row; there are ${FIELD_IDS}`;
    return [{ field: "fieldId", error }];
  }
  const countable = column.kind !== "text" || ON_TEXTS.includes(column_aggregation ?? "SUM");
  if (countable) return [];
  const error = `${field_id} is a text: expected COUNT or COUNT_DISTINCT`;
  return [{ field: "columnAggregation", error }];
}
