import { buildStageKey } from "../../report/model/stage-label.ts";
import { isTouched } from "../../report/resources/touched-stage.ts";
import type { GroupEntry, Overlap } from "./group-entry.ts";

/** Workspaces that more than one of the pull requests changes, or may change. */
export function findOverlaps(entries: readonly GroupEntry[]): readonly Overlap[] {
  const touching = new Map<string, { readonly workspace: string; readonly pulls: Set<number> }>();
  for (const { number, report } of entries) {
    for (const stage of report.stages.filter(isTouched)) {
      const known = touching.get(buildStageKey(stage)) ?? { workspace: stage.workspace, pulls: new Set() };
      touching.set(buildStageKey(stage), known);
      known.pulls.add(number);
    }
  }
  return [...touching.values()]
    .filter(({ pulls }) => pulls.size > 1)
    .map(({ workspace, pulls }) => ({ workspace, pulls: [...pulls] }));
}
