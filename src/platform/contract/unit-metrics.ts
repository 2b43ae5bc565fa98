import { z } from "zod";
import { instant } from "../../kernel/instant.ts";
import type { Contract } from "./endpoint.ts";
import { declareEndpoint } from "./endpoint.ts";
import { wrapInEnvelope } from "./shapes/cost-envelope.ts";
import { count, createBooleanText, createIntegerText, identifier, list, orNull } from "./shapes/fields.ts";
import { perspectiveFilters } from "./shapes/perspective-filter.ts";
import { BUCKETS, UnitMetric, UnitMetricRequest, UnitMetricSummary } from "./shapes/unit-metric-shapes.ts";

const unitMetric = {
  api: "cost",
  area: "unit-metrics",
  path: "/unit-metric",
  status: 200,
  errors: [400, 500],
} as const;

const metricIdentifier = identifier.describe("Identifier of the unit metric.");

const range = {
  startTime: instant.describe(
    "Begin of the range; ISO 8601, without an offset in UTC. A day begins at midnight.",
  ),
  endTime: instant.describe("Last moment of the range, as `startTime`; it belongs to it."),
  timeTruncGroupBy: z
    .enum(BUCKETS)
    .default("DAY")
    .describe("Calendar buckets in UTC; weeks begin on Monday. A range has at most 10,000 of them."),
};

export const getUnitMetric = declareEndpoint({
  ...unitMetric,
  operation: "get",
  method: "GET",
  summary: "A unit metric with its values in a range of time",
  description:
    "Records are put into calendar buckets by their instant in UTC, then each bucket becomes one value by the metric's " +
    "aggregation. Only what lies in the range counts, in its first and last bucket too. Buckets without records are " +
    "handled as `handleEmptyValue` says; the previous value may come from before the range, and there is none before the first record.",
  source: "cost management 4.4",
  query: z.object({ metricIdentifier, ...range }),
  aliases: { metricIdentifier: ["identifier"] },
  response: wrapInEnvelope(UnitMetric),
});

export const createUnitMetric = declareEndpoint({
  ...unitMetric,
  operation: "create",
  method: "POST",
  summary: "Create a unit metric, with its first records",
  source: "cost management 2.8 and 4.4",
  body: UnitMetricRequest,
  response: wrapInEnvelope(UnitMetric),
});

export const updateUnitMetric = declareEndpoint({
  ...unitMetric,
  operation: "update",
  method: "PUT",
  summary: "Change a unit metric, or add records to it",
  description:
    "What is absent or null stays as it is; `labels: {}` removes all labels. Records are added to those that are there; " +
    "one of the same instant is replaced.",
  source: "cost management 2.8 and 4.4",
  body: UnitMetricRequest,
  response: wrapInEnvelope(UnitMetric),
});

export const deleteUnitMetric = declareEndpoint({
  ...unitMetric,
  operation: "delete",
  method: "DELETE",
  summary: "Delete records of a range of time, or the whole unit metric",
  description:
    "The whole metric is not deleted while a perspective refers to it. A derived metric has no records to delete.",
  source: "cost management 4.4",
  query: z.object({
    identifier: metricIdentifier,
    startTime: z
      .string()
      .max(64)
      .optional()
      .describe("Begin of the range; required unless the whole metric is deleted, ignored then."),
    endTime: z
      .string()
      .max(64)
      .optional()
      .describe("Last moment of the range, as `startTime`; it belongs to it."),
    deleteCompleteMetric: createBooleanText().default(false).describe("The definition and all records."),
  }),
  response: wrapInEnvelope(orNull(z.boolean())),
});

export const readPerspectiveMetric = declareEndpoint({
  ...unitMetric,
  operation: "perspective",
  method: "POST",
  path: "/unit-metric/perspective/{perspectiveId}",
  summary: "A derived unit metric over what a perspective shows",
  description:
    "The filters of the body narrow what the perspective's saved rules leave; with `overrideFilter` the saved rules are " +
    "ignored and the body's filters alone count. A `viewMetadataFilter` adds the saved rules of another perspective, " +
    "unless it is a preview.",
  source: "cost management 2.5 and 4.4",
  params: z.object({ perspectiveId: identifier }),
  query: z.object({
    metricIdentifier: metricIdentifier.describe("Identifier of a `DERIVED` unit metric."),
    ...range,
    overrideFilter: createBooleanText().default(false).describe("Ignore the perspective's saved rules."),
  }),
  body: perspectiveFilters,
  response: wrapInEnvelope(UnitMetric),
});

export const listUnitMetrics = declareEndpoint({
  ...unitMetric,
  operation: "list",
  method: "GET",
  path: "/unit-metric/list",
  summary: "Unit metrics of the account, without their records",
  source: "cost management 4.4 and 8",
  query: z.object({
    pageSize: createIntegerText(1, 100).default(20).describe("1 to 100."),
    pageNo: createIntegerText(0).default(0).describe("Counts from 0."),
    searchKey: z.string().max(256).optional().describe("Part of the name, in upper or lower case."),
    sortType: z.enum(["METRIC_NAME", "LAST_UPDATED_AT"]).default("LAST_UPDATED_AT"),
    sortOrder: z.enum(["ASCENDING", "DESCENDING"]).default("DESCENDING"),
  }),
  response: wrapInEnvelope(z.object({ unitMetrics: list(UnitMetricSummary), totalCount: count })),
  pagination: {
    ask: { by: "page", in: "query", page: "pageNo", size: "pageSize", first: 0 },
    items: ["data", "unitMetrics"],
    total: { in: "body", path: ["data", "totalCount"] },
  },
});

/** Unit metrics (cost management 4.4), by the name that handlers use. */
export const unitMetrics = {
  getUnitMetric,
  createUnitMetric,
  updateUnitMetric,
  deleteUnitMetric,
  readPerspectiveMetric,
  listUnitMetrics,
} as const satisfies Contract;
