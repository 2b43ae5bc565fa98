import type { Evaluation } from "../policy/model/evaluation.ts";
import { COMMENT_SECTIONS, type CommentSection } from "../policy/model/policy.ts";
import { findDetailsAddress } from "./addresses.ts";
import { type Annotation, buildAnnotations } from "./annotations.ts";
import { type CommandAnswer, renderAnswer } from "./render-answer.ts";
import { type GroupVerdict, renderGroup } from "./render-group.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { buildApprovalsSection } from "./sections/approvals.ts";
import { composeSections } from "./sections/budget.ts";
import { buildChangesSection } from "./sections/changes.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildEstimatorSection } from "./sections/estimator.ts";
import { buildBlockingFindingsSection, buildFindingsSection } from "./sections/findings.ts";
import { buildHeadlineSection, formatTitle } from "./sections/headline.ts";
import { buildModuleRangesSection, buildModulesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableSection } from "./sections/not-applicable.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildResourcesSection } from "./sections/resources.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import type { Links, Section, SectionSource } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";
import { buildTagsSection } from "./sections/tags.ts";
import { buildYearEndSection } from "./sections/year-end.ts";
import { compileTemplates, type OperatorTemplates, type TemplateTexts } from "./templates.ts";

/** The `output` of a check run: summary and text have at most 65,535 UTF-8 bytes each. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
  /** Names the version of Tollgate; apart from the summary, so that an upgrade alone changes no check. */
  readonly footer?: string;
  readonly annotations: readonly Annotation[];
}

/** Renders evaluations as text. Pure: equal evaluations give equal bytes. */
export interface Renderer {
  /** The pull-request comment in GitHub-flavoured Markdown, at most 65,000 UTF-8 bytes, also after `unbroken`. */
  comment(e: Evaluation, links: Links): string;
  check(e: Evaluation, links: Links): CheckOutput;
  /** The check's title, perhaps longer than GitHub's limit. */
  title(e: Evaluation): string;
  /** The check of a merge group's commit. */
  group(verdict: GroupVerdict, baseRef: string): Omit<CheckOutput, "annotations">;
  /** The short comment that answers a command. */
  answer(answer: CommandAnswer, e: Evaluation): string;
}

export interface RendererOptions {
  /** Tollgate's version, which checks name; absent: they name none. */
  readonly version?: string;
  readonly operator?: OperatorTemplates;
}

/** Limits in bytes, which cover every alphabet: GitHub accepts 65,536 characters of a comment, and 65,535 of summary and text of a check. */
const COMMENT_BYTES = 65_000;
const CHECK_BYTES = 65_535;

export function createRenderer(
  templates: TemplateTexts,
  { version, operator }: RendererOptions = {},
): Renderer {
  const fill = compileTemplates(templates, operator);
  const compose = (sections: readonly Section[], bytes: number, links: Links): string =>
    composeSections(sections, fill, { bytes, details: findDetailsAddress(links) });
  return {
    comment: (evaluation, links) =>
      compose(buildCommentSections({ evaluation, links }), links.commentBytes ?? COMMENT_BYTES, links),
    title: (evaluation) => formatTitle(fill, evaluation),
    answer: (answer, evaluation) => renderAnswer(fill, answer, evaluation),
    group: (verdict, baseRef) => renderGroup(fill, verdict, baseRef),
    check: (evaluation, links) => {
      const source = { evaluation, links };
      const { checkEnd: end = "" } = links;
      const shown = compose(buildCheckText(source), CHECK_BYTES - Buffer.byteLength(end) - 2, links);
      const text = [shown, end].filter((part) => part !== "").join("\n\n");
      return {
        title: formatTitle(fill, evaluation),
        summary: compose(buildCheckSummary(source), CHECK_BYTES, links),
        text: text === "" ? null : text,
        annotations: buildAnnotations(fill, source),
        ...(version !== undefined && { footer: fill("version", { version }) }),
      };
    },
  };
}

/** The sections that a policy may order or leave out. */
const SECTION_BUILDERS: Readonly<Record<CommentSection, readonly ((source: SectionSource) => Section)[]>> = {
  costs: [buildStagesSection, buildYearEndSection, buildSinceLastSection, buildStageNotesSection],
  findings: [buildFindingsSection, buildNotApplicableSection],
  tags: [buildTagsSection],
  modules: [buildModulesSection, buildModuleRangesSection],
  resources: [buildResourcesSection],
  changes: [buildChangesSection],
  unpriced: [buildUnpricedSection],
  savings: [buildSavingsSection],
  estimator: [buildEstimatorSection],
  context: [buildContextSection],
};

/**
 * The sections of the comment from top to bottom: verdict, next step, reasons, cost, cost drivers, changes,
 * context, provenance. A policy may order the middle sections; the reasons for the verdict are always shown.
 */
export function buildCommentSections(source: SectionSource): readonly Section[] {
  const named = source.evaluation.sections ?? COMMENT_SECTIONS;
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
  ].map((build) => build(source));
}

/**
 * The sections of the check's summary: why the verdict is what it is, for readers who come from the merge
 * box. The title states the verdict.
 */
export const buildCheckSummary = (source: SectionSource): readonly Section[] =>
  [
    buildNextStepSection,
    buildSituationRowsSection,
    buildApprovalsSection,
    buildFindingsSection,
    buildNotApplicableSection,
    buildStagesSection,
    buildYearEndSection,
    buildSinceLastSection,
    buildStageNotesSection,
    buildCommentProblemSection,
    buildProvenanceSection,
  ].map((build) => build(source));

/** The sections of the check's text: the cost drivers and the changes. */
export const buildCheckText = (source: SectionSource): readonly Section[] =>
  [
    buildTagsSection,
    buildModulesSection,
    buildModuleRangesSection,
    buildResourcesSection,
    buildChangesSection,
    buildUnpricedSection,
    buildSavingsSection,
    buildEstimatorSection,
    buildContextSection,
    buildPolicyEditSection,
  ].map((build) => build(source));

/** An earlier comment that is still visible is not reported. */
const buildCommentProblemSection = ({ links: { commentProblem: problem } }: SectionSource): Section => ({
  template: "comment-problem",
  isRequired: true,
  view: () => (problem === undefined || problem === "earlier" ? null : { problem }),
});
