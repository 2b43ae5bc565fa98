import { suggest } from "../../../kernel/suggest.ts";
import type { Limit } from "../../model/policy.ts";
import { BudgetEntry, RuleEntry } from "../schema/rule-schema.ts";
import { memberOf } from "../text/member.ts";
import type { YamlTree } from "../text/yaml-tree.ts";
import { limitOf } from "./to-rule.ts";

/** A rule as far as it is right: what is missing here is missing or wrong there. */
export interface RuleSource {
  readonly list: "rules" | "budgets";
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Limit["kind"] | undefined;
  /** Currency that it judges in; undefined: none, or wrong. */
  readonly currency: string | undefined;
  /** Whether it has a limit and a condition at all, right or wrong. */
  readonly has: { readonly limit: boolean; readonly when: boolean };
  readonly when: string | undefined;
  readonly per: RuleEntry["per"];
  readonly scope: RuleEntry["scope"];
  readonly enforce: RuleEntry["enforce"];
  readonly on_unknown: RuleEntry["on_unknown"];
  readonly existing: RuleEntry["existing"];
  readonly mandatory: RuleEntry["mandatory"];
}

/** The rules and budgets of a document in which other things may be wrong. */
export function rulesOf({ value }: YamlTree): readonly RuleSource[] {
  const entries = (list: "rules" | "budgets"): readonly unknown[] => {
    const found = memberOf(value, list);
    return Array.isArray(found) ? found : [];
  };
  return [...entries("rules").map(writtenRule), ...entries("budgets").map(writtenBudget)];
}

function writtenRule(rule: unknown, index: number): RuleSource {
  const { id, when, per, scope, enforce, on_unknown, existing, mandatory } = RuleEntry.shape;
  const limit = writtenLimit(rule);
  const condition = when.safeParse(memberOf(rule, "when")).data;
  return {
    list: "rules",
    index,
    id: id.safeParse(memberOf(rule, "id")).data,
    kind: limit?.kind ?? (condition === undefined ? undefined : "when"),
    currency: limit !== undefined && "amount" in limit ? limit.amount.currency : undefined,
    has: has(rule),
    when: condition,
    per: per.safeParse(memberOf(rule, "per")).data,
    scope: scope.safeParse(memberOf(rule, "scope")).data,
    enforce: enforce.safeParse(memberOf(rule, "enforce")).data,
    on_unknown: on_unknown.safeParse(memberOf(rule, "on_unknown")).data,
    existing: existing.safeParse(memberOf(rule, "existing")).data,
    mandatory: mandatory.safeParse(memberOf(rule, "mandatory")).data,
  };
}

function writtenLimit(rule: unknown): Limit | undefined {
  const limit = RuleEntry.shape.limit.safeParse(memberOf(rule, "limit")).data;
  return limit === undefined ? undefined : limitOf(limit);
}

/** A misspelt one is there too: it is complained of by its name. Something that is no mapping is complained of as such. */
function has(rule: unknown): RuleSource["has"] {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return { limit: true, when: false };
  const known = Object.keys(RuleEntry.shape);
  const meant = Object.keys(rule).map((key) => (known.includes(key) ? key : suggest(key, known)));
  return { limit: meant.includes("limit"), when: meant.includes("when") };
}

function writtenBudget(budget: unknown, index: number): RuleSource {
  const { id, amount, scope, enforce, mandatory } = BudgetEntry.shape;
  return {
    list: "budgets",
    index,
    id: id.safeParse(memberOf(budget, "id")).data,
    kind: "budget",
    currency: amount.safeParse(memberOf(budget, "amount")).data?.currency,
    has: { limit: true, when: false },
    when: undefined,
    per: undefined,
    scope: scope.safeParse(memberOf(budget, "scope")).data,
    enforce: enforce.safeParse(memberOf(budget, "enforce")).data,
    on_unknown: undefined,
    existing: undefined,
    mandatory: mandatory.safeParse(memberOf(budget, "mandatory")).data,
  };
}
