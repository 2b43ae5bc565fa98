import type { Overlap } from "../policy/merge-queue/group-entry.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { Fill } from "./handlebars/templates.ts";
import { type Inline, name } from "./markup/escape.ts";
import { amountView } from "./sections/amount.ts";
import { findingsSection } from "./sections/findings.ts";
import { createSubject } from "./sections/section.ts";

/** Several queued pull requests, evaluated as one. */
export interface GroupTogether {
  /** The numbers of the pull requests. */
  readonly pulls: readonly number[];
  /** Their joined report, and the findings on the sum. */
  readonly evaluation: Evaluation;
}

/** The outcome of a merge group. */
export type GroupVerdict =
  | { readonly kind: "no_policy" | "policy_unusable" | "unreadable" }
  /** `sum`: null where fewer than two entries change anything. */
  | { readonly kind: "passed"; readonly sum: GroupTogether | null }
  /** `pulls`: numbers of the pull requests without a passing verdict at their queued commit. */
  | { readonly kind: "not_passed"; readonly pulls: readonly number[] }
  /** `pulls`: numbers of the pull requests that are being evaluated again; the group waits for them. */
  | { readonly kind: "behind"; readonly pulls: readonly number[] }
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  | { readonly kind: "exceeded"; readonly sum: GroupTogether };

/** Largest number of workspaces that are listed. */
const OVERLAPS = 20;

/** Renders title and summary of a merge group's check. */
export function renderGroup(fill: Fill, verdict: GroupVerdict, baseRef: string) {
  const pulls = "pulls" in verdict ? verdict.pulls : [];
  const overlaps = verdict.kind === "overlap" ? verdict.overlaps : [];
  const sum = "sum" in verdict ? verdict.sum : null;
  const view = {
    kind: verdict.kind,
    base: name(baseRef),
    count: pulls.length,
    pulls: numbered(pulls),
    overlaps: overlaps.slice(0, OVERLAPS).map((overlap) => ({
      workspace: name(overlap.workspace),
      pulls: numbered(overlap.pulls),
    })),
    overlapCount: overlaps.length,
    moreOverlaps: Math.max(0, overlaps.length - OVERLAPS),
    together:
      sum === null ? null : { count: sum.pulls.length, pulls: numbered(sum.pulls), ...sumView(fill, sum) },
  };
  return { title: fill("group-title", view), summary: fill("group-summary", view), text: null };
}

/** The numbers come from GitHub, so GitHub may link them. */
const numbered = (pulls: readonly number[]): string => pulls.map((number) => `#${number}`).join(", ");

function sumView(fill: Fill, { evaluation }: GroupTogether): { amount: object; findings: Inline | string } {
  const section = findingsSection(createSubject(evaluation, { details: null, recheck: false, github: null }));
  const view = section.view(section.rows);
  return { amount: amountView(evaluation), findings: view === null ? "" : fill(section.template, view) };
}
