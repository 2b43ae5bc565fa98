import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { FillTemplate } from "../handlebars/templates.ts";
import { buildAfterMergeSection } from "../sections/after-merge.ts";
import { composeSections } from "../sections/budget.ts";
import { buildContextSection } from "../sections/context.ts";
import { buildFindingsSection, listFindings } from "../sections/findings.ts";
import { buildNextStepSection } from "../sections/next-step.ts";
import { buildNotApplicableView } from "../sections/not-applicable.ts";
import { buildPlanNotesSection } from "../sections/plan-notes.ts";
import { buildPolicyEditSection } from "../sections/policy-edit.ts";
import { buildProvenanceSection } from "../sections/provenance.ts";
import { buildSavingsSection } from "../sections/savings.ts";
import { createSubject, type Section, type Subject } from "../sections/section.ts";
import { buildSinceLastSection } from "../sections/since-last.ts";
import { buildSituationRowsSection } from "../sections/situation-rows.ts";
import { buildStageNotesSection } from "../sections/stage-notes.ts";
import { buildStagesSection } from "../sections/stages.ts";
import { buildUnpricedSection } from "../sections/unpriced.ts";

/** The parts of an evaluation's page that the comment has too, each as Markdown in the comment's words; empty: nothing to say. */
export interface PageSections {
  /** What to do next, and what the evaluation waits for or could not read. */
  readonly nextStep: string;
  readonly findings: string;
  /** Rules whose scope matches nothing of the pull request. */
  readonly notApplicable: string;
  /** What the figures of stages lack, unpriced resources too, and how they differ from those of the previous head. */
  readonly costNotes: string;
  /** What the plans leave out, actions that they invoke, and failed checks. */
  readonly planNotes: string;
  readonly afterMerge: string;
  readonly policyEdit: string;
  /** Savings, anomalies, unit costs, governance. */
  readonly context: string;
  readonly provenance: string;
}

type SectionBuilder = (subject: Subject) => Section;

const PARTS: Readonly<Record<Exclude<keyof PageSections, "notApplicable">, readonly SectionBuilder[]>> = {
  nextStep: [buildNextStepSection, buildSituationRowsSection],
  findings: [buildFindingsSection],
  costNotes: [buildSinceLastSection, buildStageNotesSection, buildUnpricedSection],
  planNotes: [buildPlanNotesSection],
  afterMerge: [buildAfterMergeSection],
  policyEdit: [buildPolicyEditSection],
  context: [buildSavingsSection, buildContextSection],
  provenance: [buildProvenanceSection],
};

/** Links of a page: to GitHub, without a slash at the end, and to the reference of the policy file. */
export interface PageTextLinks {
  readonly github: string;
  readonly policyPage: string;
}

const NO_LIMIT = { bytes: Number.POSITIVE_INFINITY, details: null };

/** Renders one part of an evaluation's page. */
export function renderPageSection(
  fill: FillTemplate,
  evaluation: Evaluation,
  { part, links }: { readonly part: keyof PageSections; readonly links: PageTextLinks },
): string {
  const subject = createSubject(evaluation, { ...links, details: null, recheck: true });
  if (part === "notApplicable") return renderNotApplicable(fill, subject);
  const text = composeSections(
    PARTS[part].map((build) => build(subject)),
    fill,
    NO_LIMIT,
  );
  return part === "costNotes" && isTableRounded(subject) ? `${text}\n\n${fill("rounded", {})}`.trim() : text;
}

/** Whether the rounded costs of stages do not add up. The page has a table of its own for them, and the comment's note. */
function isTableRounded(subject: Subject): boolean {
  const stages = buildStagesSection(subject);
  return stages.view(stages.rows)?.rounded ?? false;
}

/** All of them: the comment only counts those that are meant for other pull requests. */
function renderNotApplicable(fill: FillTemplate, subject: Subject): string {
  const all = listFindings(subject.evaluation.situation).filter(({ mismatch }) => mismatch !== undefined);
  if (all.length === 0) return "";
  return fill("not-applicable-rules", buildNotApplicableView(subject, all, all.length));
}
