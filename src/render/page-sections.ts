import type { Lapse } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { Finding } from "../policy/model/finding.ts";
import type { ContextName, SavingAdvice } from "../report/model/context.ts";
import type { BindingSource, ChangeKind, EstimatorResults, UnknownReason } from "../report/model/facts.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { composeSections } from "./sections/budget.ts";
import { buildContextSection } from "./sections/context.ts";
import {
  buildBecauseView,
  buildFindingsSection,
  buildTagLinesView,
  listFindings,
} from "./sections/findings.ts";
import { formatTitle } from "./sections/headline.ts";
import { buildModuleRangesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableView } from "./sections/not-applicable.ts";
import { buildPlanNotesSection } from "./sections/plan-notes.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import type { Section, SectionSource } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";
import { buildYearEndSection } from "./sections/year-end.ts";
import {
  compileTemplates,
  type FillTemplate,
  type OperatorTemplates,
  type TemplateTexts,
} from "./templates.ts";

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

const PARTS: Readonly<
  Record<Exclude<keyof PageSections, "notApplicable">, readonly ((source: SectionSource) => Section)[]>
> = {
  nextStep: [buildNextStepSection, buildSituationRowsSection],
  findings: [buildFindingsSection],
  costNotes: [
    buildYearEndSection,
    buildSinceLastSection,
    buildStageNotesSection,
    buildUnpricedSection,
    buildModuleRangesSection,
  ],
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
function renderPart(fill: FillTemplate, source: SectionSource, part: keyof PageSections): string {
  if (part === "notApplicable") return renderNotApplicable(fill, source);
  const text = composeSections(
    PARTS[part].map((build) => build(source)),
    fill,
    NO_LIMIT,
  );
  return part === "costNotes" && isTableRounded(source) ? `${text}\n\n${fill("rounded", {})}`.trim() : text;
}

/** Whether the rounded costs of stages do not add up. The page has a table of its own for them, and the comment's note. */
function isTableRounded(source: SectionSource): boolean {
  const { rows = 0, view } = buildStagesSection(source);
  return view(rows)?.rounded ?? false;
}

/** All of them: the comment only counts those that are meant for other pull requests. */
function renderNotApplicable(fill: FillTemplate, source: SectionSource): string {
  const all = listFindings(source.evaluation.situation).filter(({ mismatch }) => mismatch !== undefined);
  return all.length === 0
    ? ""
    : fill("not-applicable-rules", buildNotApplicableView(source, all, all.length));
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
  /** What a saving needs; empty: not stated. */
  describeAdvice(advice: SavingAdvice): string;
  /** What one of the estimator's own policies says. */
  describeEstimatorFinding(finding: EstimatorResults["listed"][number]): string;
  /** Why an approval of `rules` ended. */
  describeLapse(why: Lapse, rules: readonly string[]): string;
  /** Why a rule could not be evaluated. */
  describeUndecided(finding: Pick<Finding, "because" | "enforce" | "onUnknown">): string;
  /** Which required tags the first resources of a finding miss or have wrong; empty: it is about no tags. */
  describeTags(finding: Finding): string;
}

/** Creates the words of pages from the templates of comments. */
export function createPageTexts(templates: TemplateTexts, operator?: OperatorTemplates): PageTexts {
  const fill = compileTemplates(templates, operator);
  return {
    describeVerdict: (evaluation) => formatTitle(fill, evaluation),
    renderSection: (evaluation, part, links) =>
      renderPart(fill, { evaluation, links: { ...links, details: null, recheckHint: true } }, part),
    describeReason: (reason) => fill("reason", { reason }),
    describeSource: (source) => fill("source", { source }),
    describeAction: (action) => fill("action-word", { action }),
    describeFact: (fact) => fill("fact-name", { fact }),
    describeAdvice: ({ recommended, ...advice }) =>
      fill("saving-advice", { ...advice, recommended: recommended.map((name) => ({ name })) }),
    describeEstimatorFinding: (finding) => fill("estimator-finding", finding),
    describeLapse: (why, rules) => {
      const about = "rule" in why ? why.rule : null;
      return fill("lapse", { lapse: why.kind, about, own: rules.every((rule) => rule === about) });
    },
    describeUndecided: ({ because, enforce, onUnknown }) =>
      fill("finding-undecided", {
        because: because.map((reason) => buildBecauseView(reason, String)),
        isWarningOnly: enforce === "warn" || onUnknown === "warn",
      }),
    describeTags: (finding) => fill("finding-tags", buildTagLinesView(finding)),
  };
}
