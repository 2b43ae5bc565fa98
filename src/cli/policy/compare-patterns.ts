import type { PolicyText } from "../../policy/file/parse.ts";
import { listWrittenPatterns } from "../../policy/file/policy-patterns.ts";
import { findUnmatchedPatterns, type UnmatchedPattern } from "../../policy/file/unmatched-patterns.ts";
import type { Policy, PolicyProblem } from "../../policy/model/policy.ts";
import { MEMBER_NOUNS } from "../../policy/scope/describe-mismatch.ts";
import { findLocalNames, readStoredNames } from "../../wiring/policy/recent-names.ts";

/** A pattern that nothing of the recent pull requests matches, as a problem that does not make the file wrong. */
export type PatternWarning = PolicyProblem & UnmatchedPattern;

export interface ComparedPatterns {
  readonly warnings: readonly PatternWarning[];
  /** What patterns were compared with; null: with nothing. `pulls`: evaluated pull requests of which all stages are known. */
  readonly compared: { readonly repository: string; readonly pulls: number } | null;
}

export const NOT_COMPARED: ComparedPatterns = { warnings: [], compared: null };

/**
 * Compares the patterns of a valid file with the recent pull requests of a repository; null: of the only one that a Tollgate which
 * runs here looks after. `policy` is the one in force, with its names of stages.
 *
 * @throws TollgateError what `readStoredNames` throws where a repository is named
 */
export async function comparePatterns(
  { file, text }: PolicyText,
  { stages }: Pick<Policy, "stages">,
  repository: string | null,
): Promise<ComparedPatterns> {
  const names = await (repository === null ? findLocalNames() : readStoredNames(repository));
  if (names === null) return NOT_COMPARED;
  const unmatched = findUnmatchedPatterns(listWrittenPatterns(text), names, stages);
  return {
    warnings: unmatched.map((one) => ({ ...one, file, message: formatWarning(one, names.repository) })),
    compared: { repository: names.repository, pulls: names.workspaces.pulls },
  };
}

function formatWarning(
  { member, pattern, pulls, there, more, meant }: UnmatchedPattern,
  repository: string,
): string {
  const noun = MEMBER_NOUNS[member];
  const of = `${pulls} recent pull ${pulls === 1 ? "request" : "requests"} of ${repository}`;
  const listed = there.length === 0 ? "none" : there.join(", ");
  const rest = more === 0 ? "" : ` and ${more} more`;
  const guess = meant === null ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
  return `no ${noun} in ${of} matches ${JSON.stringify(pattern)}; ${noun}s there: ${listed}${rest}${guess}`;
}
