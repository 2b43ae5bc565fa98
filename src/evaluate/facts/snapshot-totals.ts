import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { CountsMarker, countChangeFilters } from "../../platform/contract/resource-changes.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";

/** The totals of one snapshot on the platform, by the read that returned them. */
export interface SnapshotTotals {
  /** Filter counts of `planned_changes`. */
  readonly facets: EndpointOutput<typeof countChangeFilters>;
  /** Total of the planned rows' list, without filters. */
  readonly planned: number;
  readonly drift: number;
  /** Null: the platform does not return it. */
  readonly marker: CountsMarker | null;
}

/**
 * Whether two of the reads contradict each other: then a page may have been lost, and none of them counts as
 * complete.
 */
export function isContradictory({ facets, planned, drift, marker }: SnapshotTotals): boolean {
  const { categories, change_types: types } = facets;
  const byType = Object.values(types);
  const differ = (stated: number | null, found: number) => stated !== null && stated !== found;
  return (
    differ(categories.planned_changes, planned) ||
    differ(categories.drift_changes, drift) ||
    (!byType.includes(null) && byType.reduce<number>((sum, count) => sum + (count ?? 0), 0) !== planned) ||
    (marker !== null && hasMarkerMismatch(marker, { types, planned, drift }))
  );
}

/**
 * Whether the marker differs. Its unchanged resources may be in a separate category, and its planned total
 * may include them or not.
 */
function hasMarkerMismatch(
  { PlannedTotal, PlannedByChangeType: stated, Drift }: CountsMarker,
  {
    types,
    planned,
    drift,
  }: { readonly types: Facets["change_types"]; readonly planned: number; readonly drift: number },
): boolean {
  const elsewhere = stated.unchanged - (types.unchanged ?? 0);
  return (
    (["added", "changed", "deleted"] as const).some(
      (type) => types[type] !== null && types[type] !== stated[type],
    ) ||
    (PlannedTotal !== planned && PlannedTotal !== planned + elsewhere) ||
    Drift !== drift
  );
}

type Facets = SnapshotTotals["facets"];

/**
 * Failures after which a retry may return the marker. After any other failure the platform does not support
 * reading it: only its upload is documented.
 */
const TRANSIENT_FAILURES: ReadonlySet<Failure["kind"]> = new Set([
  "unavailable",
  "timed_out",
  "rate_limited",
]);

/** Returns the marker; null when the platform does not support reading it; a failure when it is unknown. */
export function toMarkerResult(answer: PlatformResult<CountsMarker>): PlatformResult<CountsMarker | null> {
  return answer.ok || TRANSIENT_FAILURES.has(answer.failure.kind)
    ? answer
    : { ok: true, value: null, headers: {} };
}
