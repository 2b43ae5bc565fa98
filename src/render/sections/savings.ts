import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { Saving, Savings } from "../../report/model/context.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages.ts";
import { isOpenAfter } from "../../report/usage.ts";
import { type Cell, formatCellName, formatName, type Inline } from "../escape.ts";
import { createMoneyStyle, formatCount, isRoundingVisible } from "../format.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels, formatFactAge } from "./section.ts";

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

const MAX_NAMES = 8;

/** The section about costs that the figures omit: unpriced resources and unstated usage. */
export function buildUnpricedSection({ evaluation: { report } }: Subject): Section {
  const types = listTypes(report);
  const used = listUsageAddresses(report);
  const count = report.usage?.after ?? used.length;
  return {
    template: "unpriced",
    rows: Math.min(MAX_NAMES, Math.max(types.length, used.length)),
    isRequired: false,
    view: (rows) => {
      const unpriced = report.unpriced?.count ?? 0;
      if (unpriced === 0 && count === 0) return null;
      const visibleTypes = types.slice(0, Math.max(0, rows));
      const named = used.slice(0, Math.max(0, rows));
      return {
        count: unpriced,
        types: visibleTypes.map(([type, own]) => ({ type: formatName(type), count: formatCount(own) })),
        more: types.length - visibleTypes.length,
        incomplete: !report.unpricedIsComplete,
        used: count,
        introduced: report.usage?.introduced ?? 0,
        usedNames: named.map((address) => ({ resource: formatName(address) })),
        moreUsed: count - named.length,
      };
    },
  };
}

/** Addresses of usage-based resources; new and changed ones come first. */
function listUsageAddresses({ usageBased, resources }: Report): readonly string[] {
  const openUsage = usageBased?.filter(isOpenAfter);
  const used =
    openUsage ?? resources.filter((resource) => resource.usageBased).map((one) => ({ ...one, change: null }));
  const first = used.filter(({ change }) => change !== "unchanged");
  const others = used.filter(({ change }) => change === "unchanged");
  return [...new Set([...first, ...others].map(({ address }) => address))];
}

const listTypes = ({ unpriced }: Report): readonly (readonly [string, number])[] =>
  Object.entries(unpriced?.types ?? {}).sort(([, a], [, b]) => b - a);
