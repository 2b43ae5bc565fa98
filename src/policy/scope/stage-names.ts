import { compileGlob } from "../../kernel/glob.ts";
import type { Report } from "../../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../../report/model/stage-label.ts";
import type { StageNames } from "../model/context.ts";
import type { StageNaming } from "../model/policy.ts";

/** The names of the stages of a whole report; narrowed reports use the same names. */
export function createStageNames({ stages }: Report, names: readonly StageNaming[]): StageNames {
  const getName = createStageNamer(names);
  const label = createStageLabels(stages);
  const byPlace = new Map(stages.map((stage) => [buildStageKey(stage), label(stage)]));
  return {
    getName: ({ workspace }) => getName(workspace),
    getLabel: (stage) => byPlace.get(buildStageKey(stage)) ?? buildStageKey(stage),
  };
}

/** Returns the report with only these stage names. */
export function renameStages(report: Report, names: readonly StageNaming[]): Report {
  const getName = createStageNamer(names);
  return { ...report, stages: report.stages.map((stage) => ({ ...stage, name: getName(stage.workspace) })) };
}

/**
 * Creates a function that names the stage of a workspace: the first matching pattern's name, else the
 * workspace.
 */
export function createStageNamer(names: readonly StageNaming[]): (workspace: string) => string {
  const compiled = names.map(({ workspace, name }) => ({ matches: compileGlob(workspace), name }));
  return (workspace) => compiled.find(({ matches }) => matches?.(workspace))?.name ?? workspace;
}
