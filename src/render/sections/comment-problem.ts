import type { Section, Subject } from "./section.ts";

/** Why the comment on the pull request may be missing or say something else. An earlier one that still shows is nothing to tell. */
export function commentProblemSection({ links: { commentProblem: problem = null } }: Subject): Section {
  const isTold = problem !== null && problem !== "earlier";
  return { template: "comment-problem", rows: 0, keep: true, view: () => (isTold ? { problem } : null) };
}
