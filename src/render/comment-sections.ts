import { COMMENT_SECTIONS, type CommentSection } from "../policy/model/comment-sections.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { buildApprovalsSection } from "./sections/approvals.ts";
import { buildChangesSection } from "./sections/changes.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildBlockingFindingsSection, buildFindingsSection } from "./sections/findings.ts";
import { buildHeadlineSection } from "./sections/headline.ts";
import { buildModulesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableSection } from "./sections/not-applicable.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildResourcesSection } from "./sections/resources.ts";
import { buildSavingsSection } from "./sections/savings.ts";
import type { Section, Subject } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";
import { buildUnpricedSection } from "./sections/unpriced.ts";

/**
 * Size limit of a comment in bytes. GitHub accepts 65,536 characters; counting bytes covers every alphabet.
 */
export const COMMENT_BYTES = 65_000;

type SectionBuilder = (subject: Subject) => Section;

/** The sections that a policy may order or leave out. */
const SECTION_BUILDERS: Readonly<Record<CommentSection, readonly SectionBuilder[]>> = {
  costs: [buildStagesSection, buildSinceLastSection, buildStageNotesSection],
  findings: [buildFindingsSection, buildNotApplicableSection],
  modules: [buildModulesSection],
  resources: [buildResourcesSection],
  changes: [buildChangesSection],
  unpriced: [buildUnpricedSection],
  savings: [buildSavingsSection],
  context: [buildContextSection],
};

/**
 * The sections of the comment from top to bottom: verdict, next step, reasons, cost, cost drivers, changes,
 * context, provenance. A policy may order the middle sections; the reasons for the verdict are always shown.
 */
export function buildCommentSections(subject: Subject): readonly Section[] {
  const named = subject.evaluation.sections ?? COMMENT_SECTIONS;
  return [
    buildHeadlineSection,
    buildAfterMergeSection,
    buildNextStepSection,
    buildSituationRowsSection,
    buildApprovalsSection,
    ...(named.includes("findings") ? [] : [buildBlockingFindingsSection]),
    ...named.flatMap((section) => SECTION_BUILDERS[section]),
    buildPolicyEditSection,
    buildProvenanceSection,
  ].map((make) => make(subject));
}
