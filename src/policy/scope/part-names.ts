import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";

/** Lists the module names in these stages of a report, with duplicates. */
export const listModules = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap((stage) => stage.modules?.map(({ module }) => module) ?? []),
  ...listParts(report, stages).map(({ module }) => module),
];

/** Lists the resource types in these stages of a report, with duplicates; empty text: an unstated type. */
export const listResourceTypes = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap(({ types, unpriced }) => [
    ...(types?.map(({ type }) => type) ?? []),
    ...Object.keys(unpriced?.types ?? {}),
  ]),
  ...listParts(report, stages).map(({ type }) => type),
];

/** Priced, usage-based and changed resources of these stages. */
function listParts({ rows, resources, usageBased = [] }: Report, stages: readonly StageReport[]) {
  const keys = new Set(stages.map(buildStageKey));
  return [...rows, ...resources, ...usageBased].filter(({ stage }) => keys.has(stage));
}
