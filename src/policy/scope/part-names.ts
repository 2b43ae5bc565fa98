import type { Report, StageReport } from "../../report/model/report.ts";
import { stageKey } from "../../report/model/stage-label.ts";

/** Modules that these stages of a report name, each as often as it is named. */
export const listModules = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap((stage) => stage.modules?.map(({ module }) => module) ?? []),
  ...partsIn(report, stages).map(({ module }) => module),
];

/** Resource types in the same way; empty: the type of a resource is not stated. */
export const listResourceTypes = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap(({ types, unpriced }) => [
    ...(types?.map(({ type }) => type) ?? []),
    ...Object.keys(unpriced?.types ?? {}),
  ]),
  ...partsIn(report, stages).map(({ type }) => type),
];

/** Resources of these stages that are priced, paid by use, or change. */
function partsIn({ rows, resources, usageBased = [] }: Report, stages: readonly StageReport[]) {
  const keys = new Set(stages.map(stageKey));
  return [...rows, ...resources, ...usageBased].filter(({ stage }) => keys.has(stage));
}
