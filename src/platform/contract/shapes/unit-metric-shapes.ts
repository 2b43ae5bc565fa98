import { z } from "zod";
import { identifier, list, map, milliseconds, openEnum, orElse, orNull } from "./fields.ts";

/** Aggregations of a bucket's samples (cost management 2.8). */
export const AGGREGATIONS = ["AVG", "MIN", "MAX", "SUM"] as const;

/** The value of a bucket without samples. */
export const EMPTY_VALUES = ["LEAVE_BLANK", "PREVIOUS_VALUE", "ZERO"] as const;
export type EmptyValue = (typeof EMPTY_VALUES)[number];

/** Uploaded, or computed from a column of a data source. */
export const METRIC_TYPES = ["MANUAL", "DERIVED"] as const;

export const DATA_SOURCES = ["BILLING", "LLM_TRACES"] as const;

/** Aggregations of a bucket's rows. */
export const COLUMN_AGGREGATIONS = ["SUM", "COUNT", "COUNT_DISTINCT", "AVG", "MIN", "MAX"] as const;
export type ColumnAggregation = (typeof COLUMN_AGGREGATIONS)[number];

/** Calendar buckets in UTC; a week begins on Monday (ISO 8601). */
export const BUCKETS = ["DAY", "WEEK", "MONTH"] as const;
export type Bucket = (typeof BUCKETS)[number];

/** End of the year 9999 in UTC, in ms since 1970: the last second with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

const EXPECTED =
  "expected a time such as 2026-01-31T00:00:00Z or 2026-01-31T00:00:00+01:00 (in an address, + is %2B)";

const limitDateRange = (text: z.ZodISODateTime) =>
  text.refine(
    (time) => Date.parse(time) >= 0 && Date.parse(time) <= LAST_MS,
    "expected a time from 1970 to 9999",
  );

/** A time with a precision of one second, with `Z` or an offset. */
export const timestamp = limitDateRange(z.iso.datetime({ offset: true, precision: 0, error: EXPECTED }));

/**
 * An end of a range: ISO 8601 with `Z` or an offset, optionally with fractions of a second (cost management
 * 4.4).
 */
export const moment = limitDateRange(z.iso.datetime({ offset: true, error: EXPECTED }).max(64));

/**
 * Returns the second of a record's time, in ms since 1970. A time without an offset is in UTC; a day begins
 * at midnight.
 */
export function toSecond(text: string): number {
  const isInUtc = /(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes("T");
  return Math.floor(Date.parse(isInUtc ? text : `${text}Z`) / 1000) * 1000;
}

/**
 * A record's time. The documents require only a text, so every form of ISO 8601 that names one instant is
 * accepted (cost management 2.8).
 */
const recordTime = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], { error: EXPECTED })
  .refine((text) => text.length <= 64 && toSecond(text) >= 0 && toSecond(text) <= LAST_MS, {
    error: "expected a time from 1970 to 9999",
  });

/** Largest absolute value of a record; sums of larger values would lose precision. */
const MAX_VALUE = 1e15;

export const UnitMetricRecord = z
  .object({
    value: z.number().min(-MAX_VALUE).max(MAX_VALUE).describe("Between -10^15 and 10^15."),
    usageTimeStamp: recordTime.describe("ISO 8601; without an offset in UTC. Kept to the second."),
  })
  .meta({ id: "UnitMetricRecord" });
export type UnitMetricRecord = z.output<typeof UnitMetricRecord>;

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

/** A unit metric with records. */
export const UnitMetric = UnitMetricSummary.extend({
  unitMetricRecords: list(z.object({ value: z.number(), usageTimeStamp: z.string() })).describe(
    "Oldest first. Of a range: one for each bucket, with the bucket's first second in UTC. Of a create or an update: the records sent.",
  ),
  total: orNull(z.number().nullable()).describe(
    "The whole range as if it were one bucket; null: nothing is in it, or no range was asked for.",
  ),
}).meta({ id: "UnitMetric" });
export type UnitMetric = z.input<typeof UnitMetric>;
