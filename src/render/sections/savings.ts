import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import {
  listMissedSavings,
  type Saving,
  type SavingAdvice,
  type Savings,
} from "../../report/model/context.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages.ts";
import { isOpenAfter } from "../../report/usage.ts";
import { formatName, parseLinkTarget } from "../escape.ts";
import { createMoneyStyle, formatCount, isRoundingVisible } from "../format.ts";
import { createWorkspaceLabels, formatFactAge, type Section, type SectionSource } from "./section.ts";

const MAX_ITEMS = 10;

/** The section about recommended savings on resources that this pull request touches. */
export function buildSavingsSection({ evaluation: { report, pull } }: SectionSource): Section {
  const savings = pull.figures ? getFactValue(report.context.savings) : null;
  return {
    template: "savings",
    rows: savings === null ? 0 : Math.min(MAX_ITEMS, listMissedSavings(savings).length),
    view: (rows) =>
      savings === null || savings.items.length === 0 ? null : buildSavingsView(report, savings, rows),
  };
}

function buildSavingsView(report: Report, savings: Savings, rows: number) {
  const stage = createWorkspaceLabels(report, formatName);
  let left = Math.max(0, rows);
  const groups = savings.totals.map(({ currency, amount: total }) => {
    const own = listMissedSavings(savings).filter(({ monthly }) => monthly.currency === currency);
    const visible = own.slice(0, left);
    left -= visible.length;
    return { visible, count: own.length - visible.length, ...sumSavings(currency, total, visible) };
  });
  const done = Map.groupBy(
    savings.items.filter(({ change }) => change === "deleted"),
    ({ monthly }) => monthly.currency,
  );
  return {
    groups: groups.map(({ visible, count, rest, style, total }) => ({
      lines: visible.map(({ address, workspace, monthly, advice, page }) => ({
        amount: style.amount(monthly.amount),
        resource: formatName(address),
        stage: stage(workspace),
        advice: advice === undefined ? null : buildAdviceView(advice),
        page: page === undefined ? null : parseLinkTarget(page),
      })),
      others: count === 0 && rest === ZERO ? null : { count, amount: style.amount(rest) },
      total: style.amount(total),
    })),
    rounded: groups.some(({ rounded }) => rounded),
    /** Merging realises these by deleting the resources. */
    done: [...done].map(([currency, own]) =>
      createMoneyStyle(currency).amount(sum(own.map(({ monthly }) => monthly.amount))),
    ),
    unmatched: savings.unmatched,
    age: formatFactAge(report.context.savings),
  };
}

const buildAdviceView = ({ current, recommended, terminate }: SavingAdvice) => ({
  current: current === null ? null : formatName(current),
  recommended: recommended.map((name) => ({ name: formatName(name) })),
  terminate,
});

/** `rounded`: the rounded lines do not add up to the rounded total. */
function sumSavings(currency: string, total: Decimal, visible: readonly Saving[]) {
  const style = createMoneyStyle(currency);
  const amounts = visible.map(({ monthly }) => monthly.amount);
  const rest = minus(total, sum(amounts));
  const rounded = isRoundingVisible([...amounts, rest].map(style.rounded), style.rounded(total));
  return { style, total, rest, rounded };
}

const MAX_NAMES = 8;

/** The section about costs that the figures omit: unpriced resources and unstated usage. */
export function buildUnpricedSection({ evaluation: { report } }: SectionSource): Section {
  const types = Object.entries(report.unpriced?.types ?? {}).sort(([, a], [, b]) => b - a);
  const addresses = listUsageAddresses(report);
  const used = report.usage?.after ?? addresses.length;
  const count = report.unpriced?.count ?? 0;
  return {
    template: "unpriced",
    rows: Math.min(MAX_NAMES, Math.max(types.length, addresses.length)),
    view: (rows) => {
      if (count === 0 && used === 0) return null;
      const visibleTypes = types.slice(0, Math.max(0, rows));
      const named = addresses.slice(0, Math.max(0, rows));
      return {
        count,
        types: visibleTypes.map(([type, own]) => ({ type: formatName(type), count: formatCount(own) })),
        more: types.length - visibleTypes.length,
        incomplete: !report.unpricedIsComplete,
        used,
        introduced: report.usage?.introduced ?? 0,
        usedNames: named.map((address) => ({ resource: formatName(address) })),
        moreUsed: used - named.length,
      };
    },
  };
}

/** Addresses of usage-based resources; new and changed ones come first. */
function listUsageAddresses({ usageBased, resources }: Report): readonly string[] {
  const used =
    usageBased?.filter(isOpenAfter) ??
    resources.filter((resource) => resource.usageBased).map((one) => ({ ...one, change: null }));
  const [first, others] = [
    used.filter(({ change }) => change !== "unchanged"),
    used.filter(({ change }) => change === "unchanged"),
  ];
  return [...new Set([...first, ...others].map(({ address }) => address))];
}
