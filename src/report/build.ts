import { totalsOf } from "./cost/totals.ts";
import { lazily } from "./lazily.ts";
import type { PullFacts } from "./model/pull-facts.ts";
import type { Report } from "./model/report.ts";
import { moduleReports, modulesBecause, resourceTypeReports } from "./modules/modules.ts";
import { reportedRows, resourceReports } from "./resources/resources.ts";
import { sumCounts, sumUnpriced, unpricedBecause } from "./stages/changes.ts";
import { driftSplits } from "./stages/drift.ts";
import { lifetimeCosts } from "./stages/lifetimes.ts";
import { type StageNaming, stageReports } from "./stages/stages.ts";
import { sumUsage, usageReports } from "./usage/usage-counts.ts";

/** Facts in, one model of what the pull request costs and changes out. Nothing is recomputed that its source states. */
export function buildReport(facts: PullFacts, options: { readonly stages: readonly StageNaming[] }): Report {
  const report = assembleReport({
    stages: stageReports(facts.stages, options.stages),
    resources: resourceReports(facts.stages),
    rows: reportedRows(facts.stages),
    refused: facts.refused,
    context: facts.context,
  });
  return { ...report };
}

/** What a report is made of: everything else in it is summed from these. */
export type ReportParts = Pick<Report, "stages" | "resources" | "rows" | "refused" | "context">;

/** The sums over these stages, beside what they were made of. Nothing is summed that nobody asks for. */
export function assembleReport(parts: ReportParts): Report {
  const { stages, refused, context } = parts;
  const report: Report = lazily<Report>({
    stages: () => stages,
    resources: () => parts.resources,
    rows: () => parts.rows,
    refused: () => refused,
    context: () => context,
    drift: () => driftSplits(report),
    lifetimes: () => lifetimeCosts(report),
    totals: () => totalsOf(stages, refused),
    modules: () => moduleReports(stages, report),
    modulesBecause: () => modulesBecause(stages),
    resourceTypes: () => resourceTypeReports(stages, report),
    omittedRows: () => stages.reduce((sum, { omittedRows }) => sum + omittedRows, 0),
    changes: () => sumCounts(stages),
    changesAreComplete: () => stages.every(({ countsBecause }) => countsBecause === null),
    unpriced: () => sumUnpriced(stages),
    usageBased: () => usageReports(stages),
    usage: () => sumUsage(stages),
    unpricedIsComplete: () => stages.every((stage) => unpricedBecause(stage) === null),
  });
  return report;
}
