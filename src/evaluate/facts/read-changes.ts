import type { PlatformClient } from "../../platform/client.ts";
import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import {
  type ChangeRow,
  type CountsMarker,
  countChangeFilters,
  listChanges,
  readChangeCounts,
} from "../../platform/contract/resource-changes.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";
import {
  buildChangesFromListing,
  buildChangesFromRows,
  type ChangeFacts,
  type PlannedCounts,
} from "./change-facts.ts";
import { requireRead, UnreadError, unknown } from "./platform-facts.ts";
import {
  listPageNumbers,
  type RowPage,
  readRowPage,
  readRowPages,
  removeDuplicateRows,
  type StageRef,
} from "./read-rows.ts";

/**
 * Most deleted resources whose address is looked up one by one, when there are too many created ones to read.
 */
const MAX_LOOKUPS = 20;

/**
 * Reads how many resources change in a stage, and which. When the stage is not indexed, the whole listing is
 * read instead. Contradictory totals make everything unknown: a page of the snapshot may have been lost
 * during the upload.
 */
export async function readChanges(platform: PlatformClient, stage: StageRef): Promise<ChangeFacts> {
  try {
    return await readKnownChanges(platform, stage);
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    return { counts: unknown(error.reason), rows: unknown(error.reason) };
  }
}

async function readKnownChanges(platform: PlatformClient, stage: StageRef): Promise<ChangeFacts> {
  const { pipeline_stage_id, ...execution } = stage;
  const [counted, ofPlan, ofDrift, marked] = await Promise.all([
    platform.call(countChangeFilters, { params: stage, query: { category: ["planned_changes"] } }),
    readRowPage(platform, stage, { category: "planned_changes", page: 1 }),
    readRowPage(platform, stage, { category: "drift_changes", page: 1 }),
    platform.call(readChangeCounts, { params: execution, query: { pipeline_stage_id } }).then(toMarkerResult),
  ]);
  const isIndexed = counted.ok || counted.failure.kind !== "not_found";
  const facets = isIndexed ? requireRead(counted) : null;
  const marker = requireRead(marked);
  const notes = marker?.PlanNotes === undefined ? {} : { planNotes: marker.PlanNotes };
  if (facets === null) return { ...(await readListing(platform, stage)), ...notes };
  const [planned, drifted] = [requireRead(ofPlan), requireRead(ofDrift)];
  if (isContradictory({ facets, planned: planned.total, drift: drifted.total, marker }))
    throw new UnreadError("contradictory");
  const counts = { ...facets.change_types, drifted: facets.categories.drift_changes };
  const [rows, drift, moved] = await Promise.all([
    readPlanned(platform, stage, { counts, first: planned }),
    readRowPages(platform, stage, { category: "drift_changes", first: drifted }),
    readMoved(platform, stage, facets.moved ?? 0),
  ]);
  const planRows = removeDuplicateRows([...rows.rows, ...moved]);
  const changes = buildChangesFromRows({
    counts,
    planned: { ...rows, rows: planRows },
    drift: { rows: drift.rows, total: counts.drifted ?? drifted.total },
  });
  const { outputs } = facets.categories;
  return { ...changes, ...notes, ...(outputs !== null && outputs > 0 && { outputRows: outputs }) };
}

/**
 * Reads moved resources, which are among the unchanged ones. They are read only when the platform counts
 * them; the first page is sufficient.
 */
async function readMoved(
  platform: PlatformClient,
  stage: StageRef,
  count: number,
): Promise<readonly ChangeRow[]> {
  if (count === 0) return [];
  const answer = await readRowPage(platform, stage, { category: "planned_changes", page: 1, moved: true });
  return answer.ok ? answer.value.rows : [];
}

async function readListing(platform: PlatformClient, stage: StageRef): Promise<ChangeFacts> {
  const { pipeline_stage_id, ...execution } = stage;
  const query = { pipeline_stage_id, exclude_state: true };
  const answer = await platform.call(listChanges, { params: execution, query });
  if (!answer.ok && answer.failure.kind === "not_found") throw new UnreadError("not_indexed");
  return buildChangesFromListing(requireRead(answer));
}

/** The planned rows that were read; see `PlatformChanges`. */
interface PlannedRows {
  readonly rows: readonly ChangeRow[];
  readonly replacementsKnown: boolean;
}

/**
 * Reads the planned rows. They are sorted by change: deleted, added, changed, unchanged (not read), removed,
 * imported. When there are too many, the kinds that are listed one by one are read first.
 */
async function readPlanned(
  platform: PlatformClient,
  stage: StageRef,
  { counts, first }: { readonly counts: PlannedCounts; readonly first: RowPage },
): Promise<PlannedRows> {
  const { deleted, added, changed, unchanged, removed, imported } = counts;
  if (deleted === null || added === null) return { rows: first.rows, replacementsKnown: false };
  const created = deleted + added;
  const tail = created + (changed ?? 0) + (unchanged ?? 0);
  const pages = [
    ...listPageNumbers(0, deleted, first.paging),
    ...listPageNumbers(tail, tail + (removed ?? 0) + (imported ?? 0), first.paging),
    ...listPageNumbers(deleted, created + (changed ?? 0), first.paging),
  ];
  const { rows, complete } = await readRowPages(platform, stage, {
    category: "planned_changes",
    pages,
    first,
  });
  const wholeHead = rows.filter(({ change }) => change === "deleted" || change === "added").length >= created;
  if (wholeHead || deleted === 0) return { rows, replacementsKnown: wholeHead };
  if (!complete || deleted > MAX_LOOKUPS) return { rows, replacementsKnown: false };
  return lookUpReplacements(platform, stage, rows);
}

/** Adds the created rows with the addresses of deleted ones. */
async function lookUpReplacements(
  platform: PlatformClient,
  stage: StageRef,
  rows: readonly ChangeRow[],
): Promise<PlannedRows> {
  const addresses = rows.flatMap(({ change, resource_address: address }) =>
    change === "deleted" && address !== undefined ? [address] : [],
  );
  const found = await Promise.all(
    addresses.map((search) => readRowPage(platform, stage, { category: "planned_changes", page: 1, search })),
  );
  const created = found.flatMap((answer) =>
    answer.ok ? answer.value.rows.filter(({ change }) => change === "added") : [],
  );
  return {
    rows: removeDuplicateRows([...rows, ...created]),
    replacementsKnown: found.every(({ ok }) => ok),
  };
}

/** The totals of one snapshot on the platform, by the read that returned them. */
interface SnapshotTotals {
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
function isContradictory({ facets, planned, drift, marker }: SnapshotTotals): boolean {
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
function toMarkerResult(answer: PlatformResult<CountsMarker>): PlatformResult<CountsMarker | null> {
  return answer.ok || TRANSIENT_FAILURES.has(answer.failure.kind)
    ? answer
    : { ok: true, value: null, headers: {} };
}
