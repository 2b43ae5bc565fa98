import { DAY_MS } from "../../kernel/clock.ts";
import { instant, parseInstant } from "../../kernel/instant.ts";
import type { Bucket, EmptyValue } from "../../platform/contract/unit-metrics.ts";
import { refuse, refuseFields } from "../area/problem.ts";
import type { Db } from "../tables/tables.ts";
import {
  findNewestBefore,
  type Range,
  readSeries,
  type SampleAggregation,
  type SampleSource,
  type Series,
} from "./read-series.ts";

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

export interface BucketValue {
  /** First instant of the bucket, ms since 1970. */
  readonly at: number;
  readonly value: number;
}

/** Reads the values of a range and fills gaps. Amounts in several currencies are refused: they are never added or compared. @throws Refusal */
export async function readValues(
  db: Db,
  { source, aggregation, handling }: ValueSource,
  { range, bucket, starts }: BucketRange,
): Promise<MetricValues> {
  const series = await readSeries(db, source, { range, bucket, aggregation });
  const carries = handling === "PREVIOUS_VALUE" && series.buckets[0]?.at !== starts[0];
  const newest = carries ? await findNewestBefore(db, source, range.from) : null;
  // The newest bucket that has samples before the range, of these samples alone.
  const before = newest === null ? null : { from: getBucketStart(newest, bucket), to: newest };
  const earlier = before && (await readSeries(db, source, { range: before, bucket, aggregation }));
  checkCurrencies([series, earlier], aggregation);
  const found = new Map(series.buckets.map(({ at, value }) => [at, Number(value)]));
  return {
    records: fillGaps(found, { starts, handling, before: toNumber(earlier?.total ?? null) }),
    total: toNumber(series.total),
  };
}

function checkCurrencies(parts: readonly (Series | null)[], aggregation: SampleAggregation): void {
  const currencies = new Set(parts.flatMap((part) => part?.currencies ?? []));
  if (currencies.size < 2 || aggregation.startsWith("COUNT")) return;
  const names = [...currencies].sort().join(", ");
  refuse("bad_request", `the costs are in several currencies (${names}): filter by the field currency`, {
    code: "ILLEGAL_STATE",
  });
}

const toNumber = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/**
 * Fills the buckets of a range without samples: omits them, or fills them with the previous value or with 0. Buckets before the first
 * value, of which `before` is the newest before the range, have no previous value and are omitted: unknown is not zero.
 */
function fillGaps(
  found: ReadonlyMap<number, number>,
  {
    starts,
    handling,
    before,
  }: Pick<BucketRange, "starts"> & { readonly handling: EmptyValue; readonly before: number | null },
): readonly BucketValue[] {
  const filled: BucketValue[] = [];
  let previous = handling === "PREVIOUS_VALUE" ? before : null;
  for (const at of starts) {
    const value = found.get(at) ?? (handling === "ZERO" ? 0 : previous);
    if (value === null) continue;
    filled.push({ at, value });
    if (handling === "PREVIOUS_VALUE") previous = value;
  }
  return filled;
}

/** 27 years of days. More would make an answer that nobody reads. */
const MAX_BUCKETS = 10_000;

interface BucketRange {
  readonly range: Range;
  readonly bucket: Bucket;
  /** First instants of its buckets, oldest first, ms since 1970. */
  readonly starts: readonly number[];
}

interface Ends {
  readonly startTime: string;
  readonly endTime: string;
}

/** Parses a range. Samples have a precision of one second, so none is omitted between ranges. @throws Refusal */
function readRange({ startTime, endTime }: Ends): Range {
  const range = { from: parseInstant(startTime), to: parseInstant(endTime) };
  if (range.from > range.to)
    refuseFields([{ field: "endTime", error: "expected a time that is not before startTime" }]);
  return range;
}

/** @throws Refusal */
export function readBucketRange(query: Ends & { readonly timeTruncGroupBy: Bucket }): BucketRange {
  const range = readRange(query);
  const bucket = query.timeTruncGroupBy;
  const starts: number[] = [];
  for (let at = getBucketStart(range.from, bucket); at <= range.to; at = getNextBucket(at, bucket)) {
    const error = `expected a range of at most ${MAX_BUCKETS} buckets of a ${bucket}`;
    if (starts.length === MAX_BUCKETS) refuseFields([{ field: "endTime", error }]);
    starts.push(at);
  }
  return { range, bucket, starts };
}

/** Parses the range of records to delete; its ends may be missing or invalid. @throws Refusal */
export function readDeletedRange(times: {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}): Range {
  const fields = (["startTime", "endTime"] as const).flatMap((field) => {
    const read = instant.safeParse(times[field]);
    if (read.success) return [];
    const missing = "is missing: required unless deleteCompleteMetric is true";
    const error = times[field] === undefined ? missing : (read.error.issues[0]?.message ?? "not a time");
    return [{ field, error }];
  });
  const { startTime, endTime } = times;
  if (fields.length > 0 || startTime === undefined || endTime === undefined)
    refuse("bad_request", "a range of records is deleted from startTime to endTime", {
      code: "INVALID_ARGUMENT",
      fields,
    });
  return readRange({ startTime, endTime });
}

/** Returns the first instant of the calendar bucket that contains `ms`, in UTC; a week begins on Monday. In ms since 1970, not negative. */
function getBucketStart(ms: number, bucket: Bucket): number {
  const at = new Date(ms);
  if (bucket === "MONTH") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const day = ms - (ms % DAY_MS);
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return bucket === "DAY" ? day : day - sinceMonday * DAY_MS;
}

/** Returns the first instant of the bucket after the one that begins at `start`. */
function getNextBucket(start: number, bucket: Bucket): number {
  if (bucket === "DAY") return start + DAY_MS;
  if (bucket === "WEEK") return start + 7 * DAY_MS;
  const at = new Date(start);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}
