import { z } from "zod";
import { instant, parseInstant } from "../../../kernel/instant.ts";
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

/** Returns the second of a time of a record, in ms since 1970. */
export const toSecond = (text: string): number => Math.floor(parseInstant(text) / 1000) * 1000;

/** Largest absolute value of a record; sums of larger values would lose precision. */
const MAX_VALUE = 1e15;

export const UnitMetricRecord = z
  .object({
    value: z.number().min(-MAX_VALUE).max(MAX_VALUE).describe("Between -10^15 and 10^15."),
    usageTimeStamp: instant.describe("ISO 8601; without an offset in UTC. Kept to the second."),
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
