import { combineConfidence } from "../cost/cost-state.ts";
import { type CostPart, rollUpParts } from "../cost/parts.ts";
import type { UnknownReason } from "../model/facts.ts";
import type { ModuleReport, Report, ResourceTypeReport, StageReport } from "../model/report.ts";
import { groupUsageByPart } from "../usage/usage-counts.ts";

type WholeCost = Pick<Report, "totals" | "usageBased">;

/** The cost of each module over all stages. */
export function buildModuleReports(
  stages: readonly StageReport[],
  { totals, usageBased }: WholeCost,
): readonly ModuleReport[] {
  const partLists = stages.flatMap((stage) => {
    const { modules, modulesBecause: because } = stage;
    if (modules === null) return [];
    const doubted = because === null ? [] : [{ state: "unknown", because: [because] } as const];
    const confidence = combineConfidence([stage, ...doubted]);
    return [modules.map(({ module, ...cost }): CostPart => ({ ...cost, name: module, stage: confidence }))];
  });
  const getUsage = groupUsageByPart(usageBased, ({ module }) => module);
  return rollUpParts(partLists, totals).map(({ name, ...line }) => ({
    ...line,
    module: name,
    usage: getUsage(name, line),
  }));
}

/** Why the modules of some stage are unknown. */
export const listModulesReasons = (stages: readonly StageReport[]): readonly UnknownReason[] => [
  ...new Set(stages.flatMap((stage) => stage.modulesBecause ?? [])),
];

/** The cost of the changed resources of each type over all stages. */
export function buildResourceTypeReports(
  stages: readonly StageReport[],
  { totals, usageBased }: WholeCost,
): readonly ResourceTypeReport[] {
  const partLists = stages.flatMap((stage) => {
    const { types, currency } = stage;
    if (types === null || currency === null) return [];
    return [types.map(({ type, ...amounts }): CostPart => ({ ...amounts, name: type, currency, stage }))];
  });
  const getUsage = groupUsageByPart(usageBased, ({ type }) => type);
  return rollUpParts(partLists, totals).map(({ name, ...line }) => ({
    ...line,
    type: name,
    usage: getUsage(name, line),
  }));
}
