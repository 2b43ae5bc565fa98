import { sumCounts, sumUnpriced, unpricedBecause } from "./changes.ts";
import type { PullFacts } from "./facts.ts";
import { moduleReports, modulesBecause, type ReadStage, resourceTypeReports } from "./modules.ts";
import type { Report } from "./report.ts";
import { reportedRows, resourceReports } from "./resources.ts";
import { factValue, type StageNaming, stageReports } from "./stages.ts";
import { totalsOf } from "./totals.ts";

/** Facts in, one model of what the pull request costs and changes out. Nothing is recomputed that its source states. */
export function buildReport(facts: PullFacts, options: { readonly stages: readonly StageNaming[] }): Report {
  const reports = stageReports(facts.stages, options.stages);
  const read = facts.stages.flatMap((stage, index): ReadStage[] => {
    const report = reports[index];
    return report === undefined ? [] : [{ facts: stage, report }];
  });
  const totals = totalsOf(reports, facts.refused);
  return {
    totals,
    stages: reports,
    modules: moduleReports(read, totals),
    modulesBecause: modulesBecause(facts.stages),
    resourceTypes: resourceTypeReports(read, totals),
    resources: resourceReports(facts.stages),
    changes: sumCounts(reports),
    changesAreComplete: reports.every(({ countsBecause }) => countsBecause === null),
    rows: reportedRows(facts.stages),
    omittedRows: facts.stages.reduce((sum, { rows }) => sum + (factValue(rows)?.omitted ?? 0), 0),
    unpriced: sumUnpriced(reports),
    unpricedIsComplete: reports.every((stage) => unpricedBecause(stage) === null),
    refused: facts.refused,
  };
}
