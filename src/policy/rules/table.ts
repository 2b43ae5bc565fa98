import type { Limit } from "../policy.ts";
import { changes } from "./changes.ts";
import { decrease } from "./decrease.ts";
import { deletions } from "./deletions.ts";
import { drift } from "./drift.ts";
import { increase } from "./increase.ts";
import { percent } from "./percent.ts";
import { replacements } from "./replacements.ts";
import type { RuleKind } from "./rule-kind.ts";
import { total } from "./total.ts";
import { unpriced } from "./unpriced.ts";

/** Every kind of limit; a new one does not compile until it is here. */
export const RULE_KINDS: { readonly [kind in Limit["kind"]]: RuleKind } = {
  increase,
  decrease,
  percent,
  total,
  deletions,
  replacements,
  changes,
  drift,
  unpriced,
};
