import { suggestChoice } from "../../../kernel/suggest.ts";
import type { Limit } from "../../model/policy.ts";
import { BudgetEntry, RuleEntry } from "../schema/rule-schema.ts";
import { readMember } from "../text/member.ts";
import type { YamlTree } from "../text/yaml-tree.ts";
import { parseLimit } from "./to-rule.ts";

/** The valid members of a written rule: a member that is absent here is missing or invalid in the file. */
export interface RuleSource {
  readonly list: "rules" | "budgets";
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Limit["kind"] | undefined;
  /** Currency of its limit; undefined: none, or invalid. */
  readonly currency: string | undefined;
  /** Whether it has a limit and a condition at all, valid or not. */
  readonly has: { readonly limit: boolean; readonly when: boolean };
  readonly when: string | undefined;
  readonly per: RuleEntry["per"];
  readonly scope: RuleEntry["scope"];
  readonly enforce: RuleEntry["enforce"];
  readonly on_unknown: RuleEntry["on_unknown"];
  readonly existing: RuleEntry["existing"];
  readonly mandatory: RuleEntry["mandatory"];
}

/** Reads the rules and budgets of a document that may have problems elsewhere. */
export function listRuleSources({ value }: YamlTree): readonly RuleSource[] {
  const entries = (list: "rules" | "budgets"): readonly unknown[] => {
    const found = readMember(value, list);
    return Array.isArray(found) ? found : [];
  };
  return [...entries("rules").map(readRuleSource), ...entries("budgets").map(readBudgetSource)];
}

function readRuleSource(rule: unknown, index: number): RuleSource {
  const { id, when, per, scope, enforce, on_unknown, existing, mandatory } = RuleEntry.shape;
  const limit = readLimit(rule);
  const condition = when.safeParse(readMember(rule, "when")).data;
  return {
    list: "rules",
    index,
    id: id.safeParse(readMember(rule, "id")).data,
    kind: limit?.kind ?? (condition === undefined ? undefined : "when"),
    currency: limit !== undefined && "amount" in limit ? limit.amount.currency : undefined,
    has: hasKeys(rule),
    when: condition,
    per: per.safeParse(readMember(rule, "per")).data,
    scope: scope.safeParse(readMember(rule, "scope")).data,
    enforce: enforce.safeParse(readMember(rule, "enforce")).data,
    on_unknown: on_unknown.safeParse(readMember(rule, "on_unknown")).data,
    existing: existing.safeParse(readMember(rule, "existing")).data,
    mandatory: mandatory.safeParse(readMember(rule, "mandatory")).data,
  };
}

function readLimit(rule: unknown): Limit | undefined {
  const limit = RuleEntry.shape.limit.safeParse(readMember(rule, "limit")).data;
  return limit === undefined ? undefined : parseLimit(limit);
}

/** A misspelled key counts as present: it has a problem of its own, as has a rule that is no mapping. */
function hasKeys(rule: unknown): RuleSource["has"] {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return { limit: true, when: false };
  const known = Object.keys(RuleEntry.shape);
  const meant = Object.keys(rule).map((key) => (known.includes(key) ? key : suggestChoice(key, known)));
  return { limit: meant.includes("limit"), when: meant.includes("when") };
}

function readBudgetSource(budget: unknown, index: number): RuleSource {
  const { id, amount, scope, enforce, mandatory } = BudgetEntry.shape;
  return {
    list: "budgets",
    index,
    id: id.safeParse(readMember(budget, "id")).data,
    kind: "budget",
    currency: amount.safeParse(readMember(budget, "amount")).data?.currency,
    has: { limit: true, when: false },
    when: undefined,
    per: undefined,
    scope: scope.safeParse(readMember(budget, "scope")).data,
    enforce: enforce.safeParse(readMember(budget, "enforce")).data,
    on_unknown: undefined,
    existing: undefined,
    mandatory: mandatory.safeParse(readMember(budget, "mandatory")).data,
  };
}
