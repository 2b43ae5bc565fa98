import { ZERO } from "../../kernel/money.ts";
import type { ChangeCounts, ChangeKind } from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { countText } from "../format/count.ts";
import { moneyStyle } from "../format/money.ts";
import { type Inline, name } from "../markup/escape.ts";
import { type AttributesView, attributesView, unknownAttributes } from "./attributes.ts";
import type { Section, Subject } from "./section.ts";
import { workspaceLabels } from "./workspace-label.ts";

interface CountView {
  readonly kind: Exclude<keyof ChangeCounts, "unchanged" | "replaced">;
  readonly text: Inline;
}

interface RowView extends AttributesView {
  readonly change: ChangeKind;
  readonly resource: Inline;
  /** The previous address of a moved resource. */
  readonly from: Inline | null;
  readonly stage: Inline | null;
}

/** The collapsed rows of one stage, with their number per kind. */
interface StageView {
  readonly stage: Inline | null;
  readonly kinds: readonly { readonly action: ChangeKind; readonly text: Inline }[];
  readonly rows: readonly RowView[];
}

/** No comment has space for further rows. */
const ROWS = 1_000;
/** Largest number of destructive rows that are shown; further ones are collapsed. */
const OPEN = 10;
const KINDS = ["added", "changed", "deleted", "imported", "removed", "drifted"] as const;
const DESTROYS: ReadonlySet<ChangeKind> = new Set(["deleted", "replaced", "removed"]);

/**
 * The section about changed resources: their numbers, destructive rows first, and the others collapsed by
 * stage.
 */
export function changesSection({ evaluation: { report, pull } }: Subject): Section {
  const told = report.stages.length > 0;
  const rows = told ? Math.min(ROWS, report.rows.length) : 0;
  const first = report.rows.filter(({ change }) => DESTROYS.has(change)).length;
  return {
    template: "changes",
    rows,
    firstRows: Math.min(rows, first, OPEN),
    keep: false,
    view: (most) =>
      told ? { ...view(report, most, pull.figures), drift: pull.figures ? driftView(report) : [] } : null,
  };
}

function view(report: Report, rows: number, values: boolean): object {
  const stage = workspaceLabels(report);
  const told = report.rows.slice(0, Math.max(0, rows));
  const shown = told.map((row) => rowView(row, { stage, values }));
  const destroying = shown.filter(({ change }) => DESTROYS.has(change));
  const folded = shown.filter(({ change }) => !DESTROYS.has(change));
  const open = destroying.length <= OPEN;
  const unread = report.stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0);
  return {
    ...countsView(report),
    moved: report.rows.filter(({ change }) => change === "moved").length,
    open: open ? destroying : [],
    folded: open ? folded : shown,
    foldedCount: countText(open ? folded.length : shown.length),
    stages: stageViews(
      told.filter(({ change }) => !open || !DESTROYS.has(change)),
      { stage, values },
    ),
    more: report.rows.length - shown.length + report.omittedRows + unread,
    unnamed: unknownAttributes(report.rows),
  };
}

/** Options for rows: stage names where there are several stages, and whether values are shown. */
interface ChangeRowOptions {
  readonly stage: (workspace: string) => string | null;
  readonly values: boolean;
}

function stageViews(rows: readonly ReportedRow[], { stage, values }: ChangeRowOptions): readonly StageView[] {
  return [...Map.groupBy(rows, ({ workspace }) => stage(workspace))].map(([label, own]) => ({
    stage: label === null ? null : name(label),
    kinds: [...Map.groupBy(own, ({ change }) => change)].map(([action, all]) => ({
      action,
      text: countText(all.length),
    })),
    rows: own.map((row) => rowView(row, { stage: () => null, values })),
  }));
}

function countsView({ changes, changesAreComplete, stages }: Report): object {
  if (changes === null) return { known: false, because: listReasons(stages) };
  const counts: CountView[] = KINDS.filter((kind) => changes[kind] > 0).map((kind) => ({
    kind,
    text: countText(changes[kind]),
  }));
  return {
    known: true,
    counts,
    replaced: changes.replaced,
    replacedUnknown: changes.replaced === null && changes.deleted > 0,
    incomplete: !changesAreComplete,
  };
}

/** For each stage with drift: the part of its change of cost that comes from drift. */
function driftView(report: Report): readonly object[] {
  const stage = workspaceLabels(report);
  return report.drift.flatMap(({ workspace, currency, split }) => {
    if (split === null || split.drift === ZERO) return [];
    const label = stage(workspace);
    const { change } = moneyStyle(currency);
    const [drift, own] = [change(split.drift), change(split.own)];
    return [{ stage: label === null ? null : name(label), drift, own }];
  });
}

const listReasons = (stages: readonly StageReport[]) =>
  [...new Set(stages.map(({ countsBecause }) => countsBecause))].flatMap((reason) =>
    reason === null ? [] : [{ reason }],
  );

function rowView(row: ReportedRow, { stage, values }: ChangeRowOptions): RowView {
  const label = stage(row.workspace);
  return {
    change: row.change,
    resource: name(row.address),
    from: row.previousAddress === undefined ? null : name(row.previousAddress),
    stage: label === null ? null : name(label),
    ...attributesView(row, values),
  };
}
