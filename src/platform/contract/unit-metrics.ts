import { z } from "zod";
import { instant, parseInstant } from "../../kernel/instant.ts";
import type { Contract } from "./endpoint.ts";
import { declareEndpoint } from "./endpoint.ts";
import {
  count,
  createBooleanText,
  createIntegerText,
  identifier,
  list,
  map,
  milliseconds,
  openEnum,
  optionalText,
  orElse,
  orNull,
  wrapInEnvelope,
} from "./shapes/fields.ts";
import { perspectiveFilters } from "./shapes/perspective-filter.ts";

const unitMetric = {
  api: "cost",
  area: "unit-metrics",
  path: "/unit-metric",
  status: 200,
} as const;

const metricIdentifier = identifier.describe("Identifier of the unit metric.");

/** Aggregations of a bucket's samples (cost management 2.8). */
const AGGREGATIONS = ["AVG", "MIN", "MAX", "SUM"] as const;

/** The value of a bucket without samples. */
const EMPTY_VALUES = ["LEAVE_BLANK", "PREVIOUS_VALUE", "ZERO"] as const;
export type EmptyValue = (typeof EMPTY_VALUES)[number];

/** Uploaded, or computed from a column of a data source. */
const METRIC_TYPES = ["MANUAL", "DERIVED"] as const;

const DATA_SOURCES = ["BILLING", "LLM_TRACES"] as const;

/** Aggregations of a bucket's rows. */
const COLUMN_AGGREGATIONS = ["SUM", "COUNT", "COUNT_DISTINCT", "AVG", "MIN", "MAX"] as const;
export type ColumnAggregation = (typeof COLUMN_AGGREGATIONS)[number];

/** Calendar buckets in UTC; a week begins on Monday (ISO 8601). */
const BUCKETS = ["DAY", "WEEK", "MONTH"] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Returns the second of a time of a record, in ms since 1970. */
export const toSecond = (text: string): number => Math.floor(parseInstant(text) / 1000) * 1000;

/** Largest absolute value of a record; sums of larger values would lose precision. */
const MAX_VALUE = 1e15;

const UnitMetricRecord = z
  .object({
    value: z.number().min(-MAX_VALUE).max(MAX_VALUE).describe("Between -10^15 and 10^15."),
    usageTimeStamp: instant.describe("ISO 8601; without an offset in UTC. Kept to the second."),
  })
  .meta({ id: "UnitMetricRecord" });

const LABEL_TEXT = 256;
const LABELS = 128;

const labels = z
  .record(z.string().min(1).max(LABEL_TEXT), z.string().max(LABEL_TEXT))
  .refine((all) => Object.keys(all).length <= LABELS, `expected at most ${LABELS} labels`)
  .meta({ maxProperties: LABELS });

/** The body that creates or changes a unit metric (cost management 2.8). */
export const UnitMetricRequest = z
  .object({
    metricIdentifier: identifier.describe("Unique in the account; never changes."),
    metricName: z.string().min(1).max(256).describe("Display name, 1 to 256 characters."),
    labels: labels
      .nullish()
      .describe("At most 128, keys and values up to 256 characters. Update: `{}` removes all of them."),
    description: z.string().max(1000).nullish().describe("Up to 1,000 characters."),
    defaultAggregation: z
      .enum(AGGREGATIONS)
      .nullish()
      .describe("How the records of a bucket become its value; `AVG` if null or never said."),
    handleEmptyValue: z
      .enum(EMPTY_VALUES)
      .nullish()
      .describe(
        "Buckets without records: left out (`LEAVE_BLANK`, if null or never said), the value before (`PREVIOUS_VALUE`), 0 (`ZERO`).",
      ),
    type: z.enum(METRIC_TYPES).nullish().describe("`MANUAL` if not said; never changes."),
    unitMetricRecords: z
      .array(UnitMetricRecord)
      .max(10_000)
      .nullish()
      .describe("`MANUAL` only. At most 10,000 in one request, each of another time."),
    dataSource: z.enum(DATA_SOURCES).nullish().describe("`DERIVED` only; `BILLING` if never said."),
    fieldId: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .describe("`DERIVED` only, where it is required: the column, e.g. `cost`."),
    columnAggregation: z.enum(COLUMN_AGGREGATIONS).nullish().describe("`DERIVED` only; `SUM` if never said."),
  })
  .meta({ id: "UnitMetricRequest" });
export type UnitMetricRequest = z.output<typeof UnitMetricRequest>;

/** A unit metric without its records. */
export const UnitMetricSummary = z
  .object({
    metricIdentifier: z.string(),
    metricName: z.string(),
    accountId: orNull(z.string()),
    labels: map(z.string()),
    description: orNull(z.string().nullable()),
    defaultAggregation: orElse(openEnum(AGGREGATIONS), "AVG"),
    handleEmptyValue: orElse(openEnum(EMPTY_VALUES), "LEAVE_BLANK"),
    type: openEnum(METRIC_TYPES),
    dataSource: orNull(openEnum(DATA_SOURCES).nullable()).describe(
      "Null unless `DERIVED`; so are the next two.",
    ),
    fieldId: orNull(z.string().nullable()),
    columnAggregation: orNull(openEnum(COLUMN_AGGREGATIONS).nullable()),
    createdAt: milliseconds.describe("Milliseconds since 1970."),
    lastUpdatedAt: milliseconds.describe(
      "When it or its records were last changed, milliseconds since 1970.",
    ),
  })
  .meta({ id: "UnitMetricSummary" });
export type UnitMetricSummary = z.input<typeof UnitMetricSummary>;

export const UnitMetric = UnitMetricSummary.extend({
  unitMetricRecords: list(z.object({ value: z.number(), usageTimeStamp: z.string() })).describe(
    "Oldest first. Of a range: one for each bucket, with the bucket's first second in UTC. Of a create or an update: the records sent.",
  ),
  total: orNull(z.number().nullable()).describe(
    "The whole range as if it were one bucket; null: nothing is in it, or no range was asked for.",
  ),
}).meta({ id: "UnitMetric" });
export type UnitMetric = z.input<typeof UnitMetric>;

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

/** Unit metrics (cost management 4.4), by the name that handlers use. */
export const unitMetrics = {
  getUnitMetric: declareEndpoint({
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
  }),
  createUnitMetric: declareEndpoint({
    ...unitMetric,
    operation: "create",
    method: "POST",
    summary: "Create a unit metric, with its first records",
    source: "cost management 2.8 and 4.4",
    body: UnitMetricRequest,
    response: wrapInEnvelope(UnitMetric),
  }),
  updateUnitMetric: declareEndpoint({
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
  }),
  deleteUnitMetric: declareEndpoint({
    ...unitMetric,
    operation: "delete",
    method: "DELETE",
    summary: "Delete records of a range of time, or the whole unit metric",
    description:
      "The whole metric is not deleted while a perspective refers to it. A derived metric has no records to delete.",
    source: "cost management 4.4",
    query: z.object({
      identifier: metricIdentifier,
      startTime: optionalText(
        64,
        "Begin of the range; required unless the whole metric is deleted, ignored then.",
      ),
      endTime: optionalText(64, "Last moment of the range, as `startTime`; it belongs to it."),
      deleteCompleteMetric: createBooleanText().default(false).describe("The definition and all records."),
    }),
    response: wrapInEnvelope(orNull(z.boolean())),
  }),
  readPerspectiveMetric: declareEndpoint({
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
  }),
  listUnitMetrics: declareEndpoint({
    ...unitMetric,
    operation: "list",
    method: "GET",
    path: "/unit-metric/list",
    summary: "Unit metrics of the account, without their records",
    source: "cost management 4.4 and 8",
    query: z.object({
      pageSize: createIntegerText(1, 100).default(20).describe("1 to 100."),
      pageNo: createIntegerText(0).default(0).describe("Counts from 0."),
      searchKey: optionalText(256, "Part of the name, in upper or lower case."),
      sortType: z.enum(["METRIC_NAME", "LAST_UPDATED_AT"]).default("LAST_UPDATED_AT"),
      sortOrder: z.enum(["ASCENDING", "DESCENDING"]).default("DESCENDING"),
    }),
    response: wrapInEnvelope(z.object({ unitMetrics: list(UnitMetricSummary), totalCount: count })),
    pagination: {
      ask: { by: "page", in: "query", page: "pageNo", size: "pageSize", first: 0 },
      items: ["data", "unitMetrics"],
      total: { in: "body", path: ["data", "totalCount"] },
    },
  }),
} as const satisfies Contract;

export const { getUnitMetric, createUnitMetric, updateUnitMetric, readPerspectiveMetric, listUnitMetrics } =
  unitMetrics;
