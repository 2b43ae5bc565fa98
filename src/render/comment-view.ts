import { changesSection } from "./sections/changes.ts";
import { modulesSection, resourcesSection } from "./sections/drivers.ts";
import { findingsSection } from "./sections/findings.ts";
import { headlineSection } from "./sections/headline.ts";
import { nextStepSection } from "./sections/next-step.ts";
import { policyEditSection } from "./sections/policy-edit.ts";
import { provenanceSection } from "./sections/provenance.ts";
import type { Section, Subject } from "./sections/section.ts";
import { situationRowsSection } from "./sections/situation-rows.ts";
import { stageNotesSection } from "./sections/stage-notes.ts";
import { stagesSection } from "./sections/stages.ts";
import { unpricedSection } from "./sections/unpriced.ts";

/** A comment holds 65,536 characters; bytes are counted so that no alphabet matters, with some room to spare. */
export const COMMENT_BYTES = 65_000;

/** The comment from top to bottom: what it says, what to do, what it costs, why, what drives it, what changes, where it came from. */
export function commentView(subject: Subject): readonly Section[] {
  return [
    headlineSection,
    nextStepSection,
    situationRowsSection,
    stagesSection,
    stageNotesSection,
    findingsSection,
    modulesSection,
    resourcesSection,
    changesSection,
    unpricedSection,
    policyEditSection,
    provenanceSection,
  ].map((section) => section(subject));
}
