import type { Evaluation } from "../../policy/model/evaluation.ts";
import {
  decideOwnEffect,
  type Finding,
  type FindingOutcome,
  type Verdict,
} from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { formatName, formatVisibleName } from "../escape.ts";
import type { FillTemplate } from "../templates.ts";
import { buildAmountView } from "./amount.ts";
import { listFindings } from "./findings.ts";
import type { Section, SectionSource } from "./section.ts";
import { countSituationRows, listUnreadFacts } from "./situation-rows.ts";

/** The name of the verdict, or of the situation where there is no verdict. An override comes before both. */
function deriveHeadlineKind({ situation, override }: Evaluation): string {
  if (override !== undefined) return "overridden";
  return situation.kind === "evaluated" ? situation.verdict.kind : situation.kind;
}

/** The name of the situation's templates in `verdict/` and `next-step/`. */
export const formatSituationName = (evaluation: Evaluation): string =>
  deriveHeadlineKind(evaluation).replaceAll("_", "-");

/**
 * The verdict in one line with the change of cost: comment headline and check title use the same words. `formatLogin`: titles of checks are
 * plain text, comments are Markdown, in which a plain `@login` would notify.
 */
function buildHeadlineView(evaluation: Evaluation, formatLogin: (login: string) => string = formatName) {
  const { situation, override, context } = evaluation;
  const counts = countRulesByOutcome(situation);
  return {
    kind: deriveHeadlineKind(evaluation),
    situation: formatSituationName(evaluation),
    login: override === undefined ? null : formatLogin(`@${override.person.login}`),
    amount: buildAmountView(evaluation),
    // Several: rules have different effects on the verdict.
    counts: { ...counts, several: Object.values(counts).filter((count) => count > 0).length > 1 },
    count: "missing" in situation ? situation.missing.length : countSituationRows(situation),
    hasEnded: "missing" in situation && situation.missing.every(({ state }) => state === "unread"),
    oneJob: context.oneShot === true,
    unread: listUnreadFacts(situation).map((fact) => ({ fact })),
    needsTurn: isTurnNeeded(situation),
  };
}

/** Whether nothing is read yet, because our own limit of calls to the platform is reached. */
export const isTurnNeeded = (situation: Situation): boolean =>
  situation.kind === "waiting" && situation.needsTurn === true;

/** The verdict line without its icon as plain text: the check's title. */
export const formatTitle = (fill: FillTemplate, evaluation: Evaluation): string =>
  fill(`verdict/${formatSituationName(evaluation)}`, buildHeadlineView(evaluation, formatVisibleName));

/** The verdict line without its icon, in Markdown. */
export const formatVerdictLine = (fill: FillTemplate, evaluation: Evaluation): string =>
  fill(`verdict/${formatSituationName(evaluation)}`, buildHeadlineView(evaluation));

export const buildHeadlineSection = ({ evaluation }: SectionSource): Section => ({
  template: "headline",
  isRequired: true,
  view: () => buildHeadlineView(evaluation),
});

/** Whether a violation has no effect because it is waived or approved. */
export const isCovered = ({ outcome, waiver, approved }: Finding): boolean =>
  outcome === "violated" && (waiver !== null || approved);

/** Counts the rules that have a matching finding. */
export const countRules = (findings: readonly Finding[], isMeant: (finding: Finding) => boolean): number =>
  new Set(findings.filter(isMeant).map(({ rule }) => rule)).size;

/** Numbers of rules (not findings) by their effect on the verdict. Waived and approved violations have none. */
export function countRulesByOutcome(situation: Situation) {
  const findings = listFindings(situation);
  const count = (effect: Verdict["kind"], outcome: FindingOutcome): number =>
    countRules(findings, (finding) => finding.outcome === outcome && decideOwnEffect(finding) === effect);
  return {
    /** Held by changes that an approver requested. */
    objected: countRules(findings, ({ objections }) => objections !== undefined),
    violated: count("block", "violated"),
    undecided: count("undecided", "undecided"),
    warnings: count("warn", "violated"),
    /** Undecided, warning only. */
    notEvaluated: count("warn", "undecided"),
  };
}
