import { COMMENT_SECTIONS, type CommentSection } from "../policy/model/comment-sections.ts";
import { afterMergeSection } from "./sections/after-merge.ts";
import { approvalsSection } from "./sections/approvals.ts";
import { changesSection } from "./sections/changes.ts";
import { contextSection } from "./sections/context.ts";
import { blockingFindingsSection, findingsSection } from "./sections/findings.ts";
import { headlineSection } from "./sections/headline.ts";
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
 * Size limit of a comment in bytes. GitHub accepts 65,536 characters; counting bytes covers every alphabet.
 */
export const COMMENT_BYTES = 65_000;

type MakeSection = (subject: Subject) => Section;

/** The sections that a policy may order or leave out. */
const NAMED: Readonly<Record<CommentSection, readonly MakeSection[]>> = {
  costs: [stagesSection, sinceLastSection, stageNotesSection],
  findings: [findingsSection, notApplicableSection],
  modules: [modulesSection],
  resources: [resourcesSection],
  changes: [changesSection],
  unpriced: [unpricedSection],
  savings: [savingsSection],
  context: [contextSection],
};

/**
 * The sections of the comment from top to bottom: verdict, next step, reasons, cost, cost drivers, changes,
 * context, provenance. A policy may order the middle sections; the reasons for the verdict are always shown.
 */
export function commentView(subject: Subject): readonly Section[] {
  const named = subject.evaluation.sections ?? COMMENT_SECTIONS;
  return [
    headlineSection,
    afterMergeSection,
    nextStepSection,
    situationRowsSection,
    approvalsSection,
    ...(named.includes("findings") ? [] : [blockingFindingsSection]),
    ...named.flatMap((section) => NAMED[section]),
    policyEditSection,
    provenanceSection,
  ].map((make) => make(subject));
}
