import type { StageReport } from "../../report/model/report.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Evaluation } from "../model/evaluation.ts";
import type { PullMember } from "../model/finding.ts";
import type { Scope } from "../model/policy.ts";
import { createMatcher, createPartNames, createPathMatcher, isStageUnread } from "./scope.ts";

/** Whether a scope may include this pull request. */
export const canScopeApply = (scope: Scope | null, context: EvaluationContext): boolean =>
  findExcludingMember(scope, context) === null;

/**
 * The member of a scope that excludes this pull request; null: the scope may include it. Unknown facts (a
 * deleted author, paths that GitHub does not list) count as included, as does an app that is named without
 * its `[bot]`.
 */
export function findExcludingMember(scope: Scope | null, context: EvaluationContext): PullMember | null {
  if (scope === null) return null;
  return PULL_MEMBERS.find((member) => !POSSIBLE_MATCHES[member](scope, context)) ?? null;
}

const PULL_MEMBERS = ["branches", "authors", "labels", "paths"] as const;

/** Whether the member of a scope may include the pull request. */
const POSSIBLE_MATCHES: {
  readonly [member in PullMember]: (scope: Scope, context: EvaluationContext) => boolean;
} = {
  branches: ({ branches, not }, { baseRef }) => createMatcher(branches, not?.branches)(baseRef),
  authors: ({ authors, not }, { author, mixedAuthors }) => {
    if (author === null || mixedAuthors) return true;
    const isIn =
      authors.length === 0 ||
      authors.some((login) => stripBotSuffix(login.toLowerCase()) === stripBotSuffix(author));
    return isIn && !not?.authors.some((login) => login.toLowerCase() === author);
  },
  labels: (scope, { labels }) => labels === null || hasScopeLabels(scope, labels),
  paths: ({ paths: named, not }, { paths, pathsComplete }) => {
    if (!pathsComplete || (named.length === 0 && paths.length === 0)) return true;
    return paths.some(createPathMatcher(named, not?.paths));
  },
};

const hasScopeLabels = ({ labels: wanted, not }: Scope, labels: readonly string[]): boolean =>
  (wanted.length === 0 || hasAnyLabel(wanted, labels)) && !hasAnyLabel(not?.labels ?? [], labels);

/**
 * Whether a scope certainly includes this pull request and all of its changes; required before a violation is
 * waived. Every changed path has to match, and unknown facts count as excluded.
 */
export function isScopeCertain(scope: Scope | null, context: EvaluationContext): boolean {
  if (scope === null) return true;
  const { labels: wanted, paths: named, not } = scope;
  const { labels, baseRef, paths, pathsComplete } = context;
  const asksForLabels = wanted.length + (not?.labels.length ?? 0) > 0;
  const asksForPaths = named.length + (not?.paths.length ?? 0) > 0;
  return (
    createMatcher(scope.branches, not?.branches)(baseRef) &&
    isAuthorCertain(scope, context) &&
    (!asksForLabels || (labels !== null && hasScopeLabels(scope, labels))) &&
    (!asksForPaths ||
      (pathsComplete && paths.length > 0 && paths.every(createPathMatcher(named, not?.paths))))
  );
}

function isAuthorCertain({ authors, not }: Scope, { author, mixedAuthors }: EvaluationContext): boolean {
  const excludedAuthors = not?.authors ?? [];
  if (mixedAuthors) return authors.length + excludedAuthors.length === 0;
  const isIn = authors.length === 0 || authors.some((login) => login.toLowerCase() === author);
  if (excludedAuthors.length === 0) return isIn;
  return (
    isIn &&
    author !== null &&
    !excludedAuthors.some((login) => stripBotSuffix(login.toLowerCase()) === stripBotSuffix(author))
  );
}

const stripBotSuffix = (login: string): string => login.replace(/\[bot\]$/, "");

/** GitHub compares label names case-insensitively. */
function hasAnyLabel(wanted: readonly string[], labels: readonly string[]): boolean {
  const there = new Set(labels.map((label) => label.toLowerCase()));
  return wanted.some((label) => there.has(label.toLowerCase()));
}

/** Names in recent pull requests of a repository. Not escaped. */
export interface NameList {
  readonly names: readonly string[];
  /** Number of pull requests whose names are all known. */
  readonly pulls: number;
}

/** Names in the recent pull requests of a repository, for checking the patterns of a policy. */
export interface RecentNames {
  readonly workspaces: NameList;
  readonly modules: NameList;
  readonly resourceTypes: NameList;
}

/** Collects the names in evaluations, and the number of evaluations whose names of a kind are all known. */
export function collectRecentNames(pulls: readonly RecentPull[]): RecentNames {
  return {
    workspaces: buildNameList(pulls.map(collectWorkspaces)),
    modules: buildNameList(pulls.map(collectModules)),
    resourceTypes: buildNameList(pulls.map(collectTypes)),
  };
}

type RecentPull = Pick<Evaluation, "report" | "context">;

interface NameCollection {
  readonly names: readonly string[];
  /** False: there may be further names. */
  readonly isWhole: boolean;
}

const buildNameList = (all: readonly NameCollection[]): NameList => ({
  names: [...new Set(all.flatMap(({ names }) => names))].filter((name) => name !== "").sort(),
  pulls: all.filter(({ isWhole }) => isWhole).length,
});

/** Includes workspaces of the repository with a known cost that the pull request does not touch. */
function collectWorkspaces({ report: { stages, refused }, context }: RecentPull): NameCollection {
  const read = stages.filter((stage) => !isStageUnread(stage)).map(({ workspace }) => workspace);
  return {
    names: [...read, ...(context.budgetUse?.workspaces.map(({ workspace }) => workspace) ?? [])],
    isWhole: stages.length > 0 && read.length === stages.length && listUnseenDoubts(refused).length === 0,
  };
}

function collectModules(pull: RecentPull): NameCollection {
  const { stages } = pull.report;
  return {
    names: createPartNames(pull.report).listModules(stages),
    isWhole:
      collectWorkspaces(pull).isWhole &&
      stages.every((stage) => stage.modules !== null || hasKnownRows(stage)),
  };
}

function collectTypes(pull: RecentPull): NameCollection {
  const { stages } = pull.report;
  const names = createPartNames(pull.report).listResourceTypes(stages);
  const areTypesKnown = stages.every(
    (stage) => hasAllRows(stage) && (stage.types !== null || hasKnownRows(stage)),
  );
  return { names, isWhole: collectWorkspaces(pull).isWhole && areTypesKnown && !names.includes("") };
}

const hasKnownRows = (stage: StageReport): boolean => stage.rowsBecause === null && hasAllRows(stage);

const hasAllRows = ({ omittedRows, unreadRows }: StageReport): boolean => omittedRows + unreadRows === 0;
