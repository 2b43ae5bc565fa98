import { formatUtcDay } from "../../../render/format/time.ts";
import type { WaiverInForce } from "../../../store/history/policies.ts";
import { buildNameColumn, buildRepositoryColumn } from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column, TableCell } from "../../page/table.ts";

const DAY_MS = 86_400_000;
/** Days before its end from which a waiver is marked. */
const SOON_DAYS = 14;

/** The waivers of the policies in force, the first to expire first. */
export function createWaiversTable(
  list: () => Promise<readonly WaiverInForce[]>,
  { nowMs, hasRepositories }: { readonly nowMs: number; readonly hasRepositories: boolean },
): SlicedTable {
  const columns: readonly Column<WaiverInForce>[] = [
    {
      ...buildNameColumn<WaiverInForce>({ key: "rule", label: "Rule" }, ({ rule }) => rule),
      cell: ({ rule, reason }) => ({ text: rule, code: true, note: reason }),
    },
    { key: "reason", label: "Reason", value: ({ reason }) => reason },
    buildRepositoryColumn(hasRepositories),
    { key: "base_branches", label: "Base branches", value: ({ baseRefs }) => baseRefs.join(", ") },
    {
      key: "owner",
      label: "Owner",
      sortable: true,
      cell: ({ owner }) => ({ text: owner }),
      value: ({ owner }) => owner,
    },
    {
      key: "until",
      label: "Ends",
      sortable: true,
      cell: ({ untilMs }) => formatEnd(untilMs, nowMs),
      value: ({ untilMs }) => new Date(untilMs).toISOString(),
    },
  ];
  return createSlicedTable({
    name: "waivers",
    caption: "Waivers",
    empty: "No waiver is in force.",
    pageSize: 10,
    columns,
    order: { key: "until", direction: "ascending" },
    read: sliceRows(list, columns),
  });
}

function formatEnd(untilMs: number, nowMs: number): TableCell {
  const days = Math.ceil((untilMs - nowMs) / DAY_MS);
  const text = days <= 1 ? "within a day" : `in ${days} days`;
  const note = `last day ${formatUtcDay(untilMs - 1)}`;
  return days <= SOON_DAYS ? { text, note, tone: "attention", icon: "alert" } : { text, note };
}
