import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { countChangeFilters } from "../../platform/contract/resource-changes.ts";
import type { CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";

/** What a platform says about the size of one snapshot, by the read that said it. */
export interface SnapshotTotals {
  /** Filter counts of `planned_changes`. */
  readonly facets: EndpointOutput<typeof countChangeFilters>;
  /** Total of the planned rows' list, without filters. */
  readonly planned: number;
  readonly drift: number;
  /** Null: the platform does not show it. */
  readonly marker: CountsMarker | null;
}

/** Whether two of the reads contradict each other: then a page may have been lost, and none of them is taken for the whole. */
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

/** The marker's unchanged resources may lie in a category of their own, and its planned total may include them or not. */
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

/** Another try may bring the marker. Any other failure is that of a platform that does not show it: the documents name its upload only. */
const TRANSIENT_FAILURES: ReadonlySet<Failure["kind"]> = new Set([
  "unavailable",
  "timed_out",
  "rate_limited",
]);

/** The marker, null where the platform does not show it, or why it is not known. */
export function toMarkerResult(answer: PlatformResult<CountsMarker>): PlatformResult<CountsMarker | null> {
  return answer.ok || TRANSIENT_FAILURES.has(answer.failure.kind)
    ? answer
    : { ok: true, value: null, headers: {} };
}
