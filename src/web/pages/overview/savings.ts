import type { Decimal } from "../../../kernel/money.ts";
import type { AppliedSaving, SavingsSum } from "../../../store/history/savings.ts";
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
      cell: ({ savings, currency }) => ({ text: formatSaving(savings, currency) }),
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

/** The currency of a saving that an earlier version recorded is not known. */
const formatSaving = (amount: Decimal, currency: string | null): string =>
  formatAmounts([{ amount, currency: currency ?? "unknown" }]);

/** The savings in all, one amount per currency; null: none. */
export function formatSavings(sums: readonly SavingsSum[]): string | null {
  const known = sums.flatMap(({ savings: amount, currency }) =>
    currency === null ? [] : [{ amount, currency }],
  );
  return known.length === 0 ? null : formatAmounts(known);
}
