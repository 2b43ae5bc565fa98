import type { ColumnAggregation } from "../../platform/contract/unit-metrics.ts";
import { toSecond, type UnitMetricRequest } from "../../platform/contract/unit-metrics.ts";
import { foldCase } from "../area/fold-case.ts";
import { type FieldProblem, refuse, refuseFields } from "../area/problem.ts";
import type { Row } from "../tables/tables.ts";
import { FIELD_IDS, findBillingColumn } from "./billing-fields.ts";

/** The columns that define a metric, without times and key. */
type MetricDefinition = Omit<
  Row<"platform_unit_metrics">,
  "account" | "metric_identifier" | "created_ms" | "updated_ms"
>;
type Source = Pick<MetricDefinition, "type" | "data_source" | "field_id" | "column_aggregation">;

/** Returns the definition in a request: unstated members are those of `stored`, or have their defaults. @throws Refusal */
export function defineMetric(body: UnitMetricRequest, stored: MetricDefinition | null): MetricDefinition {
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
