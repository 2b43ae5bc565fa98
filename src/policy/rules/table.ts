import type { Limit } from "../model/policy.ts";
import { budget } from "./budget.ts";
import { decrease, increase, percent, total } from "./cost-rules.ts";
import { changes, deletions, drift, invocations, replacements, unpriced, usage } from "./count-rules.ts";
import { anomalies, governanceFailures, missedSavings, unitCost } from "./fact-rules.ts";
import type { RuleKind } from "./rule-kind.ts";
import { when } from "./when.ts";

/** Every kind of limit. The compiler rejects a kind that is missing here. */
export const RULE_KINDS: { readonly [kind in Limit["kind"]]: RuleKind<kind> } = {
  increase,
  decrease,
  percent,
  total,
  deletions,
  replacements,
  changes,
  invocations,
  drift,
  unpriced,
  usage,
  "missed-savings": missedSavings,
  anomalies,
  "governance-failures": governanceFailures,
  "unit-cost": unitCost,
  budget,
  when,
};
