import { type RawBuilder, sql } from "kysely";
import { DAY_MS } from "../../kernel/clock.ts";
import { instant, parseInstant } from "../../kernel/instant.ts";
import type { Bucket, EmptyValue } from "../../platform/contract/unit-metrics.ts";
import type { Sql } from "../area/perspective-filter.ts";
import { refuse, refuseFields } from "../area/problem.ts";
import type { Db } from "../tables/tables.ts";
import type { MetricKey } from "../tables/unit-metrics.ts";
import type { BillingColumn } from "./billing-fields.ts";

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

function getNextBucket(start: number, bucket: Bucket): number {
  if (bucket === "DAY") return start + DAY_MS;
  if (bucket === "WEEK") return start + 7 * DAY_MS;
  const at = new Date(start);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

/** A range of times, both ends inclusive, ms since 1970. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The source of a series' samples. Samples without a value are ignored. */
type SampleSource =
  | { readonly kind: "records"; readonly key: MetricKey }
  | {
      readonly kind: "billing";
      readonly account: string;
      readonly column: BillingColumn;
      readonly where: Sql;
    };

type SampleAggregation = "SUM" | "COUNT" | "COUNT_DISTINCT" | "AVG" | "MIN" | "MAX";

interface Series {
  /** Buckets with samples, oldest first: first instant in UTC (ms since 1970) and exact decimal text. */
  readonly buckets: readonly { readonly at: number; readonly value: string }[];
  /** The value of the whole range as one bucket; null: it has no samples. */
  readonly total: string | null;
  /** For amounts of money, the alphabetically first and last currency, or the only one; empty otherwise. */
  readonly currencies: readonly string[];
}

const UNITS: Readonly<Record<Bucket, string>> = { DAY: "day", WEEK: "week", MONTH: "month" };

const AGGREGATED: Readonly<Record<SampleAggregation, RawBuilder<unknown>>> = {
  SUM: sql`sum(value)`,
  COUNT: sql`count(value)`,
  COUNT_DISTINCT: sql`count(distinct value)`,
  AVG: sql`avg(value)`,
  MIN: sql`min(value)`,
  MAX: sql`max(value)`,
};

/** Groups the samples of a range into calendar buckets in UTC (weeks begin on Monday), and aggregates each bucket to one value. */
async function readSeries(
  db: Db,
  source: SampleSource,
  {
    range,
    bucket: unit,
    aggregation,
  }: { readonly range: Range; readonly bucket: Bucket; readonly aggregation: SampleAggregation },
): Promise<Series> {
  const { rows } = await sql<{
    readonly bucket: number | null;
    readonly value: string | null;
    readonly low: string | null;
    readonly high: string | null;
  }>`
    select bucket, (${AGGREGATED[aggregation]})::text as value, min(currency) as low, max(currency) as high
    from (
      select at_ms, value, currency,
        (extract(epoch from date_trunc(${sql.lit(UNITS[unit])}, to_timestamp(at_ms / 1000.0), 'UTC')) * 1000)::bigint
          as bucket
      from (${selectSamples(source)}) as sample
      where at_ms >= ${range.from} and at_ms <= ${range.to}) as placed
    group by grouping sets ((bucket), ())
    order by bucket`.execute(db);
  const buckets = rows.flatMap(({ bucket, value }) =>
    bucket === null || value === null ? [] : [{ at: bucket, value }],
  );
  const whole = rows.find(({ bucket }) => bucket === null);
  const currencies = [whole?.low, whole?.high].filter((name) => typeof name === "string");
  return {
    buckets,
    total: buckets.length === 0 ? null : (whole?.value ?? null),
    currencies: [...new Set(currencies)],
  };
}

/** Returns the instant of the newest sample before `time`, ms since 1970; null: there is none. */
async function findNewestBefore(db: Db, source: SampleSource, time: number): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select max(at_ms) as at from (${selectSamples(source)}) as sample where at_ms < ${time}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Columns `at_ms`, `value` and, of amounts of money, `currency`. */
function selectSamples(source: SampleSource): RawBuilder<unknown> {
  if (source.kind === "records") {
    const { account, metric_identifier } = source.key;
    return sql`select at_ms, value, null::text as currency from platform_unit_metric_records
      where account = ${account} and metric_identifier = ${metric_identifier}`;
  }
  const { account, where } = source;
  const { value, kind } = source.column;
  const currency = kind === "money" ? sql`currency` : sql`null::text`;
  return sql`select start_ms as at_ms, ${value} as value, ${currency} as currency from platform_billing_rows
    where account = ${account} and ${value} is not null and ${where}`;
}
