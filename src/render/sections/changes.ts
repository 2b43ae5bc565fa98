import { ZERO } from "../../kernel/money.ts";
import type {
  AttributeChange,
  AttributeValue,
  ChangeCounts,
  ChangeKind,
  ResourceChange,
  UnknownReason,
} from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { type Cell, formatCellName, formatName, type Inline } from "../escape.ts";
import { createMoneyStyle, formatCount } from "../format.ts";
import { buildPlanNotesView } from "./plan-notes.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels } from "./section.ts";

interface ChangeCountView {
  readonly kind: Exclude<keyof ChangeCounts, "unchanged" | "replaced">;
  readonly text: Inline;
}

interface ChangeRowView extends AttributesView {
  readonly change: ChangeKind;
  readonly resource: Inline;
  /** The previous address of a moved resource. */
  readonly from: Inline | null;
  /** Why the plan does this, in Terraform's words. */
  readonly reason: string | null;
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
    ...buildPlanNotesView(report, values),
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
    reason: row.reason ?? null,
    stage: label === null ? null : formatName(label),
    ...buildAttributesView(row, values),
  };
}

/** An attribute value as it is shown: a kind that the template words, or the value itself. */
interface ValueView {
  readonly kind: AttributeValue["kind"];
  readonly text: Cell | null;
  readonly count: Cell | null;
  readonly isOne: boolean;
}

interface AttributeView {
  readonly attribute: Cell;
  /** Null: only the name is shown. */
  readonly before: ValueView | null;
  readonly after: ValueView | null;
}

interface AttributesView {
  readonly attributes: readonly AttributeView[];
  readonly moreAttributes: number;
}

const MAX_ATTRIBUTES = 4;
const NO_ATTRIBUTES: AttributesView = { attributes: [], moreAttributes: 0 };

/**
 * The attribute changes of a resource; none for added and deleted resources, because all of their attributes
 * change. `values`: whether readers may see values.
 */
function buildAttributesView(
  { change, changedAttributes: names, attributeChanges: changes }: AttributeSource,
  values: boolean,
): AttributesView {
  if (names === undefined || change === "added" || change === "deleted") return NO_ATTRIBUTES;
  if (!values || changes === undefined) return limitAttributes(names.map((name) => buildNameView(name)));
  const changedNames = new Set(changes.map(({ name }) => name.split(".")[0]));
  const others = names.filter((name) => !changedNames.has(name.split(".")[0]));
  return limitAttributes([...changes.map(buildChangeView), ...others.map(buildNameView)]);
}

type AttributeSource = Pick<ResourceChange, "change" | "changedAttributes" | "attributeChanges"> & {
  readonly change: ChangeKind | null;
};

const limitAttributes = (all: readonly AttributeView[]): AttributesView => ({
  attributes: all.slice(0, MAX_ATTRIBUTES),
  moreAttributes: Math.max(0, all.length - MAX_ATTRIBUTES),
});

const buildNameView = (name: string): AttributeView => ({
  attribute: formatCellName(name),
  before: null,
  after: null,
});

const buildChangeView = ({ name, before, after }: AttributeChange): AttributeView => ({
  attribute: formatCellName(name),
  before: buildValueView(before),
  after: buildValueView(after),
});

const buildValueView = (value: AttributeValue): ValueView => ({
  kind: value.kind,
  text: "text" in value ? formatCellName(value.text) : null,
  count: "count" in value ? formatCount(value.count) : null,
  isOne: "count" in value && value.count === 1,
});

/** Counts the resources whose requested attribute names are unknown, by reason. */
function countUnknownAttributes(
  rows: readonly ResourceChange[],
): readonly { readonly count: number; readonly reason: UnknownReason }[] {
  const byReason = Map.groupBy(rows, ({ attributesBecause }) => attributesBecause);
  return [...byReason].flatMap(([reason, own]) =>
    reason === undefined ? [] : [{ count: own.length, reason }],
  );
}
