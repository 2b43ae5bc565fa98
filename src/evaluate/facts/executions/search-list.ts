import type { PlatformClient } from "../../../platform/client.ts";
import type { ClientInput } from "../../../platform/contract/endpoint.ts";
import { type Execution, listExecutions } from "../../../platform/contract/executions.ts";
import type { Failure } from "../../../platform/errors.ts";
import { ENDLESS_LIST, readPages } from "../../../platform/pages.ts";

export type Filters = Omit<NonNullable<ClientInput<typeof listExecutions>["query"]>, "limit" | "page">;

/** A search in the executions list of a project. */
export interface Search {
  readonly project: { readonly org: string; readonly project: string };
  readonly filters: Filters;
  /** Whether an execution fits the filters: a platform that ignores the filters lists others too. */
  readonly isFilterHonoured: (execution: Execution) => boolean;
  readonly isWanted: (execution: Execution) => boolean;
  readonly maxPages: number;
}

/**
 * `ignored`: the platform does not know a filter. `isComplete`: everything that fits was read; otherwise there may be more, on
 * pages that were not read.
 */
export type SearchResult =
  | { readonly state: "read"; readonly executions: readonly Execution[]; readonly isComplete: boolean }
  | { readonly state: "ignored" }
  | { readonly state: "failed"; readonly failure: Failure };

/**
 * The smallest documented page size (registry webhooks, unit metrics). A shorter page with only wanted
 * executions is the last one.
 */
const SMALLEST_PAGE = 20;

/**
 * Reads the executions list page by page. Its order is unknown, but the stages of one execution are next to
 * each other: the read ends at the first page without one after a page with one.
 */
export async function searchList(
  platform: Pick<PlatformClient, "call">,
  search: Search,
): Promise<SearchResult> {
  const { project, filters } = search;
  const found = new Map<string, Execution>();
  let pages = 0;
  for await (const page of readPages(platform, listExecutions, { params: project, query: filters })) {
    if (!page.ok) return buildFailedResult(page.failure, found);
    pages += 1;
    const step = collectPage(page.value, search, found);
    if (step === "ignored") return { state: "ignored" };
    if (step !== "more" || pages === search.maxPages) return buildReadResult(found, step === "whole");
  }
  return buildReadResult(found, true);
}

/** Handles a failed page. A list that ignores the page number is complete after the first page. */
const buildFailedResult = (failure: Failure, found: ReadonlyMap<string, Execution>): SearchResult =>
  failure.code === ENDLESS_LIST ? buildReadResult(found, true) : { state: "failed", failure };

/** Collects the wanted executions of a page. `past`: the stages of the execution are on earlier pages. */
function collectPage(
  page: readonly Execution[],
  { isFilterHonoured: fits, isWanted }: Search,
  found: Map<string, Execution>,
): "ignored" | "past" | "whole" | "more" {
  if (!page.every(fits)) return "ignored";
  const wanted = page.filter(isWanted);
  if (found.size > 0 && wanted.length === 0) return "past";
  for (const one of wanted) found.set(buildExecutionStageKey(one), one);
  return isWholeAlone(page, wanted) ? "whole" : "more";
}

const isWholeAlone = (page: readonly Execution[], wanted: readonly Execution[]): boolean =>
  wanted.length > 0 && wanted.length === page.length && page.length < SMALLEST_PAGE;

const buildExecutionStageKey = ({
  pipeline_execution_id: execution,
  pipeline_stage_id: stage,
}: Execution): string => JSON.stringify([execution, stage]);

const buildReadResult = (found: ReadonlyMap<string, Execution>, whole: boolean): SearchResult => ({
  state: "read",
  executions: [...found.values()],
  isComplete: whole,
});
