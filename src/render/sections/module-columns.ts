import { absolute, compare, type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildPartTree, type PartChange, type PartNode } from "../../report/module-tree.ts";
import { type CurrencyFigures, listCurrencyFigures } from "../format.ts";
import type { TreeSource } from "./tree-table.ts";

/** The parts of one currency, with a column for each significant stage where there are several. */
export interface CostBreakdown {
  readonly source: TreeSource;
  readonly what: "module" | "type";
  /** The stages of each column, the last one perhaps of several. Empty: there is only the change of all stages together. */
  readonly columns: readonly (readonly StageReport[])[];
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
  const partChanges = own.flatMap(({ module, change }): PartChange[] =>
    change === null ? [] : [{ path: module.split("."), cells: [change] }],
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

/** Null where a plain list shows as much: one stage, one part, or figures that are not fully known. */
function buildMatrix(report: Report, what: CostBreakdown["what"]): CostBreakdown | null {
  const [figures, ...more] = listCurrencyFigures(report);
  if (figures === undefined || more.length > 0 || !isSumExact(report, figures)) return null;
  const columns = chooseColumns(
    report.stages.filter(
      (stage) => stage.change !== ZERO || listStageParts(stage, what).some(({ change }) => change !== ZERO),
    ),
  );
  if (columns.length < 2) return null;
  const parts = columns.flatMap((stages, column) =>
    stages.flatMap((stage) => listStageParts(stage, what).map((part) => ({ ...part, column }))),
  );
  const changes = parts.flatMap(({ path, change, column }): PartChange[] =>
    change === null ? [] : [{ path, cells: columns.map((_, at) => (at === column ? change : ZERO)) }],
  );
  const nodes = buildPartTree(changes);
  if (changes.length < parts.length || countParts(nodes) < 2) return null;
  const totals = columns.map((stages) => sum(stages.map(({ change }) => change ?? ZERO)));
  return { source: { figures, nodes, totals, unknown: 0 }, what, columns };
}

const isSumExact = ({ stages }: Report, { total }: CurrencyFigures): boolean =>
  total.change !== null &&
  stages.every(({ change }) => change !== null) &&
  minus(total.change, sum(stages.map(({ change }) => change ?? ZERO))) === ZERO;

/** `change` null: unknown, or in another currency than the stage's. */
function listStageParts(
  stage: StageReport,
  what: CostBreakdown["what"],
): readonly { readonly path: readonly string[]; readonly change: Decimal | null }[] {
  if (what === "type") return (stage.types ?? []).map(({ type, change }) => ({ path: [type], change }));
  return (stage.modules ?? []).map(({ module, currency, change }) => ({
    path: module.split("."),
    change: currency === stage.currency ? change : null,
  }));
}

function chooseColumns(stages: readonly StageReport[]): CostBreakdown["columns"] {
  if (stages.length <= MAX_COLUMNS) return stages.map((stage) => [stage]);
  const measure = ({ change }: StageReport): Decimal => absolute(change ?? ZERO);
  const largest = stages.toSorted((a, b) => compare(measure(b), measure(a)));
  const named = largest.slice(0, MAX_COLUMNS - 1).map((stage) => [stage]);
  return [...named, largest.slice(MAX_COLUMNS - 1)];
}
