import type { Overlap } from "../policy/evaluate-sum.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { formatName } from "./escape.ts";
import { formatPullNumbers } from "./format.ts";
import { buildAmountView } from "./sections/amount.ts";
import { buildFindingsSection } from "./sections/findings.ts";
import { NO_LINKS } from "./sections/section.ts";
import type { FillTemplate } from "./templates.ts";

/** Several queued pull requests, evaluated as one. */
export interface CombinedEvaluation {
  /** The numbers of the pull requests. */
  readonly pulls: readonly number[];
  /** Their joined report, and the findings on the sum. */
  readonly evaluation: Evaluation;
  /** Whether executions of the group's own commit are part of it. */
  readonly isPlanned: boolean;
  /** Numbers of the pull requests that were merged since these were planned. */
  readonly merged: readonly number[];
}

/** The outcome of a merge group. */
export type GroupVerdict =
  | { readonly kind: "no_policy" | "policy_unusable" | "unreadable" }
  /** `sum`: null where fewer than two entries change anything. */
  | { readonly kind: "passed"; readonly sum: CombinedEvaluation | null }
  /** `pulls`: numbers of the pull requests without a passing verdict at their queued commit. */
  | { readonly kind: "not_passed"; readonly pulls: readonly number[] }
  /** `pulls`: numbers of the pull requests that are being evaluated again; the group waits for them. */
  | { readonly kind: "behind"; readonly pulls: readonly number[] }
  /** `pulls`: numbers of the pull requests that only an override lets merge; the group has others too. */
  | { readonly kind: "overridden"; readonly pulls: readonly number[] }
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  /** The group's own executions are awaited, failed, or did not end in time. */
  | { readonly kind: "planning" | "plan_failed" | "not_planned"; readonly workspaces: readonly string[] }
  | { readonly kind: "exceeded"; readonly sum: CombinedEvaluation };

/** Largest number of workspaces that are listed. */
const MAX_OVERLAPS = 20;
/** Largest number of their modules and resources. */
const MAX_PARTS = 5;

/** Renders title and summary of a merge group's check. */
export function renderGroup(fill: FillTemplate, verdict: GroupVerdict, baseRef: string) {
  const pulls = "pulls" in verdict ? verdict.pulls : [];
  const overlaps = verdict.kind === "overlap" ? verdict.overlaps : [];
  const sum = "sum" in verdict ? verdict.sum : null;
  const workspaces = "workspaces" in verdict ? verdict.workspaces : [];
  const view = {
    kind: verdict.kind,
    base: formatName(baseRef),
    count: pulls.length,
    pulls: formatPullNumbers(pulls),
    overlaps: overlaps
      .slice(0, MAX_OVERLAPS)
      .map(({ workspace, pulls: changers, merged, parts, unknown }) => ({
        workspace: formatName(workspace),
        pulls: formatPullNumbers(changers),
        parts: parts.slice(0, MAX_PARTS).map(formatName).join(", "),
        moreParts: Math.max(0, parts.length - MAX_PARTS),
        unknown: formatPullNumbers(unknown),
        merged: formatPullNumbers(merged),
      })),
    workspaces: workspaces.slice(0, MAX_OVERLAPS).map(formatName).join(", "),
    moreWorkspaces: Math.max(0, workspaces.length - MAX_OVERLAPS),
    overlapCount: overlaps.length,
    moreOverlaps: Math.max(0, overlaps.length - MAX_OVERLAPS),
    together: sum === null ? null : buildSumView(fill, sum),
  };
  return { title: fill("group-title", view), summary: fill("group-summary", view), text: null };
}

/** The numbers come from GitHub, so GitHub may link them. */
function buildSumView(fill: FillTemplate, { pulls, evaluation, isPlanned, merged }: CombinedEvaluation) {
  const { template, rows = 0, view } = buildFindingsSection({ evaluation, links: NO_LINKS });
  const findings = view(rows);
  return {
    isPlanned,
    merged: formatPullNumbers(merged),
    count: pulls.length,
    pulls: formatPullNumbers(pulls),
    amount: buildAmountView(evaluation),
    findings: findings === null ? "" : fill(template, findings),
  };
}
