import { formatCount } from "../../../render/format/count.ts";
import type { WaitingApprovals } from "../../../store/history/open-pulls.ts";
import { formatAddress, type PageAddress } from "../../page/address.ts";
import { buildAgeColumn, buildCountColumn } from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column, TableCell } from "../../page/table.ts";
import { describeSums } from "./waiting.ts";

/** Who can give the approvals that open pull requests lack. A pull request that several can approve counts for each of them. */
export function createApprovalsTable(
  list: () => Promise<readonly WaitingApprovals[]>,
  { address, nowMs }: { readonly address: PageAddress; readonly nowMs: number },
): SlicedTable {
  const columns: readonly Column<WaitingApprovals>[] = [
    {
      key: "approver",
      label: "Team or person",
      sortable: true,
      cell: ({ approver }) => ({
        text: approver,
        icon: approver.includes("/") ? "people" : "person",
        href: formatAddress(address, { approver, verdict: null, pulls_page: null, increases_page: null }),
      }),
      value: ({ approver }) => approver,
    },
    buildCountColumn({ key: "pulls", label: "Pull requests" }, ({ pulls }) => pulls),
    {
      key: "change",
      label: "Monthly change",
      numeric: true,
      cell: formatWait,
      value: ({ sums }) => sums.map(({ currency, change }) => `${change} ${currency}`).join(", "),
    },
    buildAgeColumn({ key: "oldest_at", label: "Since" }, ({ oldestAt }) => oldestAt, nowMs),
  ];
  return createSlicedTable({
    name: "approvals",
    caption: "Waiting for approval",
    empty: "No open pull request waits for an approval.",
    pageSize: 5,
    columns,
    order: { key: "pulls", direction: "descending" },
    read: sliceRows(list, columns),
  });
}

function formatWait(wait: WaitingApprovals): TableCell {
  const { amount, isAtLeast, unknown, hidden } = describeSums(wait);
  const missing = [
    ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
    ...(hidden > 0 ? [`${formatCount(hidden)} not shown`] : []),
  ].join(", ");
  if (amount === null) return { text: missing === "" ? "no change" : missing, tone: "muted" };
  return { text: isAtLeast ? `at least ${amount}` : amount, ...(missing !== "" && { note: missing }) };
}
