import type { CheckOutput } from "../../github/checks/check-write.ts";
import type { Renderer } from "../../render/renderer.ts";

/** What became of a merge group. */
export type GroupVerdict =
  | { readonly kind: "passed" }
  | { readonly kind: "not_passed"; readonly pulls: readonly number[] }
  | { readonly kind: "no_policy" }
  | { readonly kind: "policy_unusable" }
  | { readonly kind: "unreadable" };

/** The words of a merge group's check. */
export function groupOutput(renderer: Renderer, verdict: GroupVerdict, baseRef: string): CheckOutput {
  return renderer.group(verdict, baseRef);
}
