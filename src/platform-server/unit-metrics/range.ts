import { instant, parseInstant } from "../../kernel/instant.ts";
import type { Bucket } from "../../platform/contract/unit-metrics.ts";
import { createProblem, invalidFields, type Problem } from "../area/problem.ts";
import { listBucketStarts } from "./buckets.ts";
import type { Range } from "./store/records.ts";

/** 27 years of days. More would make an answer that nobody reads. */
const MAX_BUCKETS = 10_000;

/** A range in calendar buckets. */
export interface BucketRange extends Range {
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
export function readRange({ startTime, endTime }: Ends): Range | Problem<"bad_request"> {
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
