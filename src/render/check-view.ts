import { approvalsSection } from "./sections/approvals.ts";
import { changesSection } from "./sections/changes.ts";
import { commentProblemSection } from "./sections/comment-problem.ts";
import { contextSection } from "./sections/context.ts";
import { findingsSection } from "./sections/findings.ts";
import { modulesSection } from "./sections/modules.ts";
import { nextStepSection } from "./sections/next-step.ts";
import { notApplicableSection } from "./sections/not-applicable.ts";
import { policyEditSection } from "./sections/policy-edit.ts";
import { provenanceSection } from "./sections/provenance.ts";
import { resourcesSection } from "./sections/resources.ts";
import { savingsSection } from "./sections/savings.ts";
import type { Section, Subject } from "./sections/section.ts";
import { sinceLastSection } from "./sections/since-last.ts";
import { situationRowsSection } from "./sections/situation-rows.ts";
import { stageNotesSection } from "./sections/stage-notes.ts";
import { stagesSection } from "./sections/stages.ts";
import { unpricedSection } from "./sections/unpriced.ts";

/**
 * The `output` of a check run: title at most 255 characters; summary and text at most 65,535 UTF-8 bytes
 * each.
 */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
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
export function checkSummaryView(subject: Subject): readonly Section[] {
  return [
    nextStepSection,
    situationRowsSection,
    approvalsSection,
    findingsSection,
    notApplicableSection,
    stagesSection,
    sinceLastSection,
    stageNotesSection,
    commentProblemSection,
    provenanceSection,
  ].map((section) => section(subject));
}

/** The sections of the check's text: the cost drivers and the changes. */
export function checkTextView(subject: Subject): readonly Section[] {
  return [
    modulesSection,
    resourcesSection,
    changesSection,
    unpricedSection,
    savingsSection,
    contextSection,
    policyEditSection,
  ].map((section) => section(subject));
}
