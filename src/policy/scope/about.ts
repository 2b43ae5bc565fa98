import type { JudgeContext } from "../context.ts";
import type { PullMember } from "../finding.ts";
import type { Scope } from "../policy.ts";
import { globs } from "./patterns.ts";

/** Whether a scope may be about this pull request at all. */
export const isAbout = (scope: Scope | null, context: JudgeContext): boolean =>
  otherPullBy(scope, context) === null;

/**
 * The member of a scope by which it is not about this pull request; null: it may be about it. What is not known (a gone author,
 * paths that GitHub does not list) is in it, and so is an app that is named without its `[bot]`.
 */
export function otherPullBy(scope: Scope | null, context: JudgeContext): PullMember | null {
  if (scope === null) return null;
  const { author, labels, baseRef, paths, pathsComplete } = context;
  const isNamed = (login: string): boolean => author === null || bare(login.toLowerCase()) === bare(author);
  if (!globs(scope.branches)(baseRef)) return "branches";
  if (scope.authors.length > 0 && !scope.authors.some(isNamed)) return "authors";
  if (scope.labels.length > 0 && labels !== null && !hasOne(scope.labels, labels)) return "labels";
  if (scope.paths.length > 0 && pathsComplete && !paths.some(globs(scope.paths))) return "paths";
  return null;
}

/**
 * Whether a scope is about this pull request beyond doubt, and about all of it: so it must be before anything is let through.
 * Every changed path has to match; what is not known is not in it.
 */
export function isSurelyAbout(scope: Scope | null, context: JudgeContext): boolean {
  if (scope === null) return true;
  const { author, labels, baseRef, paths, pathsComplete } = context;
  return (
    globs(scope.branches)(baseRef) &&
    (scope.authors.length === 0 || scope.authors.some((login) => login.toLowerCase() === author)) &&
    (scope.labels.length === 0 || (labels !== null && hasOne(scope.labels, labels))) &&
    (scope.paths.length === 0 || (pathsComplete && paths.length > 0 && paths.every(globs(scope.paths))))
  );
}

const bare = (login: string): string => login.replace(/\[bot\]$/, "");

/** Names of labels are told apart without regard to case on GitHub. */
function hasOne(wanted: readonly string[], labels: readonly string[]): boolean {
  const there = new Set(labels.map((label) => label.toLowerCase()));
  return wanted.some((label) => there.has(label.toLowerCase()));
}
