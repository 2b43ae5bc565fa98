import { type Decimal, minus, ZERO } from "../../kernel/money.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { TotalReport } from "../../report/model/report.ts";
import { hasUsageChange } from "../../report/usage.ts";
import { formatName } from "../escape.ts";
import { createMoneyStyle, SHA_DIGITS } from "../format.ts";
import type { Section, SectionSource } from "./section.ts";

/**
 * The section about the change since the previous head; shown where the cost of both heads is fully known.
 */
export const buildSinceLastSection = ({ evaluation }: SectionSource): Section => ({
  template: "since-last",
  view: () => buildSinceLastView(evaluation),
});

function buildSinceLastView({ previous, report, pull }: Evaluation) {
  if (previous === null || !pull.figures) return null;
  const [before, now] = [indexChanges(previous.totals), indexChanges(report.totals)];
  if (before === null || now === null || ![...now.keys()].some((currency) => before.has(currency)))
    return null;
  const currencies = [...new Set([...now.keys(), ...before.keys()])];
  return {
    head: formatName(previous.headSha.slice(0, SHA_DIGITS)),
    changes: currencies.flatMap((currency) => {
      const by = minus(now.get(currency) ?? ZERO, before.get(currency) ?? ZERO);
      return by === ZERO ? [] : [{ change: createMoneyStyle(currency).change(by) }];
    }),
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
