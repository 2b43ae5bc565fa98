import type { Report } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { formatCellName, formatName } from "../escape.ts";
import { formatCount, formatPercent } from "../format.ts";
import { buildCostBreakdowns, type CostBreakdown, countParts } from "./module-columns.ts";
import type { Section, SectionSource } from "./section.ts";
import { buildTree } from "./tree-table.ts";

/** Largest number of modules that are shown. */
const MAX_MODULES = 20;

/** The section about cost drivers: nested modules, with columns for the stages where several change. */
export function buildModulesSection({ evaluation: { report, pull } }: SectionSource): Section {
  const costBreakdowns = pull.figures ? buildCostBreakdowns(report) : [];
  const because =
    pull.figures && report.totals.length > 0 ? report.modulesBecause.map((reason) => ({ reason })) : [];
  const count = costBreakdowns.reduce((sum, { source }) => sum + countParts(source.nodes), 0);
  return {
    template: "modules",
    rows: Math.min(MAX_MODULES, count),
    view: (rows) => {
      const table = buildModuleTableView(report, costBreakdowns, rows);
      const rounded = table?.groups.some((group) => group.rounded) ?? false;
      return table === null && because.length === 0 ? null : { table, because, rounded };
    },
  };
}

/** Most modules of which the range is shown. */
const MAX_RANGES = 3;

/** The section about how past changes of the modules with the largest changes came out. */
export function buildModuleRangesSection({ evaluation: { report, pull } }: SectionSource): Section {
  const { moduleRanges = [], modules } = report;
  const all = modules.flatMap(({ module, currency }) =>
    moduleRanges.filter((one) => one.module === module && one.currency === currency),
  );
  const ranges = all.slice(0, MAX_RANGES).map(({ module, low, high, compared }) => ({
    ...{ module: formatName(module), compared: formatCount(compared) },
    ...{ low: formatPercent(low), high: formatPercent(high) },
  }));
  return {
    template: "module-ranges",
    view: () => (pull.figures && ranges.length > 0 ? { ranges } : null),
  };
}

/** `indent`: one entry for each level beyond the first two. */
function buildModuleTableView(report: Report, breakdowns: readonly CostBreakdown[], rows: number) {
  const label = createStageLabels(report.stages);
  let left = rows;
  const groups = breakdowns.flatMap(({ source }) => {
    const { lines, rounded } = buildTree(source, left);
    left -= lines.filter(({ kind }) => kind === "part").length;
    const views = lines.map(({ path, ...line }) => ({
      ...line,
      label: formatCellName(path.join(".")),
      indent: Array.from({ length: Math.max(0, line.depth - 1) }, () => true),
    }));
    return views.length === 0 ? [] : [{ lines: views, rounded }];
  });
  const [first] = breakdowns;
  if (first === undefined || groups.length === 0) return null;
  const columns = first.columns.map((stages) => {
    const [only] = stages.length === 1 ? stages : [];
    return only === undefined
      ? { label: null, others: formatCount(stages.length) }
      : { label: formatCellName(label(only)), others: null };
  });
  return { what: first.what, columns, groups };
}
