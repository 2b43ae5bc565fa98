import { type RawBuilder, sql } from "kysely";
import type { Bucket } from "../../platform/contract/unit-metrics.ts";
import type { Sql } from "../area/perspective-filter.ts";
import type { Db } from "../tables/tables.ts";
import type { MetricKey } from "../tables/unit-metrics.ts";
import type { BillingColumn } from "./billing-fields.ts";

/** A range of times, both ends inclusive, ms since 1970. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The source of a series' samples. Samples without a value are ignored. */
export type SampleSource =
  | { readonly kind: "records"; readonly key: MetricKey }
  | {
      readonly kind: "billing";
      readonly account: string;
      readonly column: BillingColumn;
      readonly where: Sql;
    };

export type SampleAggregation = "SUM" | "COUNT" | "COUNT_DISTINCT" | "AVG" | "MIN" | "MAX";

export interface Series {
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
export async function readSeries(
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
export async function findNewestBefore(db: Db, source: SampleSource, time: number): Promise<number | null> {
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
