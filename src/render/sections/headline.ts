import type { Evaluation } from "../../policy/evaluation.ts";
import type { Finding, Outcome } from "../../policy/finding.ts";
import type { Situation } from "../../policy/situation.ts";
import type { ContextName } from "../../report/context.ts";
import { type AmountView, amountView } from "./amount.ts";
import { findingsOf } from "./findings.ts";
import type { Section, Subject } from "./section.ts";
import { situationRowCount, unreadOf } from "./situation-rows.ts";

/** The verdict's name, or the situation's where nothing could be judged. */
export type HeadlineKind = "pass" | "warn" | "block" | "undecided" | Exclude<Situation["kind"], "judged">;

/** The verdict in one line, with the money: the same words as comment headline and check title. */
export interface HeadlineView {
  readonly kind: HeadlineKind;
  readonly amount: AmountView;
  /** Rules (not findings) that are broken and warn, or could not be judged. */
  readonly warnings: number;
  readonly undecided: number;
  /** Executions, problems or stages that the situation is about. */
  readonly count: number;
  /** Those executions ended, and what they came to is asked for again. */
  readonly ended: boolean;
  readonly unread: readonly { readonly fact: ContextName }[];
}

export const headlineKind = (situation: Situation): HeadlineKind =>
  situation.kind === "judged" ? situation.verdict.kind : situation.kind;

export function headlineView(evaluation: Evaluation): HeadlineView {
  const { situation } = evaluation;
  return {
    kind: headlineKind(situation),
    amount: amountView(evaluation),
    warnings: rulesWith(situation, "violated", "warn"),
    undecided: rulesWith(situation, "undecided"),
    count: "missing" in situation ? situation.missing.length : situationRowCount(situation),
    ended: "missing" in situation && situation.missing.every(({ state }) => state === "unread"),
    unread: unreadOf(situation).map((fact) => ({ fact })),
  };
}

export function headlineSection({ evaluation }: Subject): Section {
  return { template: "headline", rows: 0, keep: true, view: () => headlineView(evaluation) };
}

/** Whether a violation does not count, because it is excepted or signed for. */
export const isCovered = ({ outcome, waiver, approved }: Finding): boolean =>
  outcome === "violated" && (waiver !== null || approved);

/** How many rules have such a finding that counts. */
export function rulesWith(situation: Situation, outcome: Outcome, enforce?: "block" | "warn"): number {
  const findings = findingsOf(situation).filter(
    (finding) =>
      finding.outcome === outcome &&
      !isCovered(finding) &&
      (enforce === undefined || finding.enforce === enforce),
  );
  return new Set(findings.map(({ rule }) => rule)).size;
}
