import type { Report, StageReport } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { type Cell, formatCellName } from "../escape.ts";
import { formatCount } from "../format.ts";
import { type Column, type CostBreakdown, countParts } from "./module-columns.ts";
import type { Section, Subject } from "./section.ts";
import { buildTree, type TreeLine } from "./tree-table.ts";

interface ModuleLineView extends Omit<TreeLine, "path"> {
  readonly label: Cell;
  /** Indentation: one entry for each level beyond the first two. */
  readonly indent: readonly true[];
}

interface ModuleTableView {
  readonly what: CostBreakdown["what"];
  /** A stage, or a number of other stages. */
  readonly columns: readonly { readonly label: Cell | null; readonly others: Cell | null }[];
  readonly groups: readonly { readonly lines: readonly ModuleLineView[]; readonly rounded: boolean }[];
}

/** Largest number of modules that are shown. */
const MAX_MODULES = 20;

/** The section about cost drivers: nested modules, with columns for the stages where several change. */
export function buildModulesSection({
  evaluation: { report, pull },
  costBreakdowns: driven,
}: Subject): Section {
  const because =
    pull.figures && report.totals.length > 0 ? report.modulesBecause.map((reason) => ({ reason })) : [];
  return {
    template: "modules",
    rows: Math.min(
      MAX_MODULES,
      driven.reduce((count, { source }) => count + countParts(source.nodes), 0),
    ),
    isRequired: false,
    view: (rows) => {
      const table = driven.length === 0 ? null : buildModuleTableView(report, driven, rows);
      const rounded = table?.groups.some((group) => group.rounded) ?? false;
      return table === null && because.length === 0 ? null : { table, because, rounded };
    },
  };
}

/** Whether the modules section is shown, so that the resources follow it. */
export const hasModules = ({ costBreakdowns: driven }: Subject): boolean => driven.length > 0;

function buildModuleTableView(
  report: Report,
  driven: readonly CostBreakdown[],
  rows: number,
): ModuleTableView | null {
  const label = createStageLabels(report.stages);
  let left = rows;
  const groups = driven.map(({ source }) => {
    const { lines, rounded } = buildTree(source, left);
    left -= lines.filter(({ kind }) => kind === "part").length;
    return { lines: lines.map(buildModuleLineView), rounded };
  });
  const [first] = driven;
  const visibleGroups = groups.filter(({ lines }) => lines.length > 0);
  if (first === undefined || visibleGroups.length === 0) return null;
  return {
    what: first.what,
    columns: first.columns.map((column) => buildColumnView(column, label)),
    groups: visibleGroups,
  };
}

const buildModuleLineView = ({ path, ...line }: TreeLine): ModuleLineView => ({
  ...line,
  label: formatCellName(path.join(".")),
  indent: Array.from({ length: Math.max(0, line.depth - 1) }, () => true as const),
});

function buildColumnView({ stages }: Column, label: (stage: StageReport) => string) {
  const [only, ...more] = stages;
  return only === undefined || more.length > 0
    ? { label: null, others: formatCount(stages.length) }
    : { label: formatCellName(label(only)), others: null };
}
