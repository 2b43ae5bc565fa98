import type { Kysely } from "kysely";
import { toSecond, type UnitMetric, type UnitMetricRequest } from "../../platform/contract/unit-metrics.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { define } from "./definition.ts";
import { deleteMetric, insertMetric, lockMetric, type MetricRow, updateMetric } from "./store/metrics.ts";
import { listReferences } from "./store/perspectives.ts";
import { deleteRecords, putRecords, type Range } from "./store/records.ts";
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
