import { compare, type Decimal, minus, ZERO } from "../../kernel/money.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { TotalReport } from "../../report/model/report.ts";
import { hasUsageChange } from "../../report/usage.ts";
import { type Cell, formatName } from "../escape.ts";
import { createMoneyStyle } from "../format.ts";
import type { Section, Subject } from "./section.ts";

/** Number of shown hex digits of a commit. */
const SHA_DIGITS = 8;

/**
 * The section about the change since the previous head; shown where the cost of both heads is fully known.
 */
export function buildSinceLastSection({ evaluation }: Subject): Section {
  return { template: "since-last", rows: 0, isRequired: false, view: () => buildSinceLastView(evaluation) };
}

function buildSinceLastView({ previous, report, pull }: Evaluation): object | null {
  if (previous === null || !pull.figures) return null;
  const [before, now] = [indexChanges(previous.totals), indexChanges(report.totals)];
  if (before === null || now === null || ![...now.keys()].some((currency) => before.has(currency)))
    return null;
  const moves = [...new Set([...now.keys(), ...before.keys()])].map((currency) => ({
    currency,
    by: minus(now.get(currency) ?? ZERO, before.get(currency) ?? ZERO),
  }));
  const moved = moves.filter(({ by }) => compare(by, ZERO) !== 0);
  return {
    head: formatName(previous.headSha.slice(0, SHA_DIGITS)),
    changes: moved.map(({ currency, by }): { readonly change: Cell } => ({
      change: createMoneyStyle(currency).change(by),
    })),
  };
}

/**
 * The change in each currency; null where a part is unknown, because the sum of the rest would be misleading.
 */
function indexChanges(totals: readonly TotalReport[]): ReadonlyMap<string, Decimal> | null {
  const known = totals.flatMap(({ state, currency, change, usage }): [string, Decimal][] =>
    state === "known" && change !== null && !hasUsageChange(usage) ? [[currency, change]] : [],
  );
  return known.length < totals.length ? null : new Map(known);
}
