import { decideEffect } from "../../policy/evaluate-policy.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Finding, FindingOutcome, Verdict } from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { ContextName } from "../../report/model/context.ts";
import { formatName, formatVisibleName } from "../escape.ts";
import type { FillTemplate } from "../templates.ts";
import { type AmountView, buildAmountView } from "./amount.ts";
import { listFindings } from "./findings.ts";
import type { Section, Subject } from "./section.ts";
import { countSituationRows, listUnreadFacts } from "./situation-rows.ts";

/** The name of the verdict, or of the situation where there is no verdict. An override comes before both. */
export type HeadlineKind = "overridden" | Verdict["kind"] | Exclude<Situation["kind"], "evaluated">;

/** The verdict in one line with the change of cost: comment headline and check title use the same words. */
export interface HeadlineView {
  readonly kind: HeadlineKind;
  /** The kind as it occurs in names of templates: `verdict/…`, `next-step/…`. */
  readonly situation: string;
  /** `@login` of the person who overrode the check; null: nobody did. */
  readonly login: string | null;
  readonly amount: AmountView;
  /** `several`: rules have different effects on the verdict. */
  readonly counts: RuleCounts & { readonly several: boolean };
  /** Number of executions, problems or stages of the situation. */
  readonly count: number;
  /** True: those executions ended, and their results are read again. */
  readonly hasEnded: boolean;
  /** True: a CI job evaluated its own executions, and none follow. */
  readonly oneJob: boolean;
  readonly unread: readonly { readonly fact: ContextName }[];
  /** True: our own limit of calls to the platform is reached. */
  readonly needsTurn: boolean;
}

function deriveHeadlineKind({ situation, override }: Evaluation): HeadlineKind {
  if (override !== undefined) return "overridden";
  return situation.kind === "evaluated" ? situation.verdict.kind : situation.kind;
}

/** The name of the situation's templates in `verdict/` and `next-step/`. */
export const formatSituationName = (evaluation: Evaluation): string =>
  deriveHeadlineKind(evaluation).replaceAll("_", "-");

/** `formatLogin`: titles of checks are plain text, comments are Markdown, in which a plain `@login` would notify. */
function buildHeadlineView(
  evaluation: Evaluation,
  formatLogin: (login: string) => string = formatName,
): HeadlineView {
  const { situation, override } = evaluation;
  return {
    kind: deriveHeadlineKind(evaluation),
    situation: formatSituationName(evaluation),
    login: override === undefined ? null : formatLogin(`@${override.person.login}`),
    amount: buildAmountView(evaluation),
    counts: buildRuleCountsView(situation),
    count: "missing" in situation ? situation.missing.length : countSituationRows(situation),
    hasEnded: "missing" in situation && situation.missing.every(({ state }) => state === "unread"),
    oneJob: evaluation.context.oneShot === true,
    unread: listUnreadFacts(situation).map((fact) => ({ fact })),
    needsTurn: isTurnNeeded(situation),
  };
}

/** Whether nothing is read yet, because our own limit of calls to the platform is reached. */
export const isTurnNeeded = (situation: Situation): boolean =>
  situation.kind === "waiting" && situation.needsTurn === true;

/** The verdict line without its icon as plain text: the check's title. */
export const formatTitle = (fill: FillTemplate, evaluation: Evaluation): string =>
  fillVerdict(fill, buildHeadlineView(evaluation, formatVisibleName));

/** The verdict line without its icon, in Markdown. */
export const formatVerdictLine = (fill: FillTemplate, evaluation: Evaluation): string =>
  fillVerdict(fill, buildHeadlineView(evaluation));

const fillVerdict = (fill: FillTemplate, view: HeadlineView): string =>
  fill(`verdict/${view.situation}`, view);

export function buildHeadlineSection({ evaluation }: Subject): Section {
  return { template: "headline", rows: 0, isRequired: true, view: () => buildHeadlineView(evaluation) };
}

/** Whether a violation has no effect because it is waived or approved. */
export const isCovered = ({ outcome, waiver, approved }: Finding): boolean =>
  outcome === "violated" && (waiver !== null || approved);

/**
 * Numbers of rules (not findings) by their effect on the verdict. Waived and approved violations have none.
 */
export interface RuleCounts {
  /** Violated, blocking. */
  readonly violated: number;
  /** Undecided, blocking. */
  readonly undecided: number;
  /** Violated, warning. */
  readonly warnings: number;
  /** Undecided, warning only. */
  readonly notEvaluated: number;
}

/** Counts the rules that have a matching finding. */
export const countRules = (findings: readonly Finding[], isMeant: (finding: Finding) => boolean): number =>
  new Set(findings.filter(isMeant).map(({ rule }) => rule)).size;

export function countRulesByOutcome(situation: Situation): RuleCounts {
  const findings = listFindings(situation);
  const count = (effect: Verdict["kind"], outcome: FindingOutcome): number =>
    countRules(findings, (finding) => finding.outcome === outcome && decideEffect(finding) === effect);
  return {
    violated: count("block", "violated"),
    undecided: count("undecided", "undecided"),
    warnings: count("warn", "violated"),
    notEvaluated: count("warn", "undecided"),
  };
}

function buildRuleCountsView(situation: Situation): HeadlineView["counts"] {
  const counts = countRulesByOutcome(situation);
  return { ...counts, several: Object.values(counts).filter((count) => count > 0).length > 1 };
}
