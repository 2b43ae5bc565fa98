import type { Report, StageReport } from "../../report/report.ts";

type Named = Pick<StageReport, "name" | "workspace" | "project" | "org">;

/** What each stage is called: as short as tells it from all others. Longest form: `org/project/workspace`. */
export function stageLabels(stages: readonly Named[]): (stage: Named) => string {
  const forms: readonly ((stage: Named) => string)[] = [
    (stage) => stage.name,
    (stage) => stage.workspace,
    (stage) => `${stage.project}/${stage.workspace}`,
  ];
  const counts = forms.map((form) => count(stages.map(form)));
  return (stage) => {
    const at = forms.findIndex((form, index) => counts[index]?.get(form(stage)) === 1);
    return forms[at]?.(stage) ?? `${stage.org}/${stage.project}/${stage.workspace}`;
  };
}

/** What to call the stage of a resource, of which only the workspace is known; null where there is one stage, so that nobody asks. */
export function workspaceLabels({ stages }: Report): (workspace: string) => string | null {
  if (stages.length < 2) return () => null;
  const label = stageLabels(stages);
  const labels = new Map<string, string>();
  for (const stage of stages) {
    labels.set(stage.workspace, labels.has(stage.workspace) ? stage.workspace : label(stage));
  }
  return (workspace) => labels.get(workspace) ?? workspace;
}

function count(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
