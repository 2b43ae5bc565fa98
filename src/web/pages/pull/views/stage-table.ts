import { type Decimal, ZERO } from "../../../../kernel/money.ts";
import { formatCount } from "../../../../render/format/count.ts";
import type { MoneyStyle } from "../../../../render/format/money.ts";
import { parseLinkTarget } from "../../../../render/markup/escape.ts";
import { hasLowerBounds } from "../../../../render/sections/stages.ts";
import type { ChangeCounts } from "../../../../report/model/facts.ts";
import type { StageReport } from "../../../../report/model/report.ts";
import { createStageLabels } from "../../../../report/model/stage-label.ts";
import { buildSortedTable, type PageTable } from "../../../page/sorted-table.ts";
import type { Column, TableCell } from "../../../page/table.ts";
import { buildAmountCell, buildChangeCell, buildPercentCell } from "../subject/amounts.ts";
import type { PullSubject } from "../subject/pull-subject.ts";

/** Every stage with its cost and its changes. */
export function buildStageTable(subject: PullSubject): PageTable {
  const { report, pull } = subject.evaluation;
  const columns = [
    ...listNameColumns(subject),
    ...(pull.figures ? listCostColumns(subject) : []),
    ...COUNTS.map(toCountColumn),
  ];
  return buildSortedTable(
    {
      prefix: "",
      caption: "Stages",
      columns,
      rows: report.stages,
      empty: "No execution belongs to this commit.",
      currencyOf: ({ currency }) => currency,
    },
    subject.address,
  );
}

function listNameColumns({ evaluation, texts }: PullSubject): readonly Column<StageReport>[] {
  const label = createStageLabels(evaluation.report.stages);
  return [
    {
      key: "stage",
      label: "Stage",
      sortable: true,
      cell: (stage) => buildStageCell(stage, label(stage), texts.describeSource(stage.source)),
      value: label,
    },
    toExportColumn("org", ({ org }) => org),
    toExportColumn("project", ({ project }) => project),
    toExportColumn("workspace", ({ workspace }) => workspace),
    toExportColumn("execution", ({ executionId }) => executionId),
    toExportColumn("status", ({ status }) => status),
    toExportColumn("proven", ({ proven }) => proven),
  ];
}

const toExportColumn = (key: string, value: Column<StageReport>["value"]): Column<StageReport> => ({
  key,
  label: key,
  isExportOnly: true,
  cell: () => ({ text: "" }),
  value,
});

const STATUS_ICONS = {
  succeeded: { icon: "check-circle", iconLabel: "Succeeded" },
  failed: { icon: "x-circle", iconLabel: "Failed" },
  pending: { icon: "hourglass", iconLabel: "Still running" },
  unknown: { icon: "question", iconLabel: "Status unknown" },
} as const;

function buildStageCell(stage: StageReport, label: string, source: string): TableCell {
  const { icon, iconLabel } = STATUS_ICONS[stage.status];
  const href = stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
  const name = `execution ${stage.executionId}, ${source}`;
  return {
    text: label,
    icon,
    iconLabel,
    note: stage.proven ? name : `${name}; not proven`,
    ...(href !== null && { href }),
  };
}

function listCostColumns({ money }: PullSubject): readonly Column<StageReport>[] {
  const amount = (key: "before" | "after", label: string): Column<StageReport> => ({
    key,
    label,
    numeric: true,
    sortable: true,
    cell: (stage) => buildTotalCell(stage, key, money(stage.currency ?? "")),
    value: (stage) => stage[key],
  });
  return [
    {
      key: "change",
      label: "Change",
      numeric: true,
      sortable: true,
      cell: (stage) => markState(stage, buildStageChangeCell(stage, money(stage.currency ?? ""))),
      value: ({ change }) => change,
    },
    amount("before", "Before"),
    amount("after", "After"),
    {
      key: "percent",
      label: "%",
      numeric: true,
      sortable: true,
      cell: ({ percent, state }) => buildPercentCell(state === "known" ? percent : null),
      value: ({ percent }): Decimal | null => percent,
    },
    toExportColumn("currency", ({ currency }) => currency),
    toExportColumn("state", ({ state }) => state),
  ];
}

/** A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function buildTotalCell(stage: StageReport, key: "before" | "after", style: MoneyStyle): TableCell {
  const amount = stage[key];
  if (!hasLowerBounds(stage) || amount === null) return markState(stage, buildAmountCell(amount, style));
  return amount === ZERO ? buildAmountCell(null, style) : { text: `at least ${style.amount(amount)}` };
}

/** A change of zero says nothing where only a part of the cost is known. */
const buildStageChangeCell = (stage: StageReport, style: MoneyStyle): TableCell =>
  buildChangeCell(hasLowerBounds(stage) && stage.change === ZERO ? null : stage.change, style);

/** An amount that is not the whole one says so. */
function markState({ state }: StageReport, cell: TableCell): TableCell {
  if (state === "known" || cell.text === "unknown") return cell;
  return { ...cell, note: STATE_NOTES[state] };
}

const STATE_NOTES = {
  partial: "partly unknown",
  inconsistent: "contradictory",
  unknown: "not certain",
} as const;

const COUNTS = [
  ["added", "Added"],
  ["changed", "Changed"],
  ["deleted", "Deleted"],
  ["replaced", "Replaced"],
  ["drifted", "Drifted"],
] as const;

const toCountColumn = ([key, label]: (typeof COUNTS)[number]): Column<StageReport> => ({
  key,
  label,
  numeric: true,
  sortable: true,
  cell: ({ counts }) => buildCountCell(counts, key),
  value: ({ counts }) => counts?.[key] ?? null,
});

function buildCountCell(counts: ChangeCounts | null, key: keyof ChangeCounts): TableCell {
  const count = counts?.[key] ?? null;
  if (count === null) return { text: "unknown", tone: "muted" };
  return count === 0 ? { text: "0", tone: "muted" } : { text: formatCount(count) };
}
