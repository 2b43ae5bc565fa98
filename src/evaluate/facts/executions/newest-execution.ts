import type { PlatformClient } from "../../../platform/client.ts";
import type { Execution } from "../../../platform/contract/executions.ts";
import { type Search, type SearchResult, searchList } from "./search-list.ts";

type PlatformCaller = Pick<PlatformClient, "call">;

/** Most pages that are read of a list whose order is unknown. */
const MAX_PAGES = 10;

/** Returns the newest execution of a workspace; null: there is none, or the newest cannot be determined. */
export async function findNewestExecution(
  platform: PlatformCaller,
  { workspace, ...project }: { readonly org: string; readonly project: string; readonly workspace: string },
): Promise<Execution | null> {
  const isWanted = (execution: Execution): boolean => execution.workspace === workspace;
  const byWorkspace: Search = {
    project,
    filters: { workspace },
    isFilterHonoured: isWanted,
    isWanted,
    maxPages: 1,
  };
  const all = { ...byWorkspace, filters: {}, isFilterHonoured: () => true };
  for (const search of [
    byWorkspace,
    { ...byWorkspace, maxPages: MAX_PAGES },
    { ...all, maxPages: MAX_PAGES },
  ]) {
    const searched = await searchList(platform, search);
    if (isConclusive(searched)) return selectNewest(searched.executions);
  }
  return null;
}

/** Whether no newer execution can be on an unread page. */
const isConclusive = (searched: SearchResult): searched is Extract<SearchResult, { state: "read" }> =>
  searched.state === "read" && (searched.isComplete || isNewestFirst(searched.executions));

const getCreated = ({ created }: Execution): number => created ?? 0;

const isNewestFirst = (found: readonly Execution[]): boolean =>
  found.length > 0 &&
  found.every((one, at) => at === 0 || getCreated(found[at - 1] ?? one) >= getCreated(one));

const selectNewest = (found: readonly Execution[]): Execution | null =>
  found.reduce<Execution | null>(
    (newest, one) => (newest === null || getCreated(one) > getCreated(newest) ? one : newest),
    null,
  );
