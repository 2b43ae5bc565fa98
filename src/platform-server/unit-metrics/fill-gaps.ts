import type { EmptyValue } from "../../platform/contract/unit-metrics.ts";

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
export function fillGaps(
  found: readonly BucketValue[],
  { starts, handling, before }: Gaps,
): readonly BucketValue[] {
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
