import type { Limit } from "../model/policy.ts";
import { anomalies } from "./anomalies.ts";
import { budget } from "./budget.ts";
import { changes } from "./changes.ts";
import { decrease } from "./decrease.ts";
import { deletions } from "./deletions.ts";
import { drift } from "./drift.ts";
import { governanceFailures } from "./governance-failures.ts";
import { increase } from "./increase.ts";
import { invocations } from "./invocations.ts";
import { missedSavings } from "./missed-savings.ts";
import { percent } from "./percent.ts";
import { replacements } from "./replacements.ts";
import type { RuleKind } from "./rule-kind.ts";
import { total } from "./total.ts";
import { unitCost } from "./unit-cost.ts";
import { unpriced } from "./unpriced.ts";
import { usage } from "./usage.ts";
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
