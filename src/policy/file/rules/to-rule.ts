import { TollgateError } from "../../../kernel/errors.ts";
import type {
  ApproverGroup,
  ApproveSpec,
  CountLimit,
  Limit,
  OverrideSpec,
  Rule,
  Scope,
  ScopeNames,
  Waiver,
} from "../../model/policy.ts";
import { compileCondition } from "../../when/compile.ts";
import type { BudgetEntry, RuleEntry, WaiverEntry } from "../schema/rule-schema.ts";
import type { ApproveEntry, OverrideEntry, ScopeEntry } from "../schema/scope-schema.ts";

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
  for (const kind of COUNTS) {
    const count = entry[kind];
    if (count !== undefined) return { kind, count };
  }
  const { percent, "unit-cost": unitCost } = entry;
  if (percent !== undefined) return { kind: "percent", percent };
  if (unitCost !== undefined) return { kind: "unit-cost", ...unitCost };
  throw new TollgateError("internal", "a rule without a limit passed the schema");
}

const MONEY = ["increase", "decrease", "total", "missed-savings"] as const;
const COUNTS = [
  "deletions",
  "replacements",
  "changes",
  "invocations",
  "drift",
  "unpriced",
  "usage",
  "anomalies",
  "governance-failures",
] as const satisfies readonly CountLimit[];
