import { instant, parseInstant } from "../../kernel/instant.ts";
import type { Bucket, EmptyValue } from "../../platform/contract/unit-metrics.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, invalidFields, type Problem } from "../area/problem.ts";
import { getBucketStart, listBucketStarts } from "./buckets.ts";
import type { Range } from "./store/metrics.ts";
import {
  findNewestBefore,
  readSeries,
  type SampleAggregation,
  type SampleSource,
  type Series,
} from "./store/series.ts";
import type { UnitMetricTables } from "./store/tables.ts";

/** The source of a metric's values. */
export interface ValueSource {
  readonly source: SampleSource;
  readonly aggregation: SampleAggregation;
  readonly handling: EmptyValue;
}

export interface MetricValues {
  readonly records: readonly BucketValue[];
  /** The value of the whole range as one bucket; null: it has no samples. */
  readonly total: number | null;
}

/**
 * Reads the values of a range and fills gaps. Amounts in several currencies are refused: they are never added
 * or compared.
 */
export async function readValues(
  { db }: Pick<Context<UnitMetricTables>, "db">,
  reading: ValueSource,
  range: BucketRange,
): Promise<MetricValues | Problem<"bad_request">> {
  const { source, aggregation, handling } = reading;
  const series = await readSeries(db, { source, range, unit: range.bucket, aggregation });
  const carries = handling === "PREVIOUS_VALUE" && series.buckets[0]?.at !== range.starts[0];
  const earlier = carries ? await findNewestBucket(db, reading, range) : null;
  const mixed = checkCurrencies([series, earlier], aggregation);
  if (mixed !== null) return mixed;
  const found = series.buckets.map(({ at, value }) => ({ at, value: Number(value) }));
  const before = toNumber(earlier?.total ?? null);
  return {
    records: fillGaps(found, { starts: range.starts, handling, before }),
    total: toNumber(series.total),
  };
}

/** The newest bucket that has samples before the range, of these samples alone. */
async function findNewestBucket(
  db: Context<UnitMetricTables>["db"],
  { source, aggregation }: ValueSource,
  { from, bucket }: BucketRange,
): Promise<Series | null> {
  const newest = await findNewestBefore(db, source, from);
  if (newest === null) return null;
  const range = { from: getBucketStart(newest, bucket), to: newest };
  return readSeries(db, { source, range, unit: bucket, aggregation });
}

function checkCurrencies(
  parts: readonly (Series | null)[],
  aggregation: SampleAggregation,
): Problem<"bad_request"> | null {
  const currencies = new Set(parts.flatMap((part) => part?.currencies ?? []));
  if (currencies.size < 2 || aggregation.startsWith("COUNT")) return null;
  const names = [...currencies].sort().join(", ");
  return createProblem(
    "bad_request",
    `the costs are in several currencies (${names}): filter by the field currency`,
    {
      code: "ILLEGAL_STATE",
    },
  );
}

const toNumber = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

export interface BucketValue {
  /** First instant of the bucket, ms since 1970. */
  readonly at: number;
  readonly value: number;
}

interface Gaps {
  /** Every bucket of the range. */
  readonly starts: readonly number[];
  readonly handling: EmptyValue;
  /** The newest value before the range; null: there is none. */
  readonly before: number | null;
}

/**
 * Fills the buckets of a range without samples: omits them, or fills them with the previous value or with 0.
 * Buckets before the first value have no previous value and are omitted: unknown is not zero.
 */
function fillGaps(found: readonly BucketValue[], { starts, handling, before }: Gaps): readonly BucketValue[] {
  const known = new Map(found.map(({ at, value }) => [at, value]));
  const filled: BucketValue[] = [];
  let previous = handling === "PREVIOUS_VALUE" ? before : null;
  for (const at of starts) {
    const value = known.get(at) ?? (handling === "ZERO" ? 0 : previous);
    if (value === null) continue;
    filled.push({ at, value });
    if (handling === "PREVIOUS_VALUE") previous = value;
  }
  return filled;
}

/** 27 years of days. More would make an answer that nobody reads. */
const MAX_BUCKETS = 10_000;

/** A range in calendar buckets. */
interface BucketRange extends Range {
  readonly bucket: Bucket;
  /** First instants of its buckets, oldest first, ms since 1970. */
  readonly starts: readonly number[];
}

interface Ends {
  readonly startTime: string;
  readonly endTime: string;
}

/**
 * Parses a range; both ends are inclusive. Samples have a precision of one second, so none is omitted between
 * ranges.
 */
function readRange({ startTime, endTime }: Ends): Range | Problem<"bad_request"> {
  const range = { from: parseInstant(startTime), to: parseInstant(endTime) };
  if (range.from <= range.to) return range;
  return invalidFields([{ field: "endTime", error: "expected a time that is not before startTime" }]);
}

export function readBucketRange(
  query: Ends & { readonly timeTruncGroupBy: Bucket },
): BucketRange | Problem<"bad_request"> {
  const range = readRange(query);
  if ("problem" in range) return range;
  const bucket = query.timeTruncGroupBy;
  const starts = listBucketStarts(range, bucket, MAX_BUCKETS);
  if (starts !== null) return { ...range, bucket, starts };
  const error = `expected a range of at most ${MAX_BUCKETS} buckets of a ${bucket}`;
  return invalidFields([{ field: "endTime", error }]);
}

/** Parses the range of records to delete; its ends may be missing or invalid. */
export function readDeletedRange(times: {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}): Range | Problem<"bad_request"> {
  const fields = (["startTime", "endTime"] as const).flatMap((field) => {
    const read = instant.safeParse(times[field]);
    if (read.success) return [];
    const missing = "is missing: required unless deleteCompleteMetric is true";
    const error = times[field] === undefined ? missing : (read.error.issues[0]?.message ?? "not a time");
    return [{ field, error }];
  });
  const { startTime, endTime } = times;
  if (fields.length > 0 || startTime === undefined || endTime === undefined)
    return createProblem("bad_request", "a range of records is deleted from startTime to endTime", {
      code: "INVALID_ARGUMENT",
      fields,
    });
  return readRange({ startTime, endTime });
}
