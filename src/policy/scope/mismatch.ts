import { suggestChoice } from "../../kernel/suggest.ts";
import type { Report } from "../../report/model/report.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import type { EvaluationContext, StageNames } from "../model/context.ts";
import type { PartMember, ScopeMismatch } from "../model/finding.ts";
import type { Scope, ScopeNames } from "../model/policy.ts";
import { findExcludingMember } from "./pull-scope.ts";
import type { PartNames } from "./scope.ts";
import {
  createMatcher,
  createModuleMatcher,
  createProviderMatcher,
  isPartialScope,
  isStageUnread,
  isWorkspaceInScope,
  parseProvider,
  toPatternPath,
} from "./scope.ts";

/** Largest number of names that a mismatch lists. */
const MAX_NAMES = 10;

/** The member of a scope that excludes this pull request; null: the scope may include it. */
export function findPullMismatch(scope: Scope | null, context: EvaluationContext): ScopeMismatch | null {
  const member = findExcludingMember(scope, context);
  if (member === null || scope === null) return null;
  const { author, labels, baseRef, paths } = context;
  const here = { branches: [baseRef], authors: author === null ? [] : [author], labels: labels ?? [], paths };
  const { not, ...named } = scope;
  const isLeftOut = findExcludingMember(named, context) !== member;
  return {
    member,
    patterns: (isLeftOut ? (not ?? named) : named)[member],
    ...limitNames(here[member]),
    meant: null,
    ...(isLeftOut && { excluded: true }),
  };
}

interface MismatchInput {
  readonly report: Report;
  readonly partNames: PartNames;
  readonly names: StageNames;
  readonly context: EvaluationContext;
}

/**
 * The member of a scope that matches nothing in the report. Null: each member matches something, or may match
 * an execution that is not shown here or could not be read.
 */
export function findPartMismatch(scope: Scope | null, input: MismatchInput): ScopeMismatch | null {
  const { stages, refused } = input.report;
  if (!isPartialScope(scope) || stages.length === 0) return null;
  if (listUnseenDoubts(refused).length > 0 || stages.some(isStageUnread)) return null;
  const found = findReportMismatch(scope, input);
  return found !== null && isElsewhere(scope, input) ? { ...found, meant: null, elsewhere: true } : found;
}

/** Whether the scope matches a known workspace of the repository that this pull request does not touch. */
const isElsewhere = (scope: Scope, { names, context: { budgetUse } }: MismatchInput): boolean =>
  budgetUse?.workspaces.some((known) =>
    isWorkspaceInScope(scope, { workspace: known.workspace, name: names.getName(known) }),
  ) === true;

function findReportMismatch(
  scope: Scope,
  { report: { stages }, partNames }: MismatchInput,
): ScopeMismatch | null {
  const { not } = scope;
  const names = stages.map(({ name }) => name);
  const isStageNamed = createMatcher(scope.stages, not?.stages);
  const named = stages.filter(({ name }) => isStageNamed(name));
  if (named.length === 0)
    return findMemberMismatch("stages", scope, {
      names,
      isNamed: names.some(createMatcher(scope.stages)),
    });
  const workspaces = named.map(({ workspace }) => workspace);
  const isWorkspaceNamed = createMatcher(scope.workspaces, not?.workspaces);
  const chosen = named.filter(({ workspace }) => isWorkspaceNamed(workspace));
  if (chosen.length === 0)
    return findMemberMismatch("workspaces", scope, {
      names: workspaces,
      isNamed: workspaces.some(createMatcher(scope.workspaces)),
    });
  return (
    findModuleMismatch(scope, partNames.listModules(chosen)) ??
    findTypeMismatch(scope, partNames.listResourceTypes(chosen))
  );
}

/** `here`: the modules of the pull request. */
function findModuleMismatch(scope: Scope, here: readonly string[]) {
  const { not, ...named } = scope;
  if (named.modules.length + (not?.modules.length ?? 0) === 0) return null;
  if (here.some(createModuleMatcher(scope))) return null;
  return findMemberMismatch("modules", scope, {
    names: here.map(toPatternPath),
    isNamed: here.some(createModuleMatcher(named)),
  });
}

/** A resource without a stated type may be of any type. */
function findTypeMismatch(scope: Scope, here: readonly string[]) {
  const { resourceTypes, providers, not } = scope;
  const lists = [resourceTypes, providers, not?.resourceTypes ?? [], not?.providers ?? []];
  if (lists.every((list) => list.length === 0)) return null;
  if (here.includes("")) return null;
  const chosen = here.filter(createMatcher(resourceTypes, not?.resourceTypes));
  if (chosen.length === 0)
    return findMemberMismatch("resource_types", scope, {
      names: here,
      isNamed: here.some(createMatcher(resourceTypes)),
    });
  if (chosen.some(createProviderMatcher(providers, not?.providers))) return null;
  const isNamed = chosen.some(createProviderMatcher(providers));
  return findMemberMismatch("providers", scope, { names: chosen.map(parseProvider), isNamed });
}

interface PresentNames {
  readonly names: readonly string[];
  /** The scope names a part of it, but `not` excludes that part. */
  readonly isNamed: boolean;
}

function findMemberMismatch(
  member: PartMember,
  { not, ...named }: Scope,
  { names: here, isNamed }: PresentNames,
): ScopeMismatch | null {
  const patterns = (isNamed ? (not ?? named) : named)[MEMBER_KEYS[member]];
  if (patterns.length === 0) return null; // no patterns: nothing can mismatch
  const names = [...new Set(here)].sort();
  if (isNamed) return { member, patterns, ...limitNames(names), meant: null, excluded: true };
  const [meant = null] = patterns.flatMap((pattern) => suggestChoice(pattern, names) ?? []);
  return { member, patterns, ...limitNames(names), meant };
}

const MEMBER_KEYS = {
  stages: "stages",
  workspaces: "workspaces",
  modules: "modules",
  resource_types: "resourceTypes",
  providers: "providers",
} as const satisfies { readonly [member in PartMember]: keyof ScopeNames };

const limitNames = (names: readonly string[]): Pick<ScopeMismatch, "here" | "more"> => ({
  here: names.slice(0, MAX_NAMES),
  more: Math.max(0, names.length - MAX_NAMES),
});

/** The noun for the names in each member of a scope. */
export const MEMBER_NOUNS: { readonly [member in ScopeMismatch["member"]]: string } = {
  branches: "base branch",
  authors: "author",
  labels: "label",
  paths: "changed path",
  stages: "stage",
  workspaces: "workspace",
  modules: "module",
  resource_types: "resource type",
  providers: "provider",
};

/**
 * Describes why a rule is not applicable, for a terminal: `no stage matches prodution; here: production (did
 * you mean production?)`.
 */
export function describeMismatch({ member, patterns, here, more, meant, excluded }: ScopeMismatch): string {
  const found = here.length === 0 ? "none" : here.join(", ");
  const rest = more === 0 ? "" : ` and ${more} more`;
  const guess = meant === null ? "" : ` (did you mean ${meant}?)`;
  if (excluded === true)
    return `each ${MEMBER_NOUNS[member]} here is left out by not: ${patterns.join(", ")}; here: ${found}${rest}`;
  return `no ${MEMBER_NOUNS[member]} matches ${patterns.join(", ")}; here: ${found}${rest}${guess}`;
}
