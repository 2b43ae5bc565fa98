import type { Report, StageReport } from "../../report/report.ts";
import { stageKey } from "../../report/stages/stage-label.ts";

/** Modules that these stages of a report name, each as often as it is named. */
export const modulesIn = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap((stage) => stage.modules?.map(({ module }) => module) ?? []),
  ...partsIn(report, stages).map(({ module }) => module),
];

/** Resource types in the same way; empty: the type of a resource is not stated. */
export const typesIn = (report: Report, stages: readonly StageReport[]): readonly string[] => [
  ...stages.flatMap(({ types, unpriced }) => [
    ...(types?.map(({ type }) => type) ?? []),
    ...Object.keys(unpriced?.types ?? {}),
  ]),
  ...partsIn(report, stages).map(({ type }) => type),
];

/** Resources that are priced or change in these stages. */
function partsIn({ rows, resources }: Report, stages: readonly StageReport[]) {
  const keys = new Set(stages.map(stageKey));
  return [...rows, ...resources].filter(({ stage }) => keys.has(stage));
}
