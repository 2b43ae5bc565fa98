import type { Limit } from "../policy.ts";
import { memberOf } from "./member.ts";
import { BudgetEntry, RuleEntry } from "./schema.ts";
import { limitOf } from "./to-rule.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** A rule as far as it is right: what is missing here is missing or wrong there. */
export interface WrittenRule {
  readonly list: "rules" | "budgets";
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Limit["kind"] | undefined;
  /** Whether it has a limit and a condition at all, right or wrong. */
  readonly has: { readonly limit: boolean; readonly when: boolean };
  readonly when: string | undefined;
  readonly per: RuleEntry["per"];
  readonly scope: RuleEntry["scope"];
  readonly enforce: RuleEntry["enforce"];
  readonly on_unknown: RuleEntry["on_unknown"];
  readonly mandatory: RuleEntry["mandatory"];
}

/** The rules and budgets of a document in which other things may be wrong. */
export function rulesOf({ value }: YamlTree): readonly WrittenRule[] {
  const entries = (list: "rules" | "budgets"): readonly unknown[] => {
    const found = memberOf(value, list);
    return Array.isArray(found) ? found : [];
  };
  return [...entries("rules").map(writtenRule), ...entries("budgets").map(writtenBudget)];
}

function writtenRule(rule: unknown, index: number): WrittenRule {
  const { id, limit, when, per, scope, enforce, on_unknown, mandatory } = RuleEntry.shape;
  const written = limit.safeParse(memberOf(rule, "limit")).data;
  const condition = when.safeParse(memberOf(rule, "when")).data;
  const kind = written === undefined ? undefined : limitOf(written).kind;
  return {
    list: "rules",
    index,
    id: id.safeParse(memberOf(rule, "id")).data,
    kind: kind ?? (condition === undefined ? undefined : "when"),
    has: has(rule),
    when: condition,
    per: per.safeParse(memberOf(rule, "per")).data,
    scope: scope.safeParse(memberOf(rule, "scope")).data,
    enforce: enforce.safeParse(memberOf(rule, "enforce")).data,
    on_unknown: on_unknown.safeParse(memberOf(rule, "on_unknown")).data,
    mandatory: mandatory.safeParse(memberOf(rule, "mandatory")).data,
  };
}

/** Something that is no mapping is complained of as such. */
function has(rule: unknown): WrittenRule["has"] {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return { limit: true, when: false };
  return { limit: memberOf(rule, "limit") !== undefined, when: memberOf(rule, "when") !== undefined };
}

function writtenBudget(budget: unknown, index: number): WrittenRule {
  const { id, scope, enforce, mandatory } = BudgetEntry.shape;
  return {
    list: "budgets",
    index,
    id: id.safeParse(memberOf(budget, "id")).data,
    kind: "budget",
    has: { limit: true, when: false },
    when: undefined,
    per: undefined,
    scope: scope.safeParse(memberOf(budget, "scope")).data,
    enforce: enforce.safeParse(memberOf(budget, "enforce")).data,
    on_unknown: undefined,
    mandatory: mandatory.safeParse(memberOf(budget, "mandatory")).data,
  };
}
