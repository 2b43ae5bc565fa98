import type { Evaluation } from "../policy/model/evaluation.ts";
import { COMMENT_SECTIONS, type CommentSection } from "../policy/model/policy.ts";
import type { CommentProblem } from "../policy/news.ts";
import { parseLinkTarget } from "./escape.ts";
import { type CommandAnswer, renderAnswer } from "./render-answer.ts";
import { type GroupVerdict, renderGroup } from "./render-group.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { buildApprovalsSection } from "./sections/approvals.ts";
import { composeSections, countBytes } from "./sections/budget.ts";
import { buildChangesSection } from "./sections/changes.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildBlockingFindingsSection, buildFindingsSection } from "./sections/findings.ts";
import { buildHeadlineSection, formatTitle } from "./sections/headline.ts";
import { buildCostBreakdowns } from "./sections/module-columns.ts";
import { buildModulesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableSection } from "./sections/not-applicable.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildResourcesSection } from "./sections/resources.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import type { Section, SectionBuilder, SectionSource, Subject } from "./sections/section.ts";
import { buildSinceLastSection } from "./sections/since-last.ts";
import { buildSituationRowsSection } from "./sections/situation-rows.ts";
import { buildStageNotesSection } from "./sections/stage-notes.ts";
import { buildStagesSection } from "./sections/stages.ts";
import { keepSignsTogether } from "./sign-joiners.ts";
import { compileTemplates, type OperatorTemplates, type TemplateTexts } from "./templates.ts";

/** Link targets of a rendered text; set by the wiring, never by a repository. */
export interface Links {
  /**
   * The page with the full report of this pull request; null: there is none. Shown only if it is a plain
   * https (or loopback http) URL.
   */
  readonly details: string | null;
  /** True when the check has a Re-check button that the text may mention. */
  readonly recheckHint: boolean;
  /** Approvers whom the text mentions, so that GitHub notifies them, as in `ApprovalNeed`; absent: nobody. */
  readonly mentions?: ReadonlySet<string>;
  /** URL of the page that describes each kind of rule; absent: none is served. */
  readonly policyPage?: string;
  /** Size limit of a comment in UTF-8 bytes; absent: GitHub's limit. */
  readonly commentBytes?: number;
  /**
   * Why the pull request's comments may be missing or outdated; absent: they are correct. Only the check
   * states it.
   */
  readonly commentProblem?: CommentProblem;
  /** Root of GitHub's pages, without a slash at the end; absent: commits and policy files are no links. */
  readonly github?: string;
}

/** The `output` of a check run: summary and text have at most 65,535 UTF-8 bytes each. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
  /** Names the version of Tollgate; apart from the summary, so that an upgrade alone changes no check. */
  readonly footer?: string;
}

/** Renders evaluations as text. Pure: equal evaluations give equal bytes. */
export interface Renderer {
  /**
   * The pull-request comment in GitHub-flavoured Markdown, at most 65,000 UTF-8 bytes, also after `unbroken`.
   */
  comment(e: Evaluation, links: Links): string;
  check(e: Evaluation, links: Links): CheckOutput;
  /** The check's title, perhaps longer than GitHub's limit. */
  title(e: Evaluation): string;
  /** The check of a merge group's commit. */
  group(verdict: GroupVerdict, baseRef: string): CheckOutput;
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
  const compose = (sections: readonly Section[], bytes: number, { links: { details } }: Subject): string =>
    composeSections(sections, fill, {
      ...{ bytes, details },
      weigh: (text) => countBytes(keepSignsTogether(text)),
    });
  return {
    comment: (evaluation, links) => {
      const subject = createSubject(evaluation, links);
      return compose(buildCommentSections(subject), links.commentBytes ?? COMMENT_BYTES, subject);
    },
    title: (evaluation) => formatTitle(fill, evaluation),
    answer: (answer, evaluation) => renderAnswer(fill, answer, evaluation),
    group: (verdict, baseRef) => renderGroup(fill, verdict, baseRef),
    check: (evaluation, links) => {
      const subject = createSubject(evaluation, links);
      const text = compose(buildCheckText(subject), CHECK_BYTES, subject);
      return {
        title: formatTitle(fill, evaluation),
        summary: compose(buildCheckSummary(subject), CHECK_BYTES, subject),
        text: text === "" ? null : text,
        ...(version !== undefined && { footer: fill("version", { version }) }),
      };
    },
  };
}

const createSubject = (
  evaluation: Evaluation,
  { details, recheckHint, github, ...links }: Links,
): Subject => ({
  evaluation,
  links: {
    ...links,
    details: details === null ? null : parseLinkTarget(details),
    recheck: recheckHint,
    github: evaluation.pull.local === true ? null : (github ?? null),
  },
  costBreakdowns: evaluation.pull.figures ? buildCostBreakdowns(evaluation.report) : [],
});

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
  ].map((build) => build(subject));
}

/**
 * The sections of the check's summary: why the verdict is what it is, for readers who come from the merge
 * box. The title states the verdict.
 */
export const buildCheckSummary = (subject: Subject): readonly Section[] =>
  [
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
  ].map((build) => build(subject));

/** The sections of the check's text: the cost drivers and the changes. */
export const buildCheckText = (subject: Subject): readonly Section[] =>
  [
    buildModulesSection,
    buildResourcesSection,
    buildChangesSection,
    buildUnpricedSection,
    buildSavingsSection,
    buildContextSection,
    buildPolicyEditSection,
  ].map((build) => build(subject));

/** An earlier comment that is still visible is not reported. */
const buildCommentProblemSection = ({ links: { commentProblem: problem } }: SectionSource): Section => ({
  template: "comment-problem",
  isRequired: true,
  view: () => (problem === undefined || problem === "earlier" ? null : { problem }),
});
