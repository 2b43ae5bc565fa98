import type { z } from "zod";
import type { Anomalies } from "../../platform/contract/anomalies.ts";
import {
  type AnomalyFilter,
  type AnomalyRequest,
  DEFAULT_ANOMALY_LIMIT,
} from "../../platform/contract/shapes/anomaly-filter.ts";
import { countTotal } from "../area/count-total.ts";
import type { Context } from "../area/deps.ts";
import { invalidFields, isProblem, type Problem } from "../area/problem.ts";
import { buildCriteria } from "./criteria.ts";
import { type AnomalyField, FIELD_COLUMNS } from "./fields.ts";
import {
  type AnomalyGrouping,
  countGroups,
  groupAnomalies,
  listAnomalies,
  type Order,
} from "./store/list.ts";
import { sumAll } from "./store/metrics.ts";
import type { AnomalyTables } from "./store/tables.ts";
import { toWireAnomaly, toWireGroup } from "./wire-anomaly.ts";

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
