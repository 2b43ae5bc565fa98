import type { z } from "zod";
import { DAY_MS } from "../../kernel/clock.ts";
import type { AnomalyOverview, anomalies } from "../../platform/contract/anomalies.ts";
import { ANOMALY_STATUSES, type AnomalyRequest } from "../../platform/contract/shapes/anomaly-filter.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { anomalyList, buildCriteria } from "./list.ts";
import type { AnomalyCriteria } from "./store/list.ts";
import type { AnomalyTables } from "./store/tables.ts";
import {
  readMeanResolution,
  type StatusSums,
  setAnomalyFeedback,
  setAnomalyStatus,
  sumAll,
  sumByDay,
  sumByStatus,
} from "./store/write.ts";

/** Cost anomalies (cost management 4.3). */
export const anomaliesHandlers: Area<typeof anomalies, AnomalyTables> = {
  listAnomalies: async ({ body }, context) => {
    const found = await anomalyList(body, context);
    if (isProblem(found)) return found;
    return { body: createSuccess(found.entries, context), total: found.total };
  },

  getAnomalyMetrics: ({ body }, context) =>
    answerWithCriteria(body, context, async (criteria) =>
      buildOverview(await sumByStatus(context.db, criteria, computeStaleTime(context.clock.now()))),
    ),

  getAnomalySummary: ({ body }, context) =>
    answerWithCriteria(body, context, async (criteria) => {
      const { anomalies, cost } = await sumAll(context.db, criteria);
      return { count: anomalies, costImpact: Number(cost), status: findSingleStatus(body) };
    }),

  getAnomalyTimeSeries: ({ body }, context) =>
    answerWithCriteria(body, context, async (criteria) =>
      groupByDay(await sumByDay(context.db, criteria, computeStaleTime(context.clock.now()))),
    ),

  getMeanResolutionTime: ({ body }, context) =>
    answerWithCriteria(body, context, async (criteria) => {
      const mean = await readMeanResolution(context.db, criteria);
      return mean === null ? null : Number(mean);
    }),

  updateAnomalyFeedback: async ({ query: { anomalyId, feedback } }, context) => {
    if (anomalyId === undefined) return createMissingFieldProblem("anomalyId");
    if (feedback === undefined) return createMissingFieldProblem("feedback");
    const key = { account: context.token.account, id: anomalyId };
    const done = await setAnomalyFeedback(context.db, key, feedback);
    return done ? { body: createSuccess(true, context) } : createUnknownAnomalyProblem();
  },

  updateAnomalyStatus: async ({ query: { anomalyId, status } }, context) => {
    if (anomalyId === undefined) return createMissingFieldProblem("anomalyId");
    if (status === undefined) return createMissingFieldProblem("status");
    const key = { account: context.token.account, id: anomalyId };
    const to = { status, by: context.token.id, atMs: context.clock.now() };
    const done = await setAnomalyStatus(context.db, key, to);
    return done ? { body: createSuccess(true, context) } : createUnknownAnomalyProblem();
  },
};

async function answerWithCriteria<T>(
  request: AnomalyRequest,
  context: Context<AnomalyTables>,
  ask: (criteria: AnomalyCriteria) => Promise<T>,
): Promise<{ body: ReturnType<typeof createSuccess<T>> } | Problem<"bad_request">> {
  const criteria = buildCriteria(request, context);
  return isProblem(criteria) ? criteria : { body: createSuccess(await ask(criteria), context) };
}

const STALE_DAYS = 14;

/** An active anomaly about which nothing happened since is stale. In ms since 1970. */
const computeStaleTime = (nowMs: number): number => nowMs - STALE_DAYS * DAY_MS;

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

function groupByDay(sums: readonly (StatusSums & { readonly day: number })[]) {
  const days = Map.groupBy(sums, ({ day }) => `${day}`);
  return Object.fromEntries([...days].map(([day, ofDay]) => [day, buildOverview(ofDay)]));
}

function findSingleStatus({ anomalyFilterPropertiesDTO: filter }: AnomalyRequest) {
  const statuses = ANOMALY_STATUSES.filter((status) => filter?.status?.includes(status));
  return statuses.length === 1 ? (statuses[0] ?? null) : null;
}

const createMissingFieldProblem = (field: string): Problem<"bad_request"> =>
  createProblem("bad_request", `the parameter ${field} is missing`, {
    code: "INVALID_ARGUMENT",
    fields: [{ field, error: "is missing" }],
  });

const createUnknownAnomalyProblem = (): Problem<"bad_request"> =>
  createProblem("bad_request", "there is no such anomaly", { code: "RESOURCE_NOT_FOUND" });
