import { TollgateError } from "../../kernel/errors.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import {
  type ApproverGroup,
  type ApproveSpec,
  CountLimit,
  type Limit,
  type OverrideSpec,
  type Rule,
  type Scope,
  type ScopeNames,
  type Waiver,
} from "../model/policy.ts";
import { compileCondition } from "../when/compile.ts";
import type { ApproveEntry, OverrideEntry, ScopeEntry } from "./schema.ts";
import { BudgetEntry, RuleEntry, type WaiverEntry } from "./schema.ts";
import { readMember } from "./schema-problems.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** Converts a written rule to a rule of the policy. */
export function toRule(entry: RuleEntry): Rule {
  const { id, limit, when, per, scope, on_unknown, approve, message, mandatory } = entry;
  const enforce = typeof entry.enforce === "string" ? entry.enforce : "block";
  const byStage = typeof entry.enforce === "object" ? Object.entries(entry.enforce) : [];
  return {
    id,
    limit: limit === undefined ? toCondition(when ?? "") : toRuleLimit(limit, entry.existing),
    per: per ?? "pull-request",
    scope: scope === undefined ? null : toScope(scope),
    enforce,
    enforceIn: byStage.map(([stage, own]) => ({ stage, enforce: own })),
    onUnknown: on_unknown ?? enforce,
    approve: approve === undefined ? null : toApprove(approve),
    message: message ?? null,
    mandatory: mandatory ?? false,
  };
}

/** Converts a budget to a rule about the total cost of a scope. */
export function toBudgetRule({
  id,
  amount,
  scope,
  enforce = "block",
  approve,
  mandatory,
}: BudgetEntry): Rule {
  return {
    id,
    limit: { kind: "budget", amount },
    per: "pull-request",
    scope: scope === undefined ? null : toScope(scope),
    enforce,
    enforceIn: [],
    onUnknown: enforce,
    approve: approve === undefined ? null : toApprove(approve),
    message: null,
    mandatory: mandatory ?? false,
  };
}

export const toWaiver = ({ rule, scope, up_to, until, reason, owner }: WaiverEntry): Waiver => ({
  rule,
  scope: scope === undefined ? null : toScope(scope),
  upTo: up_to ?? null,
  untilMs: until,
  reason,
  owner,
});

const toScope = ({ not, ...entry }: ScopeEntry): Scope => ({
  ...toNames(entry),
  ...(not === undefined ? {} : { not: toNames(not) }),
});

const toNames = (entry: Omit<ScopeEntry, "not">): ScopeNames => ({
  branches: entry.branches ?? [],
  paths: entry.paths ?? [],
  labels: entry.labels ?? [],
  authors: entry.authors ?? [],
  stages: entry.stages ?? [],
  workspaces: entry.workspaces ?? [],
  modules: entry.modules ?? [],
  resourceTypes: entry.resource_types ?? [],
  providers: entry.providers ?? [],
});

function toApprove({ all, reviews, ...own }: ApproveEntry): ApproveSpec {
  return { groups: (all ?? [own]).map(toGroup), reviews: reviews ?? false };
}

const toGroup = ({
  teams,
  users,
  permission,
  count,
}: Pick<ApproveEntry, "teams" | "users" | "permission" | "count">): ApproverGroup => ({
  teams: teams ?? [],
  users: (users ?? []).map((login) => login.toLowerCase()),
  permission: permission ?? null,
  count: count ?? 1,
});

/** Converts the people who may override a check; null: nobody may. */
export function toOverride(entry: OverrideEntry | undefined): OverrideSpec | null {
  if (entry === undefined) return null;
  const { teams, users, permission } = toGroup(entry);
  if (teams.length + users.length === 0 && permission === null) return null;
  return { teams, users, permission, allowAuthor: entry.allow_author ?? false };
}

/** A condition that was checked when the file was read. */
function toCondition(expression: string): Limit {
  const compiled = compileCondition(expression);
  if (!compiled.ok) throw new TollgateError("internal", "a condition that cannot be read passed the checks");
  return { kind: "when", expression, needs: compiled.condition.needs };
}

function toRuleLimit(entry: LimitEntry, existing: RuleEntry["existing"]): Limit {
  const limit = parseLimit(entry);
  return "count" in limit && existing !== undefined ? { ...limit, existing } : limit;
}

type LimitEntry = NonNullable<RuleEntry["limit"]>;

/** The one limit of a mapping; the schema guarantees exactly one. */
export function parseLimit(entry: LimitEntry): Limit {
  for (const kind of MONEY) {
    const amount = entry[kind];
    if (amount !== undefined) return { kind, amount };
  }
  for (const kind of CountLimit.options) {
    const count = entry[kind];
    if (count !== undefined) return { kind, count };
  }
  const { percent, "unit-cost": unitCost } = entry;
  if (percent !== undefined) return { kind: "percent", percent };
  if (unitCost !== undefined) return { kind: "unit-cost", ...unitCost };
  throw new TollgateError("internal", "a rule without a limit passed the schema");
}

const MONEY = ["increase", "decrease", "total", "missed-savings"] as const;

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
