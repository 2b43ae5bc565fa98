import type { PlatformClient } from "../../platform/client.ts";
import type { Category, ChangeRow } from "../../platform/contract/change-snapshot.ts";
import { listChanges } from "../../platform/contract/extra.ts";
import { countChangeFilters, listChangeRows } from "../../platform/contract/resource-changes.ts";
import type { ChangeCounts, ChangeRows, Fact } from "../../report/facts.ts";
import { changesFromListing, changesFromRows, type PlannedCounts } from "./change-facts.ts";
import { unknownReason } from "./platform-facts.ts";

/** One stage run of an execution on the platform. */
export interface StageRef {
  readonly org: string;
  readonly project: string;
  readonly pipeline_execution_id: string;
  readonly pipeline_stage_id: string;
}

export interface StageChanges {
  readonly counts: Fact<ChangeCounts>;
  readonly rows: Fact<ChangeRows>;
}

const PAGE = 100;
/** Rows that are read to be named, at most; the rest is counted. */
const MAX_ROWS = 2_000;
/** So many deleted resources are looked up one by one where all created ones are too many to read. */
const MAX_LOOKUPS = 20;

/** How many resources change in a stage, and which of them a reader must hear of. Not indexed: the whole listing is read instead. */
export async function readChanges(platform: PlatformClient, stage: StageRef): Promise<StageChanges> {
  const [facets, planned, drifted] = await Promise.all([
    platform.call(countChangeFilters, { params: stage, query: { category: ["planned_changes"] } }),
    readPage(platform, stage, { category: "planned_changes", page: 1 }),
    readPage(platform, stage, { category: "drift_changes", page: 1 }),
  ]);
  if (!facets.ok) {
    return facets.failure.kind === "not_found" ? readListing(platform, stage) : bothUnknown(facets.failure);
  }
  if (!planned.ok) return bothUnknown(planned.failure);
  if (!drifted.ok) return bothUnknown(drifted.failure);
  const counts = { ...facets.value.change_types, drifted: facets.value.categories.drift_changes };
  const rows = await readRowsThatMatter(platform, stage, { counts, first: planned.value });
  const drift = { rows: drifted.value, total: counts.drifted ?? drifted.value.length };
  return changesFromRows({ counts, planned: rows, drift });
}

const bothUnknown = (failure: Parameters<typeof unknownReason>[0]): StageChanges => {
  const fact = { state: "unknown", reason: unknownReason(failure) } as const;
  return { counts: fact, rows: fact };
};

async function readListing(platform: PlatformClient, stage: StageRef): Promise<StageChanges> {
  const { org, project, pipeline_execution_id, pipeline_stage_id } = stage;
  const answer = await platform.call(listChanges, {
    params: { org, project, pipeline_execution_id },
    query: { pipeline_stage_id, exclude_state: true },
  });
  if (answer.ok) return changesFromListing(answer.value);
  if (answer.failure.kind !== "not_found") return bothUnknown(answer.failure);
  const fact = { state: "unknown", reason: "not_indexed" } as const;
  return { counts: fact, rows: fact };
}

interface PageRef {
  readonly category: Category;
  readonly page: number;
  readonly search?: string;
}

async function readPage(platform: PlatformClient, stage: StageRef, { category, page, search }: PageRef) {
  const query = { page, page_size: PAGE, ...(search === undefined ? {} : { search }) };
  const answer = await platform.call(listChangeRows, { params: { ...stage, category }, query });
  return answer.ok ? { ok: true as const, value: answer.value.rows } : answer;
}

/** What was read of the planned changes. */
export interface PlannedRows {
  readonly rows: readonly ChangeRow[];
  /** Whether every deleted row's address was looked for among the created ones. */
  readonly replacementsKnown: boolean;
}

interface Known {
  readonly counts: PlannedCounts;
  readonly first: readonly ChangeRow[];
}

/** Rows lie sorted by change: deleted and added first, removed and imported last. Only those ranges are read. */
async function readRowsThatMatter(
  platform: PlatformClient,
  stage: StageRef,
  { counts, first }: Known,
): Promise<PlannedRows> {
  const { deleted, added, changed, unchanged, removed, imported } = counts;
  if (deleted === null || added === null) return { rows: first, replacementsKnown: false };
  const head = deleted === 0 ? 0 : deleted + added;
  const tailStart = deleted + added + (changed ?? 0) + (unchanged ?? 0);
  const tailEnd = tailStart + (removed ?? 0) + (imported ?? 0);
  const wholeHead = head <= MAX_ROWS;
  const wanted = [
    ...pagesOf(0, wholeHead ? head : Math.min(deleted, MAX_ROWS)),
    ...pagesOf(tailStart, tailEnd),
  ];
  const pages = [...new Set(wanted)].filter((page) => page > 1).slice(0, MAX_ROWS / PAGE);
  const read = await Promise.all(
    pages.map((page) => readPage(platform, stage, { category: "planned_changes", page })),
  );
  const rows = [...first, ...read.flatMap((answer) => (answer.ok ? answer.value : []))];
  const complete = read.every(({ ok }) => ok);
  if (wholeHead) return { rows, replacementsKnown: complete };
  return lookUpReplacements(platform, stage, { rows, deleted, complete });
}

/** Page numbers that cover the ordinals from `start` up to `end`. */
function pagesOf(start: number, end: number): readonly number[] {
  if (end <= start) return [];
  const first = Math.floor(start / PAGE) + 1;
  const last = Math.ceil(end / PAGE);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

interface TooMany {
  readonly rows: readonly ChangeRow[];
  readonly deleted: number;
  readonly complete: boolean;
}

async function lookUpReplacements(
  platform: PlatformClient,
  stage: StageRef,
  { rows, deleted, complete }: TooMany,
): Promise<PlannedRows> {
  if (!complete || deleted > MAX_LOOKUPS) return { rows, replacementsKnown: false };
  const addresses = rows.flatMap(({ change, resource_address: address }) =>
    change === "deleted" && address !== undefined ? [address] : [],
  );
  const found = await Promise.all(
    addresses.map((search) => readPage(platform, stage, { category: "planned_changes", page: 1, search })),
  );
  const created = found.flatMap((answer) =>
    answer.ok ? answer.value.filter(({ change }) => change === "added") : [],
  );
  const known = new Set(rows.map(({ ordinal }) => ordinal));
  return {
    rows: [...rows, ...created.filter(({ ordinal }) => !known.has(ordinal))],
    replacementsKnown: found.every(({ ok }) => ok),
  };
}
