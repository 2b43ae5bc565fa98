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
  const parts = stages.flatMap(({ facts, report }) =>
    (factValue(facts.modules) ?? []).map(({ module, ...cost }): Part => {
      const because = doubt(facts, facts.modules, "not_stated");
      const doubted = because === null ? [] : [{ state: "unknown", because: [because] } as const];
      return { ...cost, name: module, stage: worstOf([report, ...doubted]) };
    }),
  );
  return rollUp(parts, totals).map(({ name, ...line }) => ({ ...line, module: name }));
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
  const parts = stages.flatMap(({ facts, report }) => {
    const cost = factValue(facts.cost);
    return (cost?.groups ?? []).map(({ type, previous, current, change, percent }): Part => {
      const currency = cost?.currency ?? "";
      return { name: type, currency, previous, current, change, percent, stage: report };
    });
  });
  return rollUp(parts, totals).map(({ name, ...line }) => ({ ...line, type: name }));
}
