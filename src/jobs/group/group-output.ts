import type { CheckOutput } from "../../github/checks/check-write.ts";

/** What became of a merge group. */
export type GroupVerdict =
  | { readonly kind: "passed" }
  | { readonly kind: "not_passed"; readonly pulls: readonly number[] }
  | { readonly kind: "no_policy" }
  | { readonly kind: "policy_unusable" }
  | { readonly kind: "unreadable" };

/** The words of a merge group's check. */
export function groupOutput(verdict: GroupVerdict): CheckOutput {
  const pulls = verdict.kind === "not_passed" ? verdict.pulls.map((number) => `#${number}`).join(", ") : "";
  const title = verdict.kind === "passed" ? "Every queued pull request passed" : `Not passed ${pulls}`;
  return { title, summary: title, text: null };
}
