import {
  type ColumnAggregation,
  toSecond,
  type UnitMetricRequest,
} from "../../platform/contract/unit-metrics.ts";
import { foldCase } from "../area/fold-case.ts";
import { createProblem, invalidFields, type Problem } from "../area/problem.ts";
import { FIELD_IDS, findBillingColumn } from "./billing-fields.ts";
import type { MetricRow } from "./store/metrics.ts";

/** The columns that define a metric, without times and key. */
export type MetricDefinition = Omit<MetricRow, "account" | "metric_identifier" | "created_ms" | "updated_ms">;

interface FieldProblem {
  readonly field: string;
  readonly error: string;
}

/** Returns the definition in a request: unstated members are those of `stored`, or have their defaults. */
export function define(
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
