import { formatDuration } from "../../../render/format/time.ts";
import type { RuleStatistics } from "../../../store/history/rule-outcomes.ts";
import { formatChanges } from "../../page/amounts.ts";
import { buildCountColumn } from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column } from "../../page/table.ts";
import { adviseOnRule } from "./advice.ts";

/** Rules with what they did in a period. `findAddress`: the rule's line in its policy file; null: none is known. */
export function createRulesTable(
  list: () => Promise<readonly RuleStatistics[]>,
  findAddress: (rule: string) => string | null,
  hasRepositories: boolean,
): SlicedTable {
  const columns = buildColumns(findAddress, hasRepositories);
  return createSlicedTable({
    name: "rules",
    caption: "Rules",
    empty: "No rule was evaluated in this time.",
    pageSize: 50,
    columns,
    order: { key: "blocked", direction: "descending" },
    read: sliceRows(list, columns),
  });
}

/** Short words for advice. */
const MARKS: Readonly<Record<string, string>> = { overridden: "mostly overridden", idle: "never violated" };

type RuleColumn = Column<RuleStatistics>;

const buildColumns = (
  findAddress: (rule: string) => string | null,
  hasRepositories: boolean,
): readonly RuleColumn[] => [
  {
    key: "rule",
    label: "Rule",
    sortable: true,
    cell: (row) => {
      const href = findAddress(row.rule);
      const note = MARKS[adviseOnRule(row)?.kind ?? "none"] ?? (row.enforce === "warn" ? "only warns" : null);
      return { text: row.rule, code: true, ...(href !== null && { href }), ...(note !== null && { note }) };
    },
    value: ({ rule }) => rule,
  },
  { key: "enforce", label: "Effect", value: ({ enforce }) => enforce },
  ...(hasRepositories
    ? [
        buildCountColumn<RuleStatistics>(
          { key: "repositories", label: "Repositories" },
          (row) => row.repositories,
        ),
      ]
    : []),
  buildCountColumn({ key: "pulls", label: "Evaluated on" }, ({ pulls }) => pulls),
  { key: "evaluations", label: "Evaluations", value: ({ evaluations }) => evaluations },
  { key: "violated", label: "Violated", value: ({ violated }) => violated },
  buildCountColumn({ key: "blocked", label: "Blocked" }, ({ blocked }) => blocked),
  { key: "undecided", label: "Undecided", value: ({ undecided }) => undecided },
  buildCountColumn({ key: "approved", label: "Approved" }, ({ approved }) => approved),
  buildCountColumn({ key: "waived", label: "Waived" }, ({ waived }) => waived),
  buildCountColumn({ key: "overridden", label: "Overridden" }, ({ overridden }) => overridden),
  {
    key: "median_resolution_ms",
    label: "Median time to resolve",
    numeric: true,
    sortable: true,
    cell: ({ medianResolutionMs }) =>
      medianResolutionMs === null
        ? { text: "–", tone: "muted" }
        : { text: formatDuration(medianResolutionMs) },
    value: ({ medianResolutionMs }) => medianResolutionMs,
  },
  {
    key: "concerned",
    label: "Money concerned",
    numeric: true,
    cell: ({ concerned }) =>
      concerned.length === 0 ? { text: "–", tone: "muted" } : { text: formatChanges(concerned) },
    value: ({ concerned }) => concerned.map(({ currency, change }) => `${change} ${currency}`).join(", "),
  },
];
