import type { Evaluation } from "../../../../policy/model/evaluation.ts";
import type { ChangeKind, ResourceChange } from "../../../../report/model/facts.ts";
import type { ReportedRow, ResourceReport } from "../../../../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../../../../report/model/stage-label.ts";

/** A resource that the pull request changes, or whose cost it changes. */
export interface ResourceLine {
  readonly address: string;
  readonly previousAddress: string | null;
  readonly type: string;
  /** Module path without indexes; `root` for none. */
  readonly module: string;
  /** See `stageKey`. */
  readonly stage: string;
  /** Label of the stage among those of the evaluation. */
  readonly stageLabel: string;
  /** Null: no plan says so. */
  readonly action: ChangeKind | null;
  /** Null: no source states its cost, or readers may not see figures. */
  readonly cost: ResourceReport | null;
  /** Its planned change; null: it is not listed. */
  readonly row: Pick<
    ResourceChange,
    "changedAttributes" | "attributeChanges" | "attributesBecause" | "change"
  > | null;
}

/**
 * Lists the resources with a cost, largest change first, then the planned changes without one. Where readers may not see figures,
 * only the planned changes: even an order by cost would say something about it.
 */
export function listResourceLines({ pull, report }: Evaluation): readonly ResourceLine[] {
  const label = createStageLabels(report.stages);
  const labels = new Map(report.stages.map((stage) => [buildStageKey(stage), label(stage)]));
  const find = (stage: string, workspace: string): string => labels.get(stage) ?? workspace;
  const rows = Map.groupBy(report.rows, getPlace);
  if (!pull.figures) return report.rows.map((row) => toRowLine(row, find(row.stage, row.workspace)));
  const used = new Set<ReportedRow>();
  const priced = report.resources.map((cost) => {
    const own = rows.get(getPlace(cost)) ?? [];
    const row = own.find(({ change }) => change === cost.action) ?? null;
    if (row !== null) used.add(row);
    return toCostLine(cost, row, find(cost.stage, cost.workspace));
  });
  const others = report.rows.filter((row) => !used.has(row));
  return [...priced, ...others.map((row) => toRowLine(row, find(row.stage, row.workspace)))];
}

/** What a resource is in one stage: the same address may be in several. */
const getPlace = ({ stage, address }: { readonly stage: string; readonly address: string }): string =>
  `${stage}\n${address}`;

const toCostLine = (cost: ResourceReport, row: ReportedRow | null, stageLabel: string): ResourceLine => ({
  address: cost.address,
  previousAddress: row?.previousAddress ?? null,
  type: cost.type,
  module: cost.module,
  stage: cost.stage,
  stageLabel,
  action: cost.action,
  cost,
  row,
});

const toRowLine = (row: ReportedRow, stageLabel: string): ResourceLine => ({
  address: row.address,
  previousAddress: row.previousAddress ?? null,
  type: row.type,
  module: row.module,
  stage: row.stage,
  stageLabel,
  action: row.change,
  cost: null,
  row,
});

/** What a reader asks for; null: anything. */
export interface ResourceFilter {
  /** Label of a stage. */
  readonly stage: string | null;
  /** A module with the modules in it. */
  readonly module: string | null;
  readonly type: string | null;
  readonly action: string | null;
  /** A part of the address, in any case. */
  readonly text: string | null;
}

export function filterResources(
  lines: readonly ResourceLine[],
  { stage, module, type, action, text }: ResourceFilter,
): readonly ResourceLine[] {
  const wanted = text?.toLowerCase();
  return lines.filter(
    (line) =>
      (stage === null || line.stageLabel === stage) &&
      (type === null || line.type === type) &&
      (action === null || (line.action ?? NO_ACTION) === action) &&
      (module === null || line.module === module || line.module.startsWith(`${module}.`)) &&
      (wanted === undefined || line.address.toLowerCase().includes(wanted)),
  );
}

/** How often each value of a filter occurs, the most frequent first. */
type ValueCounts = readonly (readonly [value: string, count: number])[];

/** The values of each filter. */
export type ResourceChoices = Readonly<Record<"stage" | "module" | "type" | "action", ValueCounts>>;

export const listChoices = (lines: readonly ResourceLine[]): ResourceChoices => ({
  stage: countValues(lines, ({ stageLabel }) => stageLabel),
  module: countValues(lines, ({ module }) => module),
  type: countValues(lines, ({ type }) => type),
  action: countValues(lines, ({ action }) => action ?? NO_ACTION),
});

function countValues(lines: readonly ResourceLine[], read: (line: ResourceLine) => string): ValueCounts {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const value = read(line);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The value of `action` for resources of which only the cost changes. */
export const NO_ACTION = "none";
