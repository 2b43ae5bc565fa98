import type { Verdict } from "../../../../policy/model/finding.ts";
import type { IconName } from "../../../page/html.ts";

export type Tone = "success" | "danger" | "attention" | "accent" | "muted";

/** How the check of an evaluation ended, in one or two words. */
export interface DecisionLabel {
  readonly text: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

const LABELS: Readonly<Record<string, DecisionLabel>> = {
  success: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  neutral: { text: "Passed with warnings", icon: "alert-fill", tone: "attention" },
  failure: { text: "Blocked", icon: "x-circle-fill", tone: "danger" },
  action_required: { text: "Needs approval", icon: "alert-fill", tone: "attention" },
  in_progress: { text: "In progress", icon: "hourglass", tone: "accent" },
  none: { text: "No check", icon: "info", tone: "muted" },
};

const UNDECIDED: DecisionLabel = { text: "Undecided", icon: "question", tone: "attention" };

/**
 * Returns the label of a decision as `formatDecision` writes it. A check that failed without a verdict that blocks is undecided, as on
 * the overviews.
 */
export function getDecisionLabel(decision: string, verdict: Verdict["kind"] | null): DecisionLabel {
  if (decision === "failure" && verdict !== "block") return UNDECIDED;
  return LABELS[decision] ?? { text: decision, icon: "question", tone: "muted" };
}
