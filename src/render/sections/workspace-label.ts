import type { Report } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";

/**
 * What to call the stage of a resource, of which only the workspace is known: null where there is one stage, so that nobody
 * asks, and the workspace itself where several stages share it.
 */
export function workspaceLabels({ stages }: Report): (workspace: string) => string | null {
  if (stages.length < 2) return () => null;
  const label = createStageLabels(stages);
  const labels = new Map<string, string>();
  for (const stage of stages) {
    labels.set(stage.workspace, labels.has(stage.workspace) ? stage.workspace : label(stage));
  }
  return (workspace) => labels.get(workspace) ?? workspace;
}
