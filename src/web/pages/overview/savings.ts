import type { AppliedSaving, SavingsSum } from "../../../store/history/merged-changes.ts";
import { formatAmounts } from "../../page/amounts.ts";
import { buildAgeColumn, buildCurrencyColumn, buildPullColumns } from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column } from "../../page/table.ts";

/** Recommendations that merged pull requests carried out, and what they save per month. */
export function createSavingsTable(
  list: (isFile: boolean) => Promise<readonly AppliedSaving[]>,
  nowMs: number,
): SlicedTable {
  const columns: readonly Column<AppliedSaving>[] = [
    ...buildPullColumns<AppliedSaving>(),
    { key: "recommendation", label: "Recommendation", value: ({ recommendationId }) => recommendationId },
    { key: "state", label: "State", value: ({ state }) => state },
    {
      key: "savings",
      label: "Saves a month",
      numeric: true,
      sortable: true,
      cell: ({ savings: amount, currency }) => ({ text: formatAmounts([{ amount, currency }]) }),
      value: ({ savings }) => savings,
    },
    buildCurrencyColumn(),
    buildAgeColumn({ key: "applied_at", label: "Applied" }, ({ updatedAt }) => updatedAt, nowMs),
  ];
  return createSlicedTable({
    name: "savings",
    caption: "Realised savings",
    empty: "No recommendation was carried out in this time.",
    pageSize: 5,
    columns,
    order: { key: "applied_at", direction: "descending" },
    read: sliceRows(list, columns, ({ currency }) => currency),
  });
}

/** The savings in all, one amount per currency; null: none. */
export const formatSavings = (sums: readonly SavingsSum[]): string | null =>
  sums.length === 0
    ? null
    : formatAmounts(sums.map(({ savings: amount, currency }) => ({ amount, currency })));
