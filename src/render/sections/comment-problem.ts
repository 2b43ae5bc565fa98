import type { Section, Subject } from "./section.ts";

/**
 * The section about a comment that may be missing or outdated. An earlier comment that is still visible is
 * not reported.
 */
export function buildCommentProblemSection({ links: { commentProblem: problem = null } }: Subject): Section {
  const isTold = problem !== null && problem !== "earlier";
  return {
    template: "comment-problem",
    rows: 0,
    isRequired: true,
    view: () => (isTold ? { problem } : null),
  };
}
