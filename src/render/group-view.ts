import { name } from "./escape.ts";
import type { Fill } from "./templates.ts";

/** What became of a merge group. `pulls`: numbers of those that have no passing verdict at their queued commit. */
export type GroupVerdict =
  | { readonly kind: "passed" | "no_policy" | "policy_unusable" | "unreadable" }
  | { readonly kind: "not_passed"; readonly pulls: readonly number[] };

/** Title and summary of a merge group's check. */
export function renderGroup(fill: Fill, verdict: GroupVerdict, baseRef: string) {
  const pulls = verdict.kind === "not_passed" ? verdict.pulls : [];
  const view = {
    kind: verdict.kind,
    base: name(baseRef),
    count: pulls.length,
    pulls: pulls.map((number) => `#${number}`).join(", "),
  };
  return { title: fill("group-title", view), summary: fill("group-summary", view), text: null };
}
