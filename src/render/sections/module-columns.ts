import { absolute, compare, type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { ModuleReport, Report, StageReport } from "../../report/model/report.ts";
import { buildPartTree, type PartChange, type PartNode } from "../../report/module-tree.ts";
import { type CurrencyFigures, listCurrencyFigures } from "../format.ts";
import type { TreeSource } from "./tree-table.ts";

/** The parts of one currency, with a column for each significant stage where there are several. */
export interface CostBreakdown {
  readonly source: TreeSource;
  readonly what: "module" | "type";
  /** Empty: there is only the change of all stages together. */
  readonly columns: readonly Column[];
}

/** One stage, or all stages without a column of their own. */
export interface Column {
  readonly stages: readonly StageReport[];
}

/**
 * Largest number of stages with a column of their own; with further stages, the largest ones and one column
 * for the others.
 */
const MAX_COLUMNS = 4;

/** The breakdown of the change by module where modules are known, per stage where several stages change. */
export function buildCostBreakdowns(report: Report): readonly CostBreakdown[] {
  const modules = buildMatrix(report, "module");
  if (modules !== null) return [modules];
  const plain = listCurrencyFigures(report).map((figures) => buildPlainBreakdown(report, figures));
  if (plain.reduce((count, { source }) => count + countParts(source.nodes), 0) > 1) return plain;
  const services = buildMatrix(report, "type");
  return services === null ? [] : [services];
}

/** The number of parts, nested ones included. */
export const countParts = (nodes: readonly PartNode[]): number =>
  nodes.reduce((count, { children }) => count + 1 + countParts(children), 0);

function buildPlainBreakdown({ modules }: Report, figures: CurrencyFigures): CostBreakdown {
  const own = modules.filter(({ unattributed, currency }) => !unattributed && currency === figures.currency);
  const partChanges = own.flatMap((module): PartChange[] =>
    module.change === null ? [] : [{ path: splitModulePath(module), cells: [module.change] }],
  );
  const { change } = figures.total;
  const source = {
    figures,
    nodes: buildPartTree(partChanges),
    totals: change === null ? null : [change],
    unknown: own.length - partChanges.length,
  };
  return { source, what: "module", columns: [] };
}

const splitModulePath = ({ module }: Pick<ModuleReport, "module">): readonly string[] => module.split(".");

/** Null where a plain list shows as much: one stage, one part, or figures that are not fully known. */
function buildMatrix(report: Report, what: CostBreakdown["what"]): CostBreakdown | null {
  const [figures, ...more] = listCurrencyFigures(report);
  if (figures === undefined || more.length > 0 || !isSumExact(report, figures)) return null;
  const columns = listColumns(report.stages.filter((stage) => hasChange(stage, what)));
  if (columns.length < 2) return null;
  const parts = columns.flatMap(({ stages }, index) =>
    stages.flatMap((stage) =>
      listStageParts(stage, what).map((part) => placeInColumn(part, index, columns.length)),
    ),
  );
  if (parts.some((part) => part === null)) return null;
  const nodes = buildPartTree(parts.filter((part) => part !== null));
  if (countParts(nodes) < 2) return null;
  const totals = columns.map(({ stages }) => sum(stages.map(({ change }) => change ?? ZERO)));
  return { source: { figures, nodes, totals, unknown: 0 }, what, columns };
}

const isSumExact = ({ stages }: Report, { total }: CurrencyFigures): boolean =>
  total.change !== null &&
  stages.every(({ change }) => change !== null) &&
  minus(total.change, sum(stages.map(({ change }) => change ?? ZERO))) === ZERO;

interface StagePartChange {
  readonly path: readonly string[];
  /** Null: unknown, or in another currency than the stage's. */
  readonly change: Decimal | null;
}

function listStageParts(stage: StageReport, what: CostBreakdown["what"]): readonly StagePartChange[] {
  if (what === "type") return (stage.types ?? []).map(({ type, change }) => ({ path: [type], change }));
  return (stage.modules ?? []).map((module) => ({
    path: splitModulePath(module),
    change: module.currency === stage.currency ? module.change : null,
  }));
}

function placeInColumn({ path, change }: StagePartChange, index: number, columns: number): PartChange | null {
  if (change === null) return null;
  return { path, cells: Array.from({ length: columns }, (_, column) => (column === index ? change : ZERO)) };
}

const hasChange = (stage: StageReport, what: CostBreakdown["what"]): boolean =>
  stage.change !== ZERO || listStageParts(stage, what).some(({ change }) => change !== ZERO);

function listColumns(stages: readonly StageReport[]): readonly Column[] {
  if (stages.length <= MAX_COLUMNS) return stages.map((stage) => ({ stages: [stage] }));
  const largest = [...stages].sort((a, b) => compare(measureChange(b), measureChange(a)));
  const named = largest.slice(0, MAX_COLUMNS - 1).map((stage) => ({ stages: [stage] }));
  return [...named, { stages: largest.slice(MAX_COLUMNS - 1) }];
}

const measureChange = ({ change }: StageReport): Decimal => absolute(change ?? ZERO);
