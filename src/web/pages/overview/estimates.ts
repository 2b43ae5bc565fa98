import type { Decimal } from "../../../kernel/money.ts";
import { formatPercent } from "../../../render/format/percent.ts";
import type { Comparison } from "../../../store/history/merged-changes.ts";
import {
  buildAgeColumn,
  buildAmountColumn,
  buildCurrencyColumn,
  buildPullColumns,
} from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column, TableCell } from "../../page/table.ts";

/** What merged pull requests were estimated to cost, and what their workspaces cost since. */
export function createEstimatesTable(
  list: (isFile: boolean) => Promise<readonly Comparison[]>,
  nowMs: number,
): SlicedTable {
  const columns: readonly Column<Comparison>[] = [
    ...buildPullColumns<Comparison>(),
    buildAmountColumn({ key: "estimated", label: "Estimated" }, ({ currency, estimated }) => ({
      currency,
      amount: estimated,
    })),
    buildAmountColumn({ key: "actual", label: "Actual" }, ({ currency, actual }) => ({
      currency,
      amount: actual,
    })),
    {
      key: "off_by_percent",
      label: "Off by",
      numeric: true,
      sortable: true,
      cell: ({ percent }) => formatDeviation(percent),
      value: ({ percent }) => percent,
    },
    buildCurrencyColumn(),
    buildAgeColumn({ key: "compared_at", label: "Compared" }, ({ comparedAt }) => comparedAt, nowMs),
  ];
  return createSlicedTable({
    name: "estimates",
    caption: "Estimate against actual",
    empty: "No merged pull request was compared with its actual cost in this time.",
    pageSize: 5,
    columns,
    order: { key: "compared_at", direction: "descending" },
    read: sliceRows(list, columns, ({ currency }) => currency),
  });
}

/** Percent from which a deviation is marked. */
const LARGE = 20;

/** Null: nothing was estimated, so there is no percentage. */
function formatDeviation(percent: Decimal | null): TableCell {
  if (percent === null) return { text: "estimated at zero", tone: "attention" };
  return { text: formatPercent(percent), tone: Math.abs(Number(percent)) >= LARGE ? "attention" : "muted" };
}
