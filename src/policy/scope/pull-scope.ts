import type { StageReport } from "../../report/model/report.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { PullMember } from "../model/finding.ts";
import type { Scope } from "../model/policy.ts";
import { createMatcher, createPartNames, hasPatterns, isStageUnread } from "./scope.ts";

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
  return PullMember.options.find((member) => !POSSIBLE_MATCHES[member](scope, context)) ?? null;
}

/** Whether the member of a scope may include the pull request. */
const POSSIBLE_MATCHES: {
  readonly [member in PullMember]: (scope: Scope, context: EvaluationContext) => boolean;
} = {
  branches: (scope, { baseRef }) => createMatcher("branches", scope)(baseRef),
  authors: ({ authors, not }, { author, mixedAuthors }) => {
    if (author === null || mixedAuthors) return true;
    const isIn =
      authors.length === 0 ||
      authors.some((login) => stripBotSuffix(login.toLowerCase()) === stripBotSuffix(author));
    return isIn && !not?.authors.some((login) => login.toLowerCase() === author);
  },
  labels: (scope, { labels }) => labels === null || hasScopeLabels(scope, labels),
  paths: (scope, { paths, pathsComplete }) =>
    !pathsComplete ||
    (scope.paths.length === 0 && paths.length === 0) ||
    paths.some(createMatcher("paths", scope)),
};

const hasScopeLabels = ({ labels: wanted, not }: Scope, labels: readonly string[]): boolean =>
  (wanted.length === 0 || hasAnyLabel(wanted, labels)) && !hasAnyLabel(not?.labels ?? [], labels);

/**
 * Whether a scope certainly includes this pull request and all of its changes; required before a violation is
 * waived. Every changed path has to match, and unknown facts count as excluded.
 */
export function isScopeCertain(scope: Scope | null, context: EvaluationContext): boolean {
  if (scope === null) return true;
  const { labels, baseRef, paths, pathsComplete } = context;
  return (
    createMatcher("branches", scope)(baseRef) &&
    isAuthorCertain(scope, context) &&
    (!hasPatterns("labels", scope) || (labels !== null && hasScopeLabels(scope, labels))) &&
    (!hasPatterns("paths", scope) ||
      (pathsComplete && paths.length > 0 && paths.every(createMatcher("paths", scope))))
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

type RecentPull = Pick<Evaluation, "report" | "context">;

/** Collects the names in evaluations, and the number of evaluations whose names of a kind are all known. */
export function collectRecentNames(pulls: readonly RecentPull[]): RecentNames {
  const all = pulls.map(collectNames);
  const buildList = (kind: keyof RecentNames): NameList => ({
    names: [...new Set(all.flatMap((own) => own[kind]))].filter((name) => name !== "").sort(),
    pulls: all.filter((own) => own.complete[kind]).length,
  });
  return {
    workspaces: buildList("workspaces"),
    modules: buildList("modules"),
    resourceTypes: buildList("resourceTypes"),
  };
}

/** The names in one evaluation, and whether they are all. */
function collectNames({ report, context }: RecentPull) {
  const { stages, refused } = report;
  const partNames = createPartNames(report);
  const read = stages.filter((stage) => !isStageUnread(stage));
  const resourceTypes = partNames.listResourceTypes(stages);
  const isWhole =
    stages.length > 0 && read.length === stages.length && listUnseenDoubts(refused).length === 0;
  const isListed = ({ omittedRows, unreadRows }: StageReport) => omittedRows + unreadRows === 0;
  const isRead = (stage: StageReport) => stage.rowsBecause === null && isListed(stage);
  return {
    // Workspaces of the repository with a known cost that the pull request does not touch are included.
    workspaces: [...read, ...(context.budgetUse?.workspaces ?? [])].map(({ workspace }) => workspace),
    modules: partNames.listModules(stages),
    resourceTypes,
    complete: {
      workspaces: isWhole,
      modules: isWhole && stages.every((stage) => stage.modules !== null || isRead(stage)),
      resourceTypes:
        isWhole &&
        stages.every((stage) => isListed(stage) && (stage.types !== null || isRead(stage))) &&
        !resourceTypes.includes(""),
    },
  };
}
