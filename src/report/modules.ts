import { worstOf } from "./cost-state.ts";
import type { StageFacts, UnknownReason } from "./facts.ts";
import { type Part, rollUp } from "./parts.ts";
import type { ModuleReport, ResourceTypeReport, StageReport, TotalReport } from "./report.ts";
import { doubt, factValue } from "./stages.ts";

/** A stage as read, beside what was made of it. */
export interface ReadStage {
  readonly facts: StageFacts;
  readonly report: StageReport;
}

/** What each module costs over all stages. */
export function moduleReports(
  stages: readonly ReadStage[],
  totals: readonly TotalReport[],
): readonly ModuleReport[] {
  const told = stages.flatMap(({ facts, report }) => {
    const modules = factValue(facts.modules);
    if (modules === null) return [];
    const because = doubt(facts, facts.modules, "not_stated");
    const doubted = because === null ? [] : [{ state: "unknown", because: [because] } as const];
    const stage = worstOf([report, ...doubted]);
    return [modules.map(({ module, ...cost }): Part => ({ ...cost, name: module, stage }))];
  });
  return rollUp(told, totals).map(({ name, ...line }) => ({ ...line, module: name }));
}

/** Why the modules of some stage are not known. */
export function modulesBecause(stages: readonly StageFacts[]): readonly UnknownReason[] {
  return [...new Set(stages.flatMap((stage) => doubt(stage, stage.modules, "not_stated") ?? []))];
}

/** What the changed resources of each type cost over all stages. */
export function resourceTypeReports(
  stages: readonly ReadStage[],
  totals: readonly TotalReport[],
): readonly ResourceTypeReport[] {
  const told = stages.flatMap(({ facts, report }) => {
    const cost = factValue(facts.cost);
    if (cost === null) return [];
    const { currency } = cost;
    return [
      cost.groups.map(({ type, previous, current, change, percent }): Part => {
        return { name: type, currency, previous, current, change, percent, stage: report };
      }),
    ];
  });
  return rollUp(told, totals).map(({ name, ...line }) => ({ ...line, type: name }));
}
