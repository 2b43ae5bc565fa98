import type { PullMember, UndecidedReason } from "../../policy/model/finding.ts";
import { formatName, type Inline } from "../markup/escape.ts";

/** Why a rule is undecided, as templates word it. */
export type BecauseView =
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "partial" | "inconsistent" }
  | { readonly kind: "scope_unknown"; readonly members: readonly PullMember[] }
  | {
      readonly kind: "usage";
      readonly count: number;
      readonly names: readonly Inline[];
      readonly more: number;
    }
  | { readonly kind: "condition_failed"; readonly problem: Inline }
  | { readonly kind: "other_currency"; readonly found: Inline; readonly expected: Inline };

/** Largest number of named resources; further ones are counted. */
const MAX_NAMES = 3;

function buildUsageReasonView({
  kind,
  count,
  names,
}: Extract<UndecidedReason, { kind: "usage" }>): BecauseView {
  const visibleNames = names.slice(0, MAX_NAMES);
  return { kind, count, names: visibleNames.map(formatName), more: count - visibleNames.length };
}

export function buildBecauseView(because: UndecidedReason): BecauseView {
  if (because.kind === "condition_failed")
    return { kind: because.kind, problem: formatName(because.problem) };
  if (because.kind === "usage") return buildUsageReasonView(because);
  if (because.kind !== "other_currency") return because;
  return { kind: "other_currency", found: formatName(because.found), expected: formatName(because.expected) };
}
