import { sql, type UpdateObject } from "kysely";
import type { z } from "zod";
import { DAY_MS } from "../../kernel/clock.ts";
import {
  ANOMALY_STATUSES,
  type AnomalyOverview,
  type AnomalyRequest,
  type anomalies,
} from "../../platform/contract/anomalies.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import { updateRows } from "../../store/database/statements.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse, refuseUnknown } from "../area/problem.ts";
import { START_OF_DAY } from "../area/time-conditions.ts";
import type { AllTables } from "../tables/tables.ts";
import { listAnomalies, selectAnomalies } from "./list.ts";

/** Cost anomalies (cost management 4.3). */
export const anomaliesHandlers: Area<typeof anomalies> = {
  listAnomalies: async ({ body }, context) => {
    const { entries, total } = await listAnomalies(body, context);
    return { body: createSuccess(entries, context), total };
  },

  getAnomalyMetrics: async ({ body }, context) => {
    const sums = await selectAnomalies(body, context)
      .select(["status", SUMS.anomalies, SUMS.cost, countStale(context)])
      .groupBy("status")
      .execute();
    return { body: createSuccess(buildOverview(sums), context) };
  },

  getAnomalySummary: async ({ body }, context) => {
    const found = await selectAnomalies(body, context)
      .select([SUMS.anomalies, SUMS.cost])
      .executeTakeFirstOrThrow();
    const summary = {
      count: found.anomalies,
      costImpact: Number(found.cost ?? 0),
      status: findSingleStatus(body),
    };
    return { body: createSuccess(summary, context) };
  },

  getAnomalyTimeSeries: async ({ body }, context) => {
    const sums = await selectAnomalies(body, context)
      .select([START_OF_DAY.as("day"), "status", SUMS.anomalies, SUMS.cost, countStale(context)])
      .where("time_ms", "is not", null)
      .groupBy([START_OF_DAY, "status"])
      .orderBy(START_OF_DAY)
      .execute();
    const days = [...Map.groupBy(sums, ({ day }) => `${day}`)];
    const overviews = Object.fromEntries(days.map(([day, ofDay]) => [day, buildOverview(ofDay)]));
    return { body: createSuccess(overviews, context) };
  },

  getMeanResolutionTime: async ({ body }, context) => {
    const { mean } = await selectAnomalies(body, context)
      .select(sql<string | null>`avg(status_ms - time_ms)::text`.as("mean"))
      .where("status", "=", "RESOLVED")
      .where(sql<boolean>`status_ms >= time_ms`)
      .executeTakeFirstOrThrow();
    return { body: createSuccess(mean === null ? null : Number(mean), context) };
  },

  updateAnomalyFeedback: async ({ query }, context) => {
    const id = query.anomalyId ?? refuseMissing("anomalyId");
    const feedback = query.feedback ?? refuseMissing("feedback");
    return updateAnomaly(context, id, { feedback, feedback_set: true });
  },

  /** The status that it has already changes neither who set it nor when. */
  updateAnomalyStatus: async ({ query }, context) => {
    const id = query.anomalyId ?? refuseMissing("anomalyId");
    const status = query.status ?? refuseMissing("status");
    const { token, clock } = context;
    const isSame = sql<boolean>`status = ${status}::text`;
    return updateAnomaly(context, id, {
      status,
      status_set: true,
      status_by: sql<string | null>`case when ${isSame} then status_by else ${token.id} end`,
      status_ms: sql<number | null>`case when ${isSame} then status_ms else ${clock.now()}::bigint end`,
    });
  },
};

async function updateAnomaly(
  context: Context,
  id: string,
  changes: UpdateObject<AllTables, "platform_anomalies">,
) {
  const key = { account: context.account, id };
  if ((await updateRows(context.db, "platform_anomalies", key, changes)) === 0)
    refuseUnknown("there is no such anomaly");
  return { body: createSuccess(true, context) };
}

const STALE_DAYS = 14;

const SUMS = {
  anomalies: sql<number>`count(*)`.as("anomalies"),
  /** Anomalous spend, an exact decimal text. */
  cost: sql<string | null>`sum(anomalous_spend)::text`.as("cost"),
};

/** Active anomalies that neither began nor had their status set within the last days. */
const countStale = ({ clock }: Context) =>
  sql<number>`count(*) filter (where status = 'ACTIVE'
    and greatest(time_ms, status_ms) < ${clock.now() - STALE_DAYS * DAY_MS}::bigint)`.as("stale");

interface StatusSums {
  readonly status: string;
  readonly anomalies: number;
  readonly cost: string | null;
  readonly stale: number;
}

/** Sums by status as they are answered; a status without any counts none. */
function buildOverview(sums: readonly StatusSums[]): z.input<typeof AnomalyOverview> {
  const of = (status: (typeof ANOMALY_STATUSES)[number]) => {
    const found = sums.find((one) => one.status === status);
    return { count: found?.anomalies ?? 0, costImpact: Number(found?.cost ?? 0), status };
  };
  const [active, ignored, archived, resolved] = ANOMALY_STATUSES;
  return {
    active: of(active),
    ignored: of(ignored),
    archived: of(archived),
    resolved: of(resolved),
    staleAnomalyCount: sums.reduce((total, { stale }) => total + stale, 0),
    staleAnomalyThresholdDays: STALE_DAYS,
  };
}

function findSingleStatus({ anomalyFilterPropertiesDTO: filter }: AnomalyRequest) {
  const statuses = ANOMALY_STATUSES.filter((status) => filter?.status?.includes(status));
  return statuses.length === 1 ? (statuses[0] ?? null) : null;
}

const refuseMissing = (field: string): never =>
  refuse("bad_request", `the parameter ${field} is missing`, {
    code: "INVALID_ARGUMENT",
    fields: [{ field, error: "is missing" }],
  });
