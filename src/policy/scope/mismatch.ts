import { readTag } from "../../kernel/resource-tags.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import type { Report } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { listTagSides } from "../../report/tags.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import type { EvaluationContext, StageNames } from "../model/context.ts";
import { type PartMember, PullMember, type ScopeMismatch } from "../model/finding.ts";
import { EVERYTHING, type Expectation, type Scope, type ScopeTag } from "../model/policy.ts";
import {
  createGlobMatcher,
  createMatcher,
  hasPatterns,
  isPartialScope,
  isWorkspaceInScope,
  limitNames,
  type PartNames,
  parseProvider,
  toPatternPath,
} from "./scope.ts";

/** Whether a scope may include this pull request. */
export const canScopeApply = (scope: Scope | null, context: EvaluationContext): boolean =>
  findExcludingMember(scope, context) === null;

/**
 * The expectations that may apply to the pull request: what is not known of it excludes it from none. Takes time where a policy has many
 * patterns and a pull request many files.
 */
export const selectApplicable = (
  context: EvaluationContext,
  all: readonly Expectation[],
): readonly Expectation[] =>
  all.filter(({ paths, not }) => canScopeApply({ ...EVERYTHING, paths, ...(not && { not }) }, context));

/** The member of a scope that excludes this pull request; null: the scope may include it. */
function findExcludingMember(scope: Scope | null, context: EvaluationContext): PullMember | null {
  if (scope === null) return null;
  return PullMember.options.find((member) => MATCHES[member](scope, context) === "no") ?? null;
}

/** Whether a scope certainly includes this pull request and all of its changes; required before a violation is waived. */
export const isScopeCertain = (scope: Scope | null, context: EvaluationContext): boolean =>
  scope === null || PullMember.options.every((member) => MATCHES[member](scope, context) === "yes");

/** Whether a member of a scope includes the pull request. `maybe`: that depends on an unknown fact, or some of it is included. */
type Match = "yes" | "no" | "maybe";

const MATCHES: {
  readonly [member in PullMember]: (scope: Scope, context: EvaluationContext) => Match;
} = {
  branches: (scope, { baseRef }) => (createMatcher("branches", scope)(baseRef) ? "yes" : "no"),
  authors: (scope, { author, mixedAuthors }) => {
    if (!hasPatterns("authors", scope)) return "yes";
    if (author === null || mixedAuthors) return "maybe";
    const isIn = scope.authors.length === 0 ? "yes" : matchLogins(scope.authors, author);
    return leaveOut(isIn, matchLogins(scope.not?.authors ?? [], author));
  },
  labels: (scope, { labels }) => {
    if (!hasPatterns("labels", scope)) return "yes";
    if (labels === null) return "maybe";
    const isIn = scope.labels.length === 0 || hasAnyLabel(scope.labels, labels);
    return isIn && !hasAnyLabel(scope.not?.labels ?? [], labels) ? "yes" : "no";
  },
  paths: (scope, { paths, pathsComplete }) => {
    if (!hasPatterns("paths", scope)) return "yes";
    if (!pathsComplete || (scope.paths.length === 0 && paths.length === 0)) return "maybe";
    const matching = paths.filter(createMatcher("paths", scope));
    if (matching.length === 0) return "no";
    return matching.length === paths.length ? "yes" : "maybe";
  },
};

/** An app that is named without its `[bot]` may be meant. */
function matchLogins(logins: readonly string[], author: string): Match {
  const named = logins.map((login) => login.toLowerCase());
  if (named.includes(author)) return "yes";
  return named.map(stripBotSuffix).includes(stripBotSuffix(author)) ? "maybe" : "no";
}

function leaveOut(included: Match, excluded: Match): Match {
  if (included === "no" || excluded === "yes") return "no";
  return included === "yes" && excluded === "no" ? "yes" : "maybe";
}

const stripBotSuffix = (login: string): string => login.replace(/\[bot\]$/, "");

/** GitHub compares label names case-insensitively. */
function hasAnyLabel(wanted: readonly string[], labels: readonly string[]): boolean {
  const there = new Set(labels.map((label) => label.toLowerCase()));
  return wanted.some((label) => there.has(label.toLowerCase()));
}

/** Describes the member of a scope that excludes this pull request; null: the scope may include it. */
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
  if (listUnseenDoubts(refused).length > 0 || stages.some(({ isUnread }) => isUnread === true)) return null;
  const found = findReportMismatch(scope, input);
  return found !== null && found.member !== "tags" && isElsewhere(scope, input)
    ? { ...found, meant: null, elsewhere: true }
    : found;
}

/** Whether the scope matches a known workspace of the repository that this pull request does not touch. */
const isElsewhere = (scope: Scope, { names, context: { budgetUse } }: MismatchInput): boolean =>
  budgetUse?.workspaces.some((known) =>
    isWorkspaceInScope(scope, { workspace: known.workspace, name: names.getName(known) }),
  ) === true;

function findReportMismatch(scope: Scope, { report, partNames }: MismatchInput): ScopeMismatch | null {
  const { stages } = report;
  const isStage = createMatcher("stages", scope);
  const named = stages.filter(({ name }) => isStage(name));
  if (named.length === 0)
    return describeMember(
      "stages",
      scope,
      stages.map(({ name }) => name),
    );
  const isWorkspace = createMatcher("workspaces", scope);
  const chosen = named.filter(({ workspace }) => isWorkspace(workspace));
  if (chosen.length === 0)
    return describeMember(
      "workspaces",
      scope,
      named.map(({ workspace }) => workspace),
    );
  return (
    findModuleMismatch(scope, partNames.listModules(chosen)) ??
    findTypeMismatch(scope, partNames.listResourceTypes(chosen)) ??
    findTagMismatch(scope, report, new Set(chosen.map(buildStageKey)))
  );
}

/** A resource of an unknown tag may have any value. */
function findTagMismatch(
  scope: Scope,
  { resources, rows, stages }: Report,
  chosen: ReadonlySet<string>,
): ScopeMismatch | null {
  if (!hasPatterns("tags", scope)) return null;
  const parts = [
    ...[...resources, ...rows].filter(({ stage }) => chosen.has(stage)),
    ...stages.flatMap((stage) => (chosen.has(buildStageKey(stage)) ? (stage.unchanged ?? []) : [])),
  ];
  const read = (key: string) =>
    parts.flatMap(({ tags, type }) => listTagSides(tags).map((side) => readTag(tags, { key, type, side })));
  const find = ({ key, values }: ScopeTag, isExcluded: boolean): readonly ScopeMismatch[] => {
    const readings = read(key);
    if (readings.some(({ state }) => state === "unknown")) return [];
    const isIn = createGlobMatcher(values);
    const there = readings.map((reading) => (reading.state === "value" ? reading.value : null));
    const matches = there.filter((value) => value !== null && isIn(value)).length;
    if (isExcluded ? matches < there.length || there.length === 0 : matches > 0) return [];
    const here = [...new Set(there.flatMap((value) => value ?? []))].sort();
    const about = { member: "tags", key, patterns: values, ...limitNames(here) } as const;
    if (isExcluded) return [{ ...about, meant: null, excluded: true }];
    return [{ ...about, meant: values.flatMap((value) => suggestChoice(value, here) ?? [])[0] ?? null }];
  };
  const [first = null] = [
    ...scope.tags.flatMap((tag) => find(tag, false)),
    ...(scope.not?.tags ?? []).flatMap((tag) => find(tag, true)),
  ];
  return first;
}

/** `here`: the modules of the pull request. */
const findModuleMismatch = (scope: Scope, here: readonly string[]): ScopeMismatch | null =>
  !hasPatterns("modules", scope) || here.some(createMatcher("modules", scope))
    ? null
    : describeMember("modules", scope, here.map(toPatternPath));

/** A resource without a stated type may be of any type. */
function findTypeMismatch(scope: Scope, here: readonly string[]): ScopeMismatch | null {
  if (!hasPatterns("resource_types", scope) && !hasPatterns("providers", scope)) return null;
  if (here.includes("")) return null;
  const chosen = here.filter(createMatcher("resource_types", scope));
  if (chosen.length === 0) return describeMember("resource_types", scope, here);
  return chosen.some(createMatcher("providers", scope))
    ? null
    : describeMember("providers", scope, chosen.map(parseProvider));
}

/** Describes the member that matches none of the names here: its patterns, or those of `not` that exclude what it includes. */
function describeMember(
  member: Exclude<PartMember, "tags">,
  scope: Scope,
  here: readonly string[],
): ScopeMismatch | null {
  const { not, ...included } = scope;
  const isIncluded = here.some(createMatcher(member, included));
  const patterns = (isIncluded ? (not ?? included) : included)[member];
  if (patterns.length === 0) return null; // no patterns: nothing can mismatch
  const names = [...new Set(here)].sort();
  if (isIncluded) return { member, patterns, ...limitNames(names), meant: null, excluded: true };
  const [meant = null] = patterns.flatMap((pattern) => suggestChoice(pattern, names) ?? []);
  return { member, patterns, ...limitNames(names), meant };
}

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
  tags: "tag",
};

/** Describes why a rule is not applicable, for a terminal: `no stage matches prodution; here: production (did you mean production?)`. */
export function describeMismatch(mismatch: ScopeMismatch): string {
  const { member, key, patterns, here, more, meant, excluded } = mismatch;
  const noun = [MEMBER_NOUNS[member], ...(key === undefined ? [] : [key])].join(" ");
  const found = here.length === 0 ? "none" : here.join(", ");
  const rest = more === 0 ? "" : ` and ${more} more`;
  const guess = meant === null ? "" : ` (did you mean ${meant}?)`;
  if (excluded === true)
    return `each ${noun} here is left out by not: ${patterns.join(", ")}; here: ${found}${rest}`;
  return `no ${noun} matches ${patterns.join(", ")}; here: ${found}${rest}${guess}`;
}
