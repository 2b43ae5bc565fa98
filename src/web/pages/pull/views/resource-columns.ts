import type { Decimal } from "../../../../kernel/money.ts";
import type { ResourceReport } from "../../../../report/model/report.ts";
import type { Column, TableCell } from "../../../page/table.ts";
import { buildAmountCell, buildChangeCell } from "../subject/amounts.ts";
import { linkToView, type PullSubject } from "../subject/pull-subject.ts";
import type { ResourceLine } from "../subject/resource-lines.ts";

const NOTHING: TableCell = { text: "–", tone: "muted" };

/** The address of a resource's own view. */
export const linkToResource = (
  { address }: Pick<PullSubject, "address">,
  line: Pick<ResourceLine, "stage" | "address">,
): string => linkToView(address, "resource", { stage: line.stage, resource: line.address });

/** The columns of tables of resources; without amounts where readers may not see figures. */
export function listResourceColumns(subject: PullSubject): readonly Column<ResourceLine>[] {
  return [
    toAddressColumn(subject),
    ...(subject.evaluation.pull.figures ? listCostColumns(subject) : []),
    toActionColumn(subject),
    toTextColumn("stage", "Stage", (line) => line.stageLabel),
    toTextColumn("type", "Type", (line) => line.type),
    { ...toTextColumn("module", "Module", (line) => line.module), isExportOnly: true },
  ];
}

const toAddressColumn = (subject: PullSubject): Column<ResourceLine> => ({
  key: "resource",
  label: "Resource",
  sortable: true,
  cell: (line) => ({
    text: line.address,
    code: true,
    href: linkToResource(subject, line),
    ...(line.previousAddress !== null && { note: `was ${line.previousAddress}` }),
  }),
  value: ({ address }) => address,
});

const toTextColumn = (
  key: string,
  label: string,
  value: (line: ResourceLine) => string,
): Column<ResourceLine> => ({
  key,
  label,
  sortable: true,
  cell: (line) => ({ text: value(line) }),
  value,
});

/** Actions that destroy something. */
const DESTRUCTIVE: ReadonlySet<ResourceLine["action"]> = new Set(["deleted", "replaced", "removed"]);

const toActionColumn = ({ texts }: PullSubject): Column<ResourceLine> => ({
  key: "action",
  label: "Action",
  sortable: true,
  cell: ({ action }) => {
    if (action === null) return NOTHING;
    const text = texts.describeAction(action);
    return DESTRUCTIVE.has(action) ? { text, tone: "danger" } : { text };
  },
  value: ({ action }) => action,
});

function listCostColumns({ money }: PullSubject): readonly Column<ResourceLine>[] {
  const column = (
    key: "before" | "after" | "change",
    label: string,
    build: (amount: Decimal | null, cost: ResourceReport) => TableCell,
  ): Column<ResourceLine> => ({
    key,
    label,
    numeric: true,
    sortable: true,
    cell: ({ cost }) => (cost === null ? NOTHING : build(cost[key], cost)),
    value: ({ cost }) => cost?.[key] ?? null,
  });
  const amount = (value: Decimal | null, { currency }: ResourceReport) =>
    buildAmountCell(value, money(currency));
  return [
    column("change", "Change", (value, { currency, usageBased }) => ({
      ...buildChangeCell(value, money(currency)),
      ...(usageBased && { note: "plus usage" }),
    })),
    column("before", "Before", amount),
    column("after", "After", amount),
    {
      key: "currency",
      label: "Currency",
      isExportOnly: true,
      cell: () => NOTHING,
      value: ({ cost }) => cost?.currency ?? null,
    },
  ];
}
