import { ZERO } from "../../kernel/money.ts";
import type { ChangeCounts, ChangeKind } from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { formatCount } from "../format/count.ts";
import { createMoneyStyle } from "../format/money.ts";
import { formatName, type Inline } from "../markup/escape.ts";
import { type AttributesView, buildAttributesView, countUnknownAttributes } from "./attributes.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels } from "./workspace-label.ts";

interface ChangeCountView {
  readonly kind: Exclude<keyof ChangeCounts, "unchanged" | "replaced">;
  readonly text: Inline;
}

interface ChangeRowView extends AttributesView {
  readonly change: ChangeKind;
  readonly resource: Inline;
  /** The previous address of a moved resource. */
  readonly from: Inline | null;
  readonly stage: Inline | null;
}

/** The collapsed rows of one stage, with their number per kind. */
interface StageChangesView {
  readonly stage: Inline | null;
  readonly kinds: readonly { readonly action: ChangeKind; readonly text: Inline }[];
  readonly rows: readonly ChangeRowView[];
}

/** No comment has space for further rows. */
const MAX_ROWS = 1_000;
/** Largest number of destructive rows that are shown; further ones are collapsed. */
const MAX_OPEN_ROWS = 10;
/** Largest number of deferred changes that are shown. */
const MAX_DEFERRED = 10;
const KINDS = ["added", "changed", "deleted", "imported", "removed", "drifted"] as const;
const DESTRUCTIVE_KINDS: ReadonlySet<ChangeKind> = new Set(["deleted", "replaced", "removed"]);

/**
 * The section about changed resources: their numbers, destructive rows first, and the others collapsed by
 * stage.
 */
export function buildChangesSection({ evaluation: { report, pull } }: Subject): Section {
  const hasStages = report.stages.length > 0;
  const rows = hasStages ? Math.min(MAX_ROWS, report.rows.length) : 0;
  const first = report.rows.filter(({ change }) => DESTRUCTIVE_KINDS.has(change)).length;
  return {
    template: "changes",
    rows,
    firstRows: Math.min(rows, first, MAX_OPEN_ROWS),
    isRequired: false,
    view: (most) =>
      hasStages
        ? {
            ...buildChangesView(report, most, pull.figures),
            drift: pull.figures ? buildDriftViews(report) : [],
          }
        : null,
  };
}

function buildChangesView(report: Report, rows: number, values: boolean): object {
  const stage = createWorkspaceLabels(report);
  const visibleRows = report.rows.slice(0, Math.max(0, rows));
  const rowViews = visibleRows.map((row) => buildRowView(row, { stage, values }));
  const destroying = rowViews.filter(({ change }) => DESTRUCTIVE_KINDS.has(change));
  const folded = rowViews.filter(({ change }) => !DESTRUCTIVE_KINDS.has(change));
  const open = destroying.length <= MAX_OPEN_ROWS;
  const unread = report.stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0);
  return {
    ...buildChangeCountsView(report),
    ...buildGapsView(report, stage),
    moved: report.rows.filter(({ change }) => change === "moved").length,
    open: open ? destroying : [],
    folded: open ? folded : rowViews,
    foldedCount: formatCount(open ? folded.length : rowViews.length),
    stages: buildStageViews(
      visibleRows.filter(({ change }) => !open || !DESTRUCTIVE_KINDS.has(change)),
      { stage, values },
    ),
    more: report.rows.length - rowViews.length + report.omittedRows + unread,
    unnamed: countUnknownAttributes(report.rows),
  };
}

/** What the plans leave out: deferred changes, and stages of which only a part of the code was planned. */
function buildGapsView({ stages }: Report, label: ChangeRowOptions["stage"]): object {
  const gaps = stages.flatMap(({ incomplete, workspace }) =>
    incomplete === undefined ? [] : [{ ...incomplete, workspace }],
  );
  const deferred = gaps.flatMap(({ deferred: own, workspace }) =>
    own.map(({ address, change }) => {
      const stage = label(workspace);
      return {
        action: change,
        resource: formatName(address),
        stage: stage === null ? null : formatName(stage),
      };
    }),
  );
  const shown = deferred.slice(0, MAX_DEFERRED);
  return {
    deferred: shown,
    moreDeferred: deferred.length - shown.length + gaps.reduce((sum, { more }) => sum + more, 0),
    partial: gaps.some(({ deferred: own, more }) => own.length + more === 0),
  };
}

/** Options for rows: stage names where there are several stages, and whether values are shown. */
interface ChangeRowOptions {
  readonly stage: (workspace: string) => string | null;
  readonly values: boolean;
}

function buildStageViews(
  rows: readonly ReportedRow[],
  { stage, values }: ChangeRowOptions,
): readonly StageChangesView[] {
  return [...Map.groupBy(rows, ({ workspace }) => stage(workspace))].map(([label, own]) => ({
    stage: label === null ? null : formatName(label),
    kinds: [...Map.groupBy(own, ({ change }) => change)].map(([action, all]) => ({
      action,
      text: formatCount(all.length),
    })),
    rows: own.map((row) => buildRowView(row, { stage: () => null, values })),
  }));
}

function buildChangeCountsView({ changes, changesAreComplete, stages }: Report): object {
  if (changes === null) return { known: false, because: listReasons(stages) };
  const counts: ChangeCountView[] = KINDS.filter((kind) => changes[kind] > 0).map((kind) => ({
    kind,
    text: formatCount(changes[kind]),
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
function buildDriftViews(report: Report): readonly object[] {
  const stage = createWorkspaceLabels(report);
  return report.drift.flatMap(({ workspace, currency, split }) => {
    if (split === null || split.drift === ZERO) return [];
    const label = stage(workspace);
    const { change } = createMoneyStyle(currency);
    const [drift, own] = [change(split.drift), change(split.own)];
    return [{ stage: label === null ? null : formatName(label), drift, own }];
  });
}

const listReasons = (stages: readonly StageReport[]) =>
  [...new Set(stages.map(({ countsBecause }) => countsBecause))].flatMap((reason) =>
    reason === null ? [] : [{ reason }],
  );

function buildRowView(row: ReportedRow, { stage, values }: ChangeRowOptions): ChangeRowView {
  const label = stage(row.workspace);
  return {
    change: row.change,
    resource: formatName(row.address),
    from: row.previousAddress === undefined ? null : formatName(row.previousAddress),
    stage: label === null ? null : formatName(label),
    ...buildAttributesView(row, values),
  };
}
