import type { Lapse } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { Finding, UndecidedReason } from "../policy/model/finding.ts";
import type { ContextName } from "../report/model/context.ts";
import type { ChangeKind, UnknownReason } from "../report/model/facts.ts";
import type { BindingSource } from "../report/model/stage-origin.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { composeSections } from "./sections/budget.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildFindingsSection, listFindings } from "./sections/findings.ts";
import { formatTitle } from "./sections/headline.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableView } from "./sections/not-applicable.ts";
import { buildPlanNotesSection } from "./sections/plan-notes.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import { createSubject, type Section, type Subject } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";
import type { FillTemplate } from "./templates.ts";
import { compileTemplates, type OperatorTemplates, type TemplateTexts } from "./templates.ts";

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

/**
 * The comment's words for pages, so that both say the same. Phrases are plain text with names from outside as they are: whoever
 * inserts them into HTML escapes them.
 */
export interface PageTexts {
  /** The verdict in one line, without its icon. */
  describeVerdict(evaluation: Evaluation): string;
  /** A part of the comment as Markdown; empty: it has nothing to say. */
  renderSection(evaluation: Evaluation, part: keyof PageSections, links: PageTextLinks): string;
  describeReason(reason: UnknownReason): string;
  describeSource(source: BindingSource): string;
  describeAction(action: ChangeKind): string;
  describeFact(fact: ContextName): string;
  /** Why an approval of `rules` ended. */
  describeLapse(why: Lapse, rules: readonly string[]): string;
  /** Why a rule could not be evaluated. */
  describeUndecided(finding: Pick<Finding, "because" | "enforce" | "onUnknown">): string;
}

/** Creates the words of pages from the templates of comments. */
export function createPageTexts(templates: TemplateTexts, operator?: OperatorTemplates): PageTexts {
  const fill = compileTemplates(templates, operator);
  return {
    describeVerdict: (evaluation) => formatTitle(fill, evaluation),
    renderSection: (evaluation, part, links) => renderPageSection(fill, evaluation, { part, links }),
    describeReason: (reason) => fill("reason", { reason }),
    describeSource: (source) => fill("source", { source }),
    describeAction: (action) => fill("action-word", { action }),
    describeFact: (fact) => fill("fact-name", { fact }),
    describeLapse: (why, rules) => {
      const about = "rule" in why ? why.rule : null;
      return fill("lapse", { lapse: why.kind, about, own: rules.every((rule) => rule === about) });
    },
    describeUndecided: ({ because, enforce, onUnknown }) =>
      fill("finding-undecided", {
        because: because.map(buildBecause),
        isWarningOnly: enforce === "warn" || onUnknown === "warn",
      }),
  };
}

const MAX_NAMES = 3;

function buildBecause(reason: UndecidedReason): object {
  if (reason.kind !== "usage") return reason;
  const names = reason.names.slice(0, MAX_NAMES);
  return { ...reason, names, more: reason.count - names.length };
}
