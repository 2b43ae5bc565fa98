import type { PullOutcome } from "../../../store/history/pull-history.ts";
import type { IconName } from "../../page/html.ts";
import type { TableCell } from "../../page/table.ts";

/** How pages show an outcome. */
export interface OutcomeStyle {
  readonly label: string;
  readonly icon: IconName;
  readonly tone: NonNullable<TableCell["tone"]>;
}

export const OUTCOME_STYLES: Readonly<Record<PullOutcome, OutcomeStyle>> = {
  block: { label: "Blocked", icon: "x-circle-fill", tone: "danger" },
  approval: { label: "Needs approval", icon: "person", tone: "attention" },
  undecided: { label: "Undecided", icon: "question", tone: "attention" },
  pending: { label: "In progress", icon: "clock", tone: "accent" },
  warn: { label: "Warnings", icon: "alert", tone: "attention" },
  pass: { label: "Passes", icon: "check-circle-fill", tone: "success" },
  none: { label: "No check", icon: "skip", tone: "muted" },
};
