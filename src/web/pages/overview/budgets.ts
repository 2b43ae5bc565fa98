import { compare, type Decimal, decimal, scale, toPlaces, ZERO } from "../../../kernel/money.ts";
import type { BudgetState } from "../../../store/history/policies.ts";
import { joinWords } from "../../page/amounts.ts";
import { buildAmountColumn, buildNameColumn, buildRepositoryColumn } from "../../page/columns.ts";
import { createSlicedTable, type SlicedTable, sliceRows } from "../../page/sliced-table.ts";
import type { Column, TableBar, TableCell } from "../../page/table.ts";

/** Percent of a budget from which it is marked. */
const NEARLY = 80;
const HUNDRED = decimal("100");

/** The budgets of the policies in force: their use now, and with what open pull requests would add. */
export function createBudgetsTable(
  list: () => Promise<readonly BudgetState[]>,
  hasRepositories: boolean,
): SlicedTable {
  const columns: readonly Column<BudgetState>[] = [
    {
      ...buildNameColumn<BudgetState>({ key: "budget", label: "Budget" }, ({ rule }) => rule),
      cell: (budget) => formatBudget(budget, hasRepositories),
    },
    buildRepositoryColumn(false),
    {
      key: "percent_used",
      label: "Used",
      numeric: true,
      sortable: true,
      cell: formatUse,
      value: (budget) => toPercent(budget.used, budget),
    },
    buildAmountColumn({ key: "used", label: "Now" }, ({ limit, used, unknown }) => ({
      ...limit,
      amount: used,
      isPartial: unknown.length > 0,
    })),
    buildAmountColumn(
      { key: "forecast", label: "With open pull requests" },
      ({ limit, forecast, unknown }) => ({
        ...limit,
        amount: forecast,
        isPartial: unknown.length > 0,
      }),
    ),
    buildAmountColumn({ key: "limit", label: "Budget" }, ({ limit }) => limit),
    { key: "currency", label: "Currency", value: ({ limit }) => limit.currency },
    { key: "unknown", label: "Unknown workspaces", value: ({ unknown }) => unknown.join(", ") },
  ];
  return createSlicedTable({
    name: "budgets",
    caption: "Budgets",
    empty: "The policies in force have no budget.",
    pageSize: 10,
    columns,
    order: { key: "percent_used", direction: "descending" },
    read: sliceRows(list, columns, ({ limit }) => limit.currency),
  });
}

/** Unknown workspaces are named: the amounts lack them. */
function formatBudget({ rule, repository, unknown }: BudgetState, hasRepositories: boolean): TableCell {
  const notes = [
    ...(hasRepositories ? [repository] : []),
    ...(unknown.length > 0 ? [`without ${joinWords(unknown)}`] : []),
  ];
  return { text: rule, code: true, ...(notes.length > 0 && { note: notes.join(", ") }) };
}

/** Null: a budget of nothing. */
const toPercent = (amount: Decimal, { limit }: BudgetState): Decimal | null =>
  compare(limit.amount, ZERO) === 0 ? null : scale(amount, HUNDRED, limit.amount);

function formatUse(budget: BudgetState): TableCell {
  const [now, then] = [toPercent(budget.used, budget), toPercent(budget.forecast, budget)];
  if (now === null || then === null) return { text: "no budget left", tone: "danger" };
  const tone = chooseTone(then);
  const least = budget.unknown.length > 0 ? "at least " : "";
  return {
    text: `${least}${toPlaces(now, 0)}%`,
    note: `${least}${toPlaces(then, 0)}% with open pull requests`,
    bar: { used: toLength(now), forecast: toLength(then), tone },
    tone: tone === "success" ? "muted" : tone,
  };
}

function chooseTone(percent: Decimal): TableBar["tone"] {
  if (compare(percent, HUNDRED) > 0) return "danger";
  return Number(percent) >= NEARLY ? "attention" : "success";
}

const toLength = (percent: Decimal): number => Math.min(100, Math.max(0, Number(toPlaces(percent, 1))));
