import type { HeadState } from "../github/head/head-state.ts";
import type { EvaluationContext } from "../policy/model/context.ts";

/** Returns the facts of a pull request that rules read in addition to its report. */
export function buildEvaluationContext(
  { pull }: HeadState,
  {
    nowMs,
    budgetUse,
    isOneShot = false,
    belowAuthors = [],
  }: Pick<EvaluationContext, "nowMs" | "budgetUse"> & {
    readonly isOneShot?: boolean;
    /** Authors of the pull requests below it in its stack; null: unknown. */
    readonly belowAuthors?: readonly (string | null)[];
  },
): EvaluationContext {
  const { number, author, labels, baseRef, draft, paths, pathsComplete } = pull;
  const own = normalizeLogin(author);
  return {
    number,
    author: own,
    ...(belowAuthors.some((other) => other !== own) && { mixedAuthors: true }),
    labels,
    baseRef,
    draft,
    paths,
    pathsComplete,
    nowMs,
    budgetUse,
    ...(isOneShot && { oneShot: true }),
  };
}

/**
 * Returns the login in lower case. An App's login gets "[bot]", which GraphQL omits: a person may have the
 * same login without it.
 */
function normalizeLogin(author: HeadState["pull"]["author"]): string | null {
  if (author === null) return null;
  const login = author.login.toLowerCase();
  return author.type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}
