import type { PullMember, UndecidedReason } from "../../policy/model/finding.ts";
import { type Inline, name } from "../markup/escape.ts";

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
const NAMED = 3;

function usageView({ kind, count, names }: Extract<UndecidedReason, { kind: "usage" }>): BecauseView {
  const shown = names.slice(0, NAMED);
  return { kind, count, names: shown.map(name), more: count - shown.length };
}

export function becauseView(because: UndecidedReason): BecauseView {
  if (because.kind === "condition_failed") return { kind: because.kind, problem: name(because.problem) };
  if (because.kind === "usage") return usageView(because);
  if (because.kind !== "other_currency") return because;
  return { kind: "other_currency", found: name(because.found), expected: name(because.expected) };
}
