import type { Limit } from "./model/policy.ts";

/** Returns a limit as a policy file states it. */
export function formatLimit(limit: Limit): string {
  if (limit.kind === "when") return `when: ${JSON.stringify(limit.expression)}`;
  if ("amount" in limit) return `limit: { ${limit.kind}: ${limit.amount.amount} ${limit.amount.currency} }`;
  if (limit.kind === "unit-cost")
    return `limit: { unit-cost: { metric: ${JSON.stringify(limit.metric)}, percent: ${limit.percent} } }`;
  return `limit: { ${limit.kind}: ${"percent" in limit ? limit.percent : limit.count} }`;
}
