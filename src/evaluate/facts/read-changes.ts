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
import type { UnknownReason } from "../../report/model/facts.ts";
import {
  buildChangesFromListing,
  buildChangesFromRows,
  type ChangeFacts,
  type PlannedCounts,
  type PlatformChanges,
} from "./change-facts.ts";
import { toUnknownReason, unknown } from "./platform-facts.ts";
import {
  listPageNumbers,
  MAX_ROWS,
  type RowPage,
  readPage,
  readPages,
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
  const { pipeline_stage_id, ...execution } = stage;
  const [facets, planned, drifted, marker] = await Promise.all([
    platform.call(countChangeFilters, { params: stage, query: { category: ["planned_changes"] } }),
    readPage(platform, stage, { category: "planned_changes", page: 1 }),
    readPage(platform, stage, { category: "drift_changes", page: 1 }),
    platform.call(readChangeCounts, { params: execution, query: { pipeline_stage_id } }).then(toMarkerResult),
  ]);
  if (!facets.ok && facets.failure.kind !== "not_found")
    return buildUnknownChanges(toUnknownReason(facets.failure));
  if (!marker.ok) return buildUnknownChanges(toUnknownReason(marker.failure));
  const planNotes = marker.value?.PlanNotes;
  const notes = planNotes === undefined ? {} : { planNotes };
  if (!facets.ok) return { ...(await readListing(platform, stage)), ...notes };
  if (!planned.ok) return buildUnknownChanges(toUnknownReason(planned.failure));
  if (!drifted.ok) return buildUnknownChanges(toUnknownReason(drifted.failure));
  const totals = { facets: facets.value, planned: planned.value.total, drift: drifted.value.total };
  if (isContradictory({ ...totals, marker: marker.value })) return buildUnknownChanges("contradictory");
  const counts = { ...facets.value.change_types, drifted: facets.value.categories.drift_changes };
  const [rows, drift, moved] = await Promise.all([
    readPlanned(platform, stage, { counts, first: planned.value }),
    readDrift(platform, stage, { counts, first: drifted.value }),
    readMoved(platform, stage, facets.value.moved ?? 0),
  ]);
  const known = new Set(rows.rows.map(({ ordinal }) => ordinal));
  const more = moved.filter(({ ordinal }) => !known.has(ordinal));
  const changes = buildChangesFromRows({
    counts,
    planned: { ...rows, rows: [...rows.rows, ...more] },
    drift,
  });
  return { ...changes, ...notes };
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
  const answer = await readPage(platform, stage, { category: "planned_changes", page: 1, moved: true });
  return answer.ok ? answer.value.rows : [];
}

const buildUnknownChanges = (reason: UnknownReason): ChangeFacts => ({
  counts: unknown(reason),
  rows: unknown(reason),
});

async function readListing(platform: PlatformClient, stage: StageRef): Promise<ChangeFacts> {
  const { pipeline_stage_id, ...execution } = stage;
  const query = { pipeline_stage_id, exclude_state: true };
  const answer = await platform.call(listChanges, { params: execution, query });
  if (answer.ok) return buildChangesFromListing(answer.value);
  const isMissing = answer.failure.kind === "not_found";
  return buildUnknownChanges(isMissing ? "not_indexed" : toUnknownReason(answer.failure));
}

async function readDrift(
  platform: PlatformClient,
  stage: StageRef,
  { counts, first }: { readonly counts: PlannedCounts; readonly first: RowPage },
): Promise<PlatformChanges["drift"]> {
  const pages = listPageNumbers(0, Math.min(first.total, MAX_ROWS), first.paging);
  const { rows } = await readPages(platform, stage, { category: "drift_changes", pages, first });
  return { rows: removeDuplicateRows([...first.rows, ...rows]), total: counts.drifted ?? first.total };
}

interface IndexedChanges {
  readonly counts: PlannedCounts;
  readonly first: RowPage;
}

/**
 * Reads the planned rows. They are sorted by change: deleted, added, changed, unchanged (not read), removed,
 * imported. When there are too many, the kinds that are listed one by one are read first.
 */
async function readPlanned(
  platform: PlatformClient,
  stage: StageRef,
  { counts, first }: IndexedChanges,
): Promise<PlatformChanges["planned"]> {
  const { deleted, added, changed, unchanged, removed, imported } = counts;
  if (deleted === null || added === null) return { rows: first.rows, replacementsKnown: false };
  const created = deleted + added;
  const tail = created + (changed ?? 0) + (unchanged ?? 0);
  const pages = [
    ...listPageNumbers(0, deleted, first.paging),
    ...listPageNumbers(tail, tail + (removed ?? 0) + (imported ?? 0), first.paging),
    ...listPageNumbers(deleted, created + (changed ?? 0), first.paging),
  ];
  const { rows, complete } = await readPages(platform, stage, { category: "planned_changes", pages, first });
  const read = removeDuplicateRows([...first.rows, ...rows]);
  const wholeHead = read.filter(({ change }) => change === "deleted" || change === "added").length >= created;
  if (wholeHead || deleted === 0) return { rows: read, replacementsKnown: wholeHead };
  return lookUpReplacements(platform, stage, { rows: read, deleted, complete });
}

interface PartialRows {
  readonly rows: readonly ChangeRow[];
  readonly deleted: number;
  readonly complete: boolean;
}

async function lookUpReplacements(
  platform: PlatformClient,
  stage: StageRef,
  { rows, deleted, complete }: PartialRows,
): Promise<PlatformChanges["planned"]> {
  if (!complete || deleted > MAX_LOOKUPS) return { rows, replacementsKnown: false };
  const addresses = rows.flatMap(({ change, resource_address: address }) =>
    change === "deleted" && address !== undefined ? [address] : [],
  );
  const found = await Promise.all(
    addresses.map((search) => readPage(platform, stage, { category: "planned_changes", page: 1, search })),
  );
  const created = found.flatMap((answer) =>
    answer.ok ? answer.value.rows.filter(({ change }) => change === "added") : [],
  );
  const known = new Set(rows.map(({ ordinal }) => ordinal));
  return {
    rows: [...rows, ...created.filter(({ ordinal }) => !known.has(ordinal))],
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
