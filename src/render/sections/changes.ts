import { ZERO } from "../../kernel/money.ts";
import type { ChangeCounts, ChangeKind } from "../../report/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/report.ts";
import { type Inline, name } from "../escape.ts";
import { countText } from "../format/count.ts";
import { moneyStyle } from "../format/money.ts";
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
  readonly stage: Inline | null;
}

/** Rows that are named when there is room: all that destroy something come first. */
const ROWS = 100;
/** Up to this many rows that destroy something are shown openly, more are folded away. */
const OPEN = 10;
const KINDS = ["added", "changed", "deleted", "imported", "removed", "drifted"] as const;
const DESTROYS: ReadonlySet<ChangeKind> = new Set(["deleted", "replaced", "removed"]);

/** How many resources change, and the names of those that a reviewer must not overlook. */
export function changesSection({ evaluation: { report, pull } }: Subject): Section {
  const told = report.stages.length > 0;
  return {
    template: "changes",
    rows: told ? Math.min(ROWS, rowsToTell(report).length) : 0,
    keep: false,
    view: (rows) => (told ? { ...view(report, rows), drift: pull.figures ? driftView(report) : [] } : null),
  };
}

/** What is created or changed in place is counted only. */
const rowsToTell = ({ rows }: Report): readonly ReportedRow[] =>
  rows.filter(({ change }) => change !== "added" && change !== "changed");

function view(report: Report, rows: number): object {
  const stage = workspaceLabels(report);
  const told = rowsToTell(report);
  const shown = told.slice(0, Math.max(0, rows)).map((row) => rowView(row, stage));
  const destroying = shown.filter(({ change }) => DESTROYS.has(change));
  const folded = shown.filter(({ change }) => !DESTROYS.has(change));
  const open = destroying.length <= OPEN;
  return {
    ...countsView(report),
    open: open ? destroying : [],
    folded: open ? folded : shown,
    foldedCount: countText(open ? folded.length : shown.length),
    more: told.length - shown.length + report.omittedRows,
    unnamed: unknownAttributes(report.rows),
  };
}

function countsView({ changes, changesAreComplete, stages }: Report): object {
  if (changes === null) return { known: false, because: reasonsOf(stages) };
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

/** Of each stage with drift: how much of its change of cost comes of that. */
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

const reasonsOf = (stages: readonly StageReport[]) =>
  [...new Set(stages.map(({ countsBecause }) => countsBecause))].flatMap((reason) =>
    reason === null ? [] : [{ reason }],
  );

function rowView(row: ReportedRow, stage: (workspace: string) => string | null): RowView {
  const label = stage(row.workspace);
  return {
    change: row.change,
    resource: name(row.address),
    stage: label === null ? null : name(label),
    ...attributesView(row.changedAttributes, row.change),
  };
}
