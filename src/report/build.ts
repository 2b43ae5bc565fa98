import { sumTotals } from "./cost/totals.ts";
import { createLazyObject } from "./lazy-object.ts";
import type { PullFacts } from "./model/pull-facts.ts";
import type { Report } from "./model/report.ts";
import { buildModuleReports, buildResourceTypeReports, listModulesReasons } from "./modules/modules.ts";
import { buildReportedRows, buildResourceReports } from "./resources/resources.ts";
import { computeDriftSplits } from "./stages/drift.ts";
import { computeLifetimeCosts } from "./stages/lifetimes.ts";
import { findUnpricedDoubt, sumCounts, sumUnpriced } from "./stages/stage-sums.ts";
import { buildStageReports, type StageName } from "./stages/stages.ts";
import { buildUsageReports, sumUsage } from "./usage/usage-counts.ts";

/**
 * Builds the model of what a pull request costs and changes from its facts. Figures that a source states are
 * not recomputed.
 */
export function buildReport(facts: PullFacts, options: { readonly stages: readonly StageName[] }): Report {
  const report = assembleReport({
    stages: buildStageReports(facts.stages, options.stages),
    resources: buildResourceReports(facts.stages),
    rows: buildReportedRows(facts.stages),
    refused: facts.refused,
    context: facts.context,
  });
  return { ...report };
}

/** The inputs of a report: everything else in it is summed from these. */
export type ReportParts = Pick<Report, "stages" | "resources" | "rows" | "refused" | "context">;

/** Builds the report with sums over these stages. Each sum is computed on first use. */
export function assembleReport(parts: ReportParts): Report {
  const { stages, refused, context } = parts;
  const report: Report = createLazyObject<Report>({
    stages: () => stages,
    resources: () => parts.resources,
    rows: () => parts.rows,
    refused: () => refused,
    context: () => context,
    drift: () => computeDriftSplits(report),
    lifetimes: () => computeLifetimeCosts(report),
    totals: () => sumTotals(stages, refused),
    modules: () => buildModuleReports(stages, report),
    modulesBecause: () => listModulesReasons(stages),
    resourceTypes: () => buildResourceTypeReports(stages, report),
    omittedRows: () => stages.reduce((sum, { omittedRows }) => sum + omittedRows, 0),
    changes: () => sumCounts(stages),
    changesAreComplete: () => stages.every(({ countsBecause }) => countsBecause === null),
    unpriced: () => sumUnpriced(stages),
    usageBased: () => buildUsageReports(stages),
    usage: () => sumUsage(stages),
    unpricedIsComplete: () => stages.every((stage) => findUnpricedDoubt(stage) === null),
  });
  return report;
}
