import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { Saving, Savings } from "../../report/model/context.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages/stages.ts";
import { createMoneyStyle } from "../format/money.ts";
import { isRoundingVisible } from "../format/rounding.ts";
import { type Cell, formatCellName, type Inline } from "../markup/escape.ts";
import { formatFactAge } from "./fact-age.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels } from "./workspace-label.ts";

interface SavingLineView {
  readonly amount: Cell;
  readonly resource: Cell;
  readonly stage: Cell | null;
}

interface SavingGroupView {
  readonly lines: readonly SavingLineView[];
  readonly others: { readonly count: number; readonly amount: Cell } | null;
  readonly total: Cell;
  /** The rounded lines do not add up to the rounded total. */
  readonly rounded: boolean;
}

const MAX_ITEMS = 10;

/** The section about recommended savings on resources that this pull request touches. */
export function buildSavingsSection({ evaluation: { report, pull } }: Subject): Section {
  const savings = pull.figures ? getFactValue(report.context.savings) : null;
  const items = savings === null ? 0 : savings.items.filter(isOpen).length;
  return {
    template: "savings",
    rows: Math.min(MAX_ITEMS, items),
    isRequired: false,
    view: (rows) => {
      if (savings === null || savings.items.length === 0) return null;
      return { ...buildSavingsView(report, savings, rows), age: formatFactAge(report.context.savings) };
    },
  };
}

/** Whether the saving is still open: merging realises the saving on a deleted resource. */
const isOpen = ({ change }: Saving): boolean => change !== "deleted";

function buildSavingsView(report: Report, savings: Savings, rows: number) {
  let left = rows;
  const groups = savings.totals.map(({ currency, amount }) => {
    const own = savings.items.filter((item) => isOpen(item) && item.monthly.currency === currency);
    const group = buildSavingGroupView({ currency, total: amount, own, report }, left);
    left -= group.lines.length;
    return group;
  });
  return {
    groups: groups.map(({ rounded: _, ...group }) => group),
    rounded: groups.some(({ rounded }) => rounded),
    done: formatDoneSavings(savings),
    unmatched: savings.unmatched,
  };
}

interface SavingGroup {
  readonly currency: string;
  readonly total: Decimal;
  readonly own: readonly Saving[];
  readonly report: Report;
}

function buildSavingGroupView({ currency, total, own, report }: SavingGroup, rows: number): SavingGroupView {
  const stage = createWorkspaceLabels(report);
  const { amount, rounded } = createMoneyStyle(currency);
  const visible = own.slice(0, Math.max(0, rows));
  const amounts = visible.map(({ monthly }) => monthly.amount);
  const rest = minus(total, sum(amounts));
  const count = own.length - visible.length;
  return {
    lines: visible.map(({ address, workspace, monthly }) => {
      const label = stage(workspace);
      return {
        amount: amount(monthly.amount),
        resource: formatCellName(address),
        stage: label === null ? null : formatCellName(label),
      };
    }),
    others: count === 0 && rest === ZERO ? null : { count, amount: amount(rest) },
    total: amount(total),
    rounded: isRoundingVisible([...amounts, rest].map(rounded), rounded(total)),
  };
}

function formatDoneSavings({ items }: Savings): readonly Inline[] {
  const done = Map.groupBy(
    items.filter((item) => !isOpen(item)),
    ({ monthly }) => monthly.currency,
  );
  return [...done].map(([currency, own]) =>
    createMoneyStyle(currency).amount(sum(own.map(({ monthly }) => monthly.amount))),
  );
}
