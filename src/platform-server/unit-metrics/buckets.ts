import { DAY_MS } from "../../kernel/clock.ts";
import type { Bucket } from "../../platform/contract/unit-metrics.ts";
import type { Range } from "./store/metrics.ts";

/**
 * Returns the first instant of the calendar bucket that contains `ms`, in UTC; a week begins on Monday. In ms
 * since 1970, not negative.
 */
export function getBucketStart(ms: number, bucket: Bucket): number {
  const at = new Date(ms);
  if (bucket === "MONTH") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const day = ms - (ms % DAY_MS);
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return bucket === "DAY" ? day : day - sinceMonday * DAY_MS;
}

/** Returns the first instant of the bucket after the one that begins at `start`. */
export function getNextBucket(start: number, bucket: Bucket): number {
  if (bucket === "DAY") return start + DAY_MS;
  if (bucket === "WEEK") return start + 7 * DAY_MS;
  const at = new Date(start);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

/**
 * Returns the first instants of all buckets that a range touches, oldest first; null: there are more than
 * `limit`.
 */
export function listBucketStarts(
  { from, to }: Range,
  bucket: Bucket,
  limit: number,
): readonly number[] | null {
  const starts: number[] = [];
  for (let start = getBucketStart(from, bucket); start <= to; start = getNextBucket(start, bucket)) {
    if (starts.length === limit) return null;
    starts.push(start);
  }
  return starts;
}
