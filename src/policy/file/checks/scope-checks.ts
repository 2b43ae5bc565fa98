import { RULE_KINDS } from "../../rules/table.ts";
import { compileCondition } from "../../when/compile.ts";
import type { RuleSource } from "../rules/rule-source.ts";
import type { ScopeEntry } from "../schema/scope-schema.ts";

/** A problem with a member of a scope; null: with `per`. */
export interface ScopeProblem {
  readonly key: string | null;
  readonly message: string;
}

const PARTS = { modules: "modules", resource_types: "types", providers: "types" } as const;

/** A part of a stage that a scope names or leaves out: `not.modules`. */
interface NamedPart {
  readonly key: string;
  readonly part: "modules" | "types";
}

const listNamedParts = (scope: ScopeEntry): readonly NamedPart[] =>
  listNamedKeys(scope, Object.keys(PARTS) as (keyof typeof PARTS)[]).map(({ key, name }) => ({
    key,
    part: PARTS[name],
  })); // its own keys

/** The members that a scope includes or excludes, with their places. */
const listNamedKeys = <Name extends keyof Omit<ScopeEntry, "not">>(
  scope: ScopeEntry,
  names: readonly Name[],
) => [
  ...names.filter((name) => scope[name] !== undefined).map((name) => ({ name, key: String(name) })),
  ...names
    .filter((name) => scope.not?.[name] !== undefined)
    .map((name) => ({ name, key: `not.${String(name)}` })),
];

/** Why a scope does not fit its rule: the limit is not measured per part, or has no lines of the requested kind. */
export function findScopeProblems({ kind, per, scope, when }: RuleSource): readonly ScopeProblem[] {
  if (kind === undefined || scope === undefined) return [];
  return [
    ...findUnknownParts(kind, scope),
    ...findUncountedParts(when, scope),
    ...findCrossedParts(per, listNamedParts(scope)),
  ];
}

/** Why a scope does not fit a waiver of this rule. */
export function findWaiverScopeProblems(rule: RuleSource, scope: ScopeEntry): readonly ScopeProblem[] {
  const { kind, per, when } = rule;
  if (kind === undefined) return [];
  if (kind === "budget") return findBudgetParts(scope);
  const own = findCrossedParts(per, [...listNamedParts(rule.scope ?? {}), ...listNamedParts(scope)]).map(
    () => ({
      key: listNamedParts(scope)[0]?.key ?? null,
      message: `does not fit the rule, which looks at each ${per}; remove it`,
    }),
  );
  return [...findUnknownParts(kind, scope), ...findUncountedParts(when, scope), ...own];
}

const findUnknownParts = (
  kind: NonNullable<RuleSource["kind"]>,
  scope: ScopeEntry,
): readonly ScopeProblem[] =>
  listNamedParts(scope)
    .filter(({ part }) => !RULE_KINDS[kind].parts.includes(part))
    .map(({ key }) => ({
      key,
      message: `is not available for ${kind}, which is not known part by part; remove it`,
    }));

/** Resources that do not change are not listed. */
function findUncountedParts(when: string | undefined, scope: ScopeEntry): readonly ScopeProblem[] {
  const key = listNamedParts(scope)[0]?.key;
  const compiled = when === undefined ? null : compileCondition(when);
  if (key === undefined || compiled?.ok !== true || !compiled.condition.needs.includes("unchanged"))
    return [];
  return [
    { key, message: "is not available here: the condition reads unchanged, which is not known part by part" },
  ];
}

function findCrossedParts(per: RuleSource["per"], parts: readonly NamedPart[]): readonly ScopeProblem[] {
  const kinds = new Set(parts.map(({ part }) => part));
  const crosses =
    (per === "module" && kinds.has("types")) || (per === "resource-type" && kinds.has("modules"));
  const other = per === "module" ? "resource types" : "modules";
  return crosses ? [{ key: null, message: `found "${per}", but a scope by ${other} has no such lines` }] : [];
}

/** A budget is waived as a whole or not at all. */
const findBudgetParts = (scope: ScopeEntry): readonly ScopeProblem[] =>
  listNamedKeys(scope, ["stages", "workspaces", "modules", "resource_types", "providers"]).map(({ key }) => ({
    key,
    message: "is not available for a budget, which can be waived only as a whole; remove it",
  }));
