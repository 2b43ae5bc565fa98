import type { PlatformClient } from "../../../platform/client.ts";
import type { Execution } from "../../../platform/contract/executions.ts";
import type { Failure } from "../../../platform/errors.ts";
import type { ExecutionCandidate } from "./claims.ts";
import { type KnownStage, readNamedStages } from "./named-stages.ts";
import { type Search, type SearchResult, searchList } from "./search-list.ts";

type PlatformCaller = Pick<PlatformClient, "call">;

/** Stages of an execution as far as the platform lists them. `absent`: it lists none of this execution. */
export type FoundExecution =
  | { readonly state: "found"; readonly stages: readonly KnownStage[] }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly failure: Failure };

/** Pages that are read of a list that is narrowed by a filter, and of one that is not. */
const NARROWED_PAGES = 3;
const MAX_PAGES = 10;
/** An execution begins and ends within so many ms around what is posted about it. */
const AROUND_MS = 24 * 3_600_000;

/** Finds an execution by the filter for its id, which the embedded platform is known to have. */
export async function findById(
  platform: PlatformCaller,
  candidate: ExecutionCandidate,
): Promise<FoundExecution> {
  const searched = await searchList(platform, { ...buildIdSearch(candidate), fits: () => true });
  return searched.state === "failed" ? searched : toFoundExecution(searched);
}

/**
 * Finds an execution on a platform of which it is not known what its filters mean: no document prints the name of one. What
 * the filter for the id does not bring is looked for by pipeline, by time, and among all; and by the ids of its stages, which
 * statuses and costs name.
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

const isRefused = ({ kind }: Failure): boolean => kind === "rejected";

const toFoundExecution = (searched: SearchResult): FoundExecution =>
  searched.state === "read" && searched.found.length > 0
    ? { state: "found", stages: searched.found }
    : { state: "absent" };

/** One search after the other, until one finds it. A filter that the platform refuses or ignores finds nothing. */
async function searchAll(platform: PlatformCaller, searches: readonly Search[]): Promise<FoundExecution> {
  for (const search of searches) {
    const searched = await searchList(platform, search);
    const isLast = search === searches.at(-1);
    if (searched.state === "failed" && (isLast || !isRefused(searched.failure))) return searched;
    if (searched.state === "read" && searched.found.length > 0)
      return { state: "found", stages: searched.found };
  }
  return { state: "absent" };
}

const isOfCandidate =
  ({ executionId }: ExecutionCandidate) =>
  (execution: Execution): boolean =>
    execution.pipeline_execution_id === executionId;

function buildIdSearch(candidate: ExecutionCandidate): Search {
  const filters = { pipeline_execution_id: candidate.executionId };
  return { ...buildCommonSearch(candidate), filters, fits: isOfCandidate(candidate), maxPages: MAX_PAGES };
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
        fits: (execution) => execution.pipeline === pipeline,
        maxPages: NARROWED_PAGES,
      });
  if (postedMs !== null) {
    const start = Math.max(0, postedMs[0] - AROUND_MS);
    const end = postedMs[1] + AROUND_MS;
    searches.push({
      ...buildCommonSearch(candidate),
      filters: { start_time: start, end_time: end },
      fits: ({ created }) => created !== null && created >= start && created <= end,
      maxPages: NARROWED_PAGES,
    });
  }
  return [
    ...searches,
    { ...buildCommonSearch(candidate), filters: {}, fits: () => true, maxPages: MAX_PAGES },
  ];
}

const buildCommonSearch = (candidate: ExecutionCandidate) => ({
  project: { org: candidate.org, project: candidate.project },
  isWanted: isOfCandidate(candidate),
});
