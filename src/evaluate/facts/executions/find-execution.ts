import type { PlatformClient } from "../../../platform/client.ts";
import type { Execution } from "../../../platform/contract/executions.ts";
import type { Failure } from "../../../platform/errors.ts";
import type { ExecutionCandidate } from "./claims.ts";
import { type KnownStage, readNamedStages } from "./named-stages.ts";
import { type Search, type SearchResult, searchList } from "./search-list.ts";

type PlatformCaller = Pick<PlatformClient, "call">;

/** The stages of an execution that the platform lists. `absent`: it lists none. */
export type FoundExecution =
  | { readonly state: "found"; readonly stages: readonly KnownStage[] }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly failure: Failure };

/** Most pages that are read of a filtered list, and of an unfiltered one. */
const NARROWED_PAGES = 3;
const MAX_PAGES = 10;
/** Longest time, in ms, between the statuses about an execution and its beginning or end. */
const AROUND_MS = 24 * 3_600_000;

/** Finds an execution by the filter for its id, which the embedded platform supports. */
export async function findById(
  platform: PlatformCaller,
  candidate: ExecutionCandidate,
): Promise<FoundExecution> {
  const searched = await searchList(platform, { ...buildIdSearch(candidate), isFilterHonoured: () => true });
  return searched.state === "failed" ? searched : toFoundExecution(searched);
}

/**
 * Finds an execution on a platform whose filters are unknown, because no document names them. When the filter
 * for the id returns nothing, the search continues by pipeline, by time and among all executions, and by the
 * ids of its stages in statuses and costs.
 */
export async function findExecution(
  platform: PlatformCaller,
  candidate: ExecutionCandidate,
): Promise<FoundExecution> {
  const first = await searchList(platform, buildIdSearch(candidate));
  if (first.state === "failed" && !isRefused(first.failure)) return first;
  const found = first.state === "failed" ? ({ state: "absent" } as const) : toFoundExecution(first);
  if (found.state === "found") return found;
  const [listed, named] = await Promise.all([
    searchAll(platform, buildFallbackSearches(candidate)),
    readNamedStages(platform, candidate),
  ]);
  if (listed.state === "failed") return listed;
  if (named.state === "failed") return named;
  const stages = new Map<string, KnownStage>(named.stages.map((stage) => [stage.pipeline_stage_id, stage]));
  if (listed.state === "found") for (const stage of listed.stages) stages.set(stage.pipeline_stage_id, stage);
  return stages.size === 0 ? { state: "absent" } : { state: "found", stages: [...stages.values()] };
}

/** Finds an execution by the filter for its id with one call; absent also where the platform does not honour the filter. */
export async function findOnFirstPage(
  platform: PlatformCaller,
  candidate: ExecutionCandidate,
): Promise<FoundExecution> {
  const searched = await searchList(platform, { ...buildIdSearch(candidate), maxPages: 1 });
  return searched.state === "failed" ? searched : toFoundExecution(searched);
}

const isRefused = ({ kind }: Failure): boolean => kind === "rejected";

const toFoundExecution = (searched: SearchResult): FoundExecution =>
  searched.state === "read" && searched.executions.length > 0
    ? { state: "found", stages: searched.executions }
    : { state: "absent" };

/**
 * Runs one search after the other until one finds the execution. A filter that the platform refuses or
 * ignores finds nothing.
 */
async function searchAll(platform: PlatformCaller, searches: readonly Search[]): Promise<FoundExecution> {
  for (const search of searches) {
    const searched = await searchList(platform, search);
    const isLast = search === searches.at(-1);
    if (searched.state === "failed" && (isLast || !isRefused(searched.failure))) return searched;
    if (searched.state === "read" && searched.executions.length > 0)
      return { state: "found", stages: searched.executions };
  }
  return { state: "absent" };
}

const isOfCandidate =
  ({ executionId }: ExecutionCandidate) =>
  (execution: Execution): boolean =>
    execution.pipeline_execution_id === executionId;

function buildIdSearch(candidate: ExecutionCandidate): Search {
  const filters = { pipeline_execution_id: candidate.executionId };
  return {
    ...buildCommonSearch(candidate),
    filters,
    isFilterHonoured: isOfCandidate(candidate),
    maxPages: MAX_PAGES,
  };
}

function buildFallbackSearches(candidate: ExecutionCandidate): readonly Search[] {
  const { pipeline, postedMs } = candidate.trace;
  const searches: Search[] = [];
  if (pipeline !== null)
    // The live service describes the second of these filters as "Pipeline identifier".
    for (const filters of [{ pipeline }, { pipeline_execution_id: pipeline }])
      searches.push({
        ...buildCommonSearch(candidate),
        filters,
        isFilterHonoured: (execution) => execution.pipeline === pipeline,
        maxPages: NARROWED_PAGES,
      });
  if (postedMs !== null) {
    const start = Math.max(0, postedMs[0] - AROUND_MS);
    const end = postedMs[1] + AROUND_MS;
    searches.push({
      ...buildCommonSearch(candidate),
      filters: { start_time: start, end_time: end },
      isFilterHonoured: ({ created }) => created !== null && created >= start && created <= end,
      maxPages: NARROWED_PAGES,
    });
  }
  return [
    ...searches,
    { ...buildCommonSearch(candidate), filters: {}, isFilterHonoured: () => true, maxPages: MAX_PAGES },
  ];
}

const buildCommonSearch = (candidate: ExecutionCandidate) => ({
  project: { org: candidate.org, project: candidate.project },
  isWanted: isOfCandidate(candidate),
});
