import { formatRepositoryPath } from "../../page/address.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column } from "../../page/table.ts";
import { type RepositoryCounts, WAITING } from "../repository-counts.ts";
import { OUTCOME_STYLES } from "./outcomes.ts";

/** The repositories of an organisation that the reader can read, with their open pull requests. */
export function createRepositoriesTable(list: () => Promise<readonly RepositoryCounts[]>): SlicedTable {
  return createSlicedTable<RepositoryCounts>({
    name: "repositories",
    caption: "Repositories",
    empty: "There are none.",
    pageSize: 10,
    columns: COLUMNS,
    read: sliceRows(list, COLUMNS),
  });
}

const pathOf = ({ owner, name }: RepositoryCounts): string => formatRepositoryPath(`${owner}/${name}`);

const COLUMNS: readonly Column<RepositoryCounts>[] = [
  {
    key: "repository",
    label: "Repository",
    sortable: true,
    cell: (row) => ({ text: row.name, href: pathOf(row), icon: "repo" }),
    value: ({ owner, name }) => `${owner}/${name}`,
  },
  ...WAITING.map(
    (outcome): Column<RepositoryCounts> => ({
      key: outcome,
      label: OUTCOME_STYLES[outcome].label,
      numeric: true,
      sortable: true,
      cell: (row) => {
        const count = row.pulls[outcome] ?? 0;
        return count === 0
          ? { text: "0", tone: "muted" }
          : { text: String(count), href: `${pathOf(row)}?verdict=${outcome}` };
      },
      value: ({ pulls }) => pulls[outcome] ?? 0,
    }),
  ),
  {
    key: "open",
    label: "Open",
    numeric: true,
    sortable: true,
    cell: ({ open }) => ({ text: String(open) }),
    value: ({ open }) => open,
  },
];
