import type { Report } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";

/**
 * Creates a function that labels the stage of a resource by its workspace: null where there is only one
 * stage, and the workspace itself where several stages share it.
 */
export function createWorkspaceLabels({ stages }: Report): (workspace: string) => string | null {
  if (stages.length < 2) return () => null;
  const label = createStageLabels(stages);
  const labels = new Map<string, string>();
  for (const stage of stages) {
    labels.set(stage.workspace, labels.has(stage.workspace) ? stage.workspace : label(stage));
  }
  return (workspace) => labels.get(workspace) ?? workspace;
}
