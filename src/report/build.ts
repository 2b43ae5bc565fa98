import { sumCounts, sumUnpriced, unpricedBecause } from "./changes.ts";
import { driftSplits } from "./drift.ts";
import { lifetimeCosts } from "./lifetimes.ts";
import { moduleReports, modulesBecause, resourceTypeReports } from "./modules.ts";
import type { PullFacts } from "./pull-facts.ts";
import type { Report } from "./report.ts";
import { reportedRows, resourceReports } from "./resources.ts";
import { type StageNaming, stageReports } from "./stages.ts";
import { totalsOf } from "./totals.ts";

/** Facts in, one model of what the pull request costs and changes out. Nothing is recomputed that its source states. */
export function buildReport(facts: PullFacts, options: { readonly stages: readonly StageNaming[] }): Report {
  return assembleReport({
    stages: stageReports(facts.stages, options.stages),
    resources: resourceReports(facts.stages),
    rows: reportedRows(facts.stages),
    refused: facts.refused,
    context: facts.context,
  });
}

/** What a report is made of: everything else in it is summed from these. */
export type ReportParts = Pick<Report, "stages" | "resources" | "rows" | "refused" | "context">;

/** The sums over these stages, beside what they were made of. */
export function assembleReport({ stages, resources, rows, refused, context }: ReportParts): Report {
  const totals = totalsOf(stages, refused);
  return {
    stages,
    resources,
    rows,
    refused,
    context,
    drift: driftSplits({ stages, resources, rows }),
    lifetimes: lifetimeCosts({ stages, context }),
    totals,
    modules: moduleReports(stages, totals),
    modulesBecause: modulesBecause(stages),
    resourceTypes: resourceTypeReports(stages, totals),
    omittedRows: stages.reduce((sum, { omittedRows }) => sum + omittedRows, 0),
    changes: sumCounts(stages),
    changesAreComplete: stages.every(({ countsBecause }) => countsBecause === null),
    unpriced: sumUnpriced(stages),
    unpricedIsComplete: stages.every((stage) => unpricedBecause(stage) === null),
  };
}
