import type { RuleStatistics } from "../../../store/history/rule-outcomes.ts";

/** What the statistics of a rule suggest; `rules.hbs` words it. */
export interface RuleAdvice {
  readonly rule: string;
  /** `overridden`: people mostly merge although it blocks. `idle`: nothing violated it. */
  readonly kind: "overridden" | "idle";
  /** Pull requests that it blocked, or that it was evaluated on. */
  readonly of: number;
  readonly overridden: number;
}

/** Fewer pull requests than this say nothing about a rule. */
const ENOUGH_PULLS = 20;
/** Fewer blocked pull requests than this say nothing about overrides. */
const ENOUGH_BLOCKED = 3;

/** Returns advice on a rule that nothing violates or that is mostly overridden; null: there is nothing to suggest. */
export function adviseOnRule({
  rule,
  pulls,
  violated,
  blocked,
  overridden,
}: RuleStatistics): RuleAdvice | null {
  if (blocked >= ENOUGH_BLOCKED && overridden * 2 > blocked)
    return { rule, kind: "overridden", of: blocked, overridden };
  if (pulls >= ENOUGH_PULLS && violated === 0) return { rule, kind: "idle", of: pulls, overridden };
  return null;
}
