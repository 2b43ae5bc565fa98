import { shorten } from "../kernel/shorten.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { COMMENT_SECTIONS, type CommentSection } from "../policy/model/policy.ts";
import type { CommentProblem } from "../policy/news.ts";
import {
  buildCheckSummary,
  buildCheckText,
  CHECK_BYTES,
  type CheckOutput,
  TITLE_LENGTH,
} from "./check-view.ts";
import { parseLinkTarget } from "./escape.ts";
import type { CommandAnswer } from "./render-answer.ts";
import { renderAnswer } from "./render-answer.ts";
import { type GroupVerdict, renderGroup } from "./render-group.ts";
import { buildAfterMergeSection } from "./sections/after-merge.ts";
import { buildApprovalsSection } from "./sections/approvals.ts";
import { composeSections, countBytes } from "./sections/budget.ts";
import { buildChangesSection } from "./sections/changes.ts";
import { buildContextSection } from "./sections/context.ts";
import { buildBlockingFindingsSection, buildFindingsSection } from "./sections/findings.ts";
import { buildHeadlineSection, formatTitle } from "./sections/headline.ts";
import { buildModulesSection } from "./sections/modules.ts";
import { buildNextStepSection } from "./sections/next-step.ts";
import { buildNotApplicableSection } from "./sections/not-applicable.ts";
import { buildPolicyEditSection } from "./sections/policy-edit.ts";
import { buildProvenanceSection } from "./sections/provenance.ts";
import { buildResourcesSection } from "./sections/resources.ts";
import { buildSavingsSection, buildUnpricedSection } from "./sections/savings.ts";
import { createSubject, type Section, type Subject } from "./sections/section.ts";
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

/** Renders evaluations as text. Pure: equal evaluations give equal bytes. */
export interface Renderer {
  /**
   * The pull-request comment in GitHub-flavoured Markdown, at most 65,000 UTF-8 bytes, also after `unbroken`.
   */
  comment(e: Evaluation, links: Links): string;
  check(e: Evaluation, links: Links): CheckOutput;
  /** The check's title before it is cut to GitHub's limit. */
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

export function createRenderer(
  templates: TemplateTexts,
  { version, operator }: RendererOptions = {},
): Renderer {
  const fill = compileTemplates(templates, operator);
  return {
    comment: (evaluation, links) => {
      const subject = buildSubject(evaluation, links);
      return composeSections(buildCommentSections(subject), fill, {
        bytes: links.commentBytes ?? COMMENT_BYTES,
        weigh: (text) => countBytes(keepSignsTogether(text)),
        details: subject.links.details,
      });
    },
    title: (evaluation) => formatTitle(fill, evaluation),
    answer: (answer, evaluation) => renderAnswer(fill, answer, evaluation),
    group: (verdict, baseRef) => renderGroup(fill, verdict, baseRef),
    check: (evaluation, links) => {
      const subject = buildSubject(evaluation, links);
      const weigh = (text: string) => countBytes(keepSignsTogether(text));
      const budget = { bytes: CHECK_BYTES, weigh, details: subject.links.details };
      const text = composeSections(buildCheckText(subject), fill, budget);
      return {
        title: shorten(formatTitle(fill, evaluation), TITLE_LENGTH),
        summary: composeSections(buildCheckSummary(subject), fill, budget),
        text: text === "" ? null : text,
        ...(version !== undefined && { footer: fill("version", { version }) }),
      };
    },
  };
}

const buildSubject = (evaluation: Evaluation, links: Links): Subject => {
  const { details, recheckHint, mentions = new Set(), github = null, policyPage, commentProblem } = links;
  return createSubject(evaluation, {
    details: details === null ? null : parseLinkTarget(details),
    recheck: recheckHint,
    mentions,
    github: evaluation.pull.local === true ? null : github,
    policyPage,
    commentProblem: commentProblem ?? null,
  });
};

/**
 * Size limit of a comment in bytes. GitHub accepts 65,536 characters; counting bytes covers every alphabet.
 */
const COMMENT_BYTES = 65_000;

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
