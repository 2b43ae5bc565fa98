import { buildApprovalsSection } from "./sections/approvals.ts";
import { buildChangesSection } from "./sections/changes.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildFindingsSection } from "./sections/findings.ts";
import { buildModulesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableSection } from "./sections/not-applicable.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildResourcesSection } from "./sections/resources.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import type { Section, Subject } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";

/**
 * The `output` of a check run: title at most 255 characters; summary and text at most 65,535 UTF-8 bytes
 * each.
 */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
  /** Names the version of Tollgate; apart from the summary, so that an upgrade alone changes no check. */
  readonly footer?: string;
}

/**
 * GitHub accepts 65,535 characters each for a check's summary and text; the limit is applied in bytes to be
 * safe.
 */
export const CHECK_BYTES = 65_535;
/** GitHub accepts 255 characters for a check's title, in UTF-16 units. */
export const TITLE_LENGTH = 255;

/**
 * The sections of the check's summary: why the verdict is what it is, for readers who come from the merge
 * box. The title states the verdict.
 */
export function buildCheckSummary(subject: Subject): readonly Section[] {
  return [
    buildNextStepSection,
    buildSituationRowsSection,
    buildApprovalsSection,
    buildFindingsSection,
    buildNotApplicableSection,
    buildStagesSection,
    buildSinceLastSection,
    buildStageNotesSection,
    buildCommentProblemSection,
    buildProvenanceSection,
  ].map((section) => section(subject));
}

/** The sections of the check's text: the cost drivers and the changes. */
export function buildCheckText(subject: Subject): readonly Section[] {
  return [
    buildModulesSection,
    buildResourcesSection,
    buildChangesSection,
    buildUnpricedSection,
    buildSavingsSection,
    buildContextSection,
    buildPolicyEditSection,
  ].map((section) => section(subject));
}

/**
 * The section about a comment that may be missing or outdated. An earlier comment that is still visible is
 * not reported.
 */
function buildCommentProblemSection({ links: { commentProblem: problem = null } }: Subject): Section {
  const isTold = problem !== null && problem !== "earlier";
  return {
    template: "comment-problem",
    rows: 0,
    isRequired: true,
    view: () => (isTold ? { problem } : null),
  };
}
