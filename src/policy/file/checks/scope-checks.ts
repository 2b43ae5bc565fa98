import { RULE_KINDS } from "../../rules/table.ts";
import { compileCondition } from "../../when/compile.ts";
import type { ScopeEntry } from "../schema/scope-schema.ts";
import type { WrittenRule } from "../schema/written-rule.ts";

/** Something wrong with a member of a scope; null: with what the rule looks at one by one. */
export interface ScopeComplaint {
  readonly key: ScopeKey | null;
  readonly message: string;
}

type ScopeKey = keyof ScopeEntry;

const PARTS = { modules: "modules", resource_types: "types", providers: "types" } as const;

const partsIn = (scope: ScopeEntry): readonly (keyof typeof PARTS)[] =>
  (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter((key) => scope[key] !== undefined); // its own keys

/** Why a scope cannot be a rule's: its kind of limit is not known part by part, or has no lines of the kind that is asked for. */
export function scopeComplaints({ kind, per, scope, when }: WrittenRule): readonly ScopeComplaint[] {
  if (kind === undefined || scope === undefined) return [];
  return [...unknownParts(kind, scope), ...uncountedParts(when, scope), ...crossedParts(per, scope)];
}

/** Why a scope cannot be that of an exception from this rule. */
export function exceptionComplaints(rule: WrittenRule, scope: ScopeEntry): readonly ScopeComplaint[] {
  const { kind, per, when } = rule;
  if (kind === undefined) return [];
  if (kind === "budget") return partsOfBudget(scope);
  const own = crossedParts(per, { ...rule.scope, ...scope }).map(() => ({
    key: partsIn(scope)[0] ?? null,
    message: `does not fit the rule, which looks at each ${per}; remove it`,
  }));
  return [...unknownParts(kind, scope), ...uncountedParts(when, scope), ...own];
}

const unknownParts = (kind: NonNullable<WrittenRule["kind"]>, scope: ScopeEntry): readonly ScopeComplaint[] =>
  partsIn(scope)
    .filter((key) => !RULE_KINDS[kind].parts.includes(PARTS[key]))
    .map((key) => ({
      key,
      message: `is not available for ${kind}, which is not known part by part; remove it`,
    }));

/** Resources that do not change are not listed. */
function uncountedParts(when: string | undefined, scope: ScopeEntry): readonly ScopeComplaint[] {
  const [key] = partsIn(scope);
  const compiled = when === undefined ? null : compileCondition(when);
  if (key === undefined || compiled?.ok !== true || !compiled.condition.needs.includes("unchanged"))
    return [];
  return [
    { key, message: "is not available here: the condition reads unchanged, which is not known part by part" },
  ];
}

function crossedParts(per: WrittenRule["per"], scope: ScopeEntry): readonly ScopeComplaint[] {
  const kinds = new Set(partsIn(scope).map((key) => PARTS[key]));
  const crosses =
    (per === "module" && kinds.has("types")) || (per === "resource-type" && kinds.has("modules"));
  const other = per === "module" ? "resource types" : "modules";
  return crosses ? [{ key: null, message: `found "${per}", but a scope by ${other} has no such lines` }] : [];
}

/** What it costs in all is excepted from, or nothing is. */
const partsOfBudget = (scope: ScopeEntry): readonly ScopeComplaint[] =>
  (["stages", "workspaces", "modules", "resource_types", "providers"] as const)
    .filter((key) => scope[key] !== undefined)
    .map((key) => ({
      key,
      message: "is not available for a budget, which is excepted from as a whole; remove it",
    }));
