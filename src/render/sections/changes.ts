import { ZERO } from "../../kernel/money.ts";
import type { AttributeValue, ChangeKind } from "../../report/model/facts.ts";
import type { Report, ReportedRow } from "../../report/model/report.ts";
import { findPlaceAddress } from "../addresses.ts";
import { formatCellName, formatLink, formatName, type Inline } from "../escape.ts";
import { createMoneyStyle, formatCount } from "../format.ts";
import { buildPlanNotesView, buildValueView } from "./plan-notes.ts";
import { createWorkspaceLabels, type Section, type SectionSource } from "./section.ts";

/** No comment has space for further rows. */
const MAX_ROWS = 1_000;
/** Largest number of destructive rows that are shown; further ones are collapsed. */
const MAX_OPEN_ROWS = 10;
const MAX_ATTRIBUTES = 4;
const KINDS = ["added", "changed", "deleted", "imported", "removed", "drifted"] as const;
const DESTRUCTIVE_KINDS: ReadonlySet<ChangeKind> = new Set(["deleted", "replaced", "removed"]);

const isDestructive = ({ change }: { readonly change: ChangeKind }): boolean => DESTRUCTIVE_KINDS.has(change);

/**
 * The section about changed resources: their numbers, destructive rows first, and the others collapsed by
 * stage.
 */
export function buildChangesSection({ evaluation, links }: SectionSource): Section {
  const { report, pull } = evaluation;
  const hasStages = report.stages.length > 0;
  const rows = hasStages ? Math.min(MAX_ROWS, report.rows.length) : 0;
  return {
    template: "changes",
    rows,
    firstRows: Math.min(rows, report.rows.filter(isDestructive).length, MAX_OPEN_ROWS),
    view: (most) =>
      hasStages ? buildChangesView({ evaluation, links }, Math.max(0, most), pull.figures) : null,
  };
}

/** `values`: readers may see amounts and values of attributes. */
function buildChangesView({ evaluation, links }: SectionSource, most: number, values: boolean) {
  const { report } = evaluation;
  const stage = createWorkspaceLabels(report, formatName);
  const visible = report.rows.slice(0, most);
  const destructive = visible.filter(isDestructive);
  const isOpen = destructive.length <= MAX_OPEN_ROWS;
  const folded = isOpen ? visible.filter((row) => !isDestructive(row)) : visible;
  const write = (row: ReportedRow) =>
    buildRowView(row, values, findPlaceAddress(evaluation, links, row.place));
  const unread = report.stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0);
  return {
    ...buildChangeCountsView(report),
    ...buildPlanNotesView(report, values),
    moved: report.rows.filter(({ change }) => change === "moved").length,
    open: isOpen ? destructive.map((row) => ({ ...write(row), stage: stage(row.workspace) })) : [],
    stages: [...Map.groupBy(folded, ({ workspace }) => stage(workspace))].map(([label, own]) => ({
      stage: label,
      kinds: [...Map.groupBy(own, ({ change }) => change)].map(([action, all]) => ({
        action,
        text: formatCount(all.length),
      })),
      rows: own.map((row) => ({ ...write(row), stage: null })),
    })),
    more: report.rows.length - visible.length + report.omittedRows + unread,
    unnamed: countUnknownAttributes(report.rows),
    drift: values ? buildDriftViews(report) : [],
  };
}

function buildChangeCountsView({ changes, changesAreComplete, stages }: Report): object {
  if (changes === null) {
    const reasons = new Set(stages.map(({ countsBecause }) => countsBecause));
    return { known: false, because: [...reasons].flatMap((reason) => (reason === null ? [] : [{ reason }])) };
  }
  return {
    known: true,
    counts: KINDS.filter((kind) => changes[kind] > 0).map((kind) => ({
      kind,
      text: formatCount(changes[kind]),
    })),
    replaced: changes.replaced,
    replacedUnknown: changes.replaced === null && changes.deleted > 0,
    incomplete: !changesAreComplete,
  };
}

/** For each stage with drift: the part of its change of cost that comes from drift. */
function buildDriftViews(report: Report): readonly object[] {
  const stage = createWorkspaceLabels(report, formatName);
  return report.drift.flatMap(({ workspace, currency, split }) => {
    if (split === null || split.drift === ZERO) return [];
    const { change } = createMoneyStyle(currency);
    return [{ stage: stage(workspace), drift: change(split.drift), own: change(split.own) }];
  });
}

/** `from`: the previous address of a moved resource. `reason`: why the plan does this, in Terraform's words. */
function buildRowView(row: ReportedRow, values: boolean, address: Inline | null) {
  const attributes = listAttributes(row, values);
  return {
    change: row.change,
    resource: formatLink(formatName(row.address), address),
    from: row.previousAddress === undefined ? null : formatName(row.previousAddress),
    reason: row.reason ?? null,
    attributes: attributes.slice(0, MAX_ATTRIBUTES).map(({ name, before, after }) => ({
      attribute: formatCellName(name),
      before: before && buildValueView(before),
      after: after && buildValueView(after),
    })),
    moreAttributes: Math.max(0, attributes.length - MAX_ATTRIBUTES),
  };
}

/** An attribute that changes; values null: only its name is known or shown. */
interface ShownAttribute {
  readonly name: string;
  readonly before: AttributeValue | null;
  readonly after: AttributeValue | null;
}

/**
 * The attribute changes of a resource; none for added and deleted resources, because all of their attributes
 * change.
 */
function listAttributes(
  { change, changedAttributes: names, attributeChanges }: ReportedRow,
  values: boolean,
): readonly ShownAttribute[] {
  if (names === undefined || change === "added" || change === "deleted") return [];
  return joinAttributes(names, values ? (attributeChanges ?? []) : []);
}

/** The changes with their values, then the names without one. */
export function joinAttributes<T extends ShownAttribute>(
  names: readonly string[],
  changes: readonly T[],
): readonly ShownAttribute[] {
  const getRoot = (name: string) => name.split(".")[0];
  const known = new Set(changes.map(({ name }) => getRoot(name)));
  const others = names.filter((name) => !known.has(getRoot(name)));
  return [...changes, ...others.map((name) => ({ name, before: null, after: null }))];
}

/** Counts the resources whose requested attribute names are unknown, by reason. */
const countUnknownAttributes = (rows: readonly ReportedRow[]) =>
  [...Map.groupBy(rows, ({ attributesBecause }) => attributesBecause)].flatMap(([reason, own]) =>
    reason === undefined ? [] : [{ count: own.length, reason }],
  );
