import type { EmptyValue } from "../../platform/contract/unit-metrics.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { getBucketStart } from "./buckets.ts";
import { type BucketValue, fillGaps } from "./fill-gaps.ts";
import type { BucketRange } from "./range.ts";
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
