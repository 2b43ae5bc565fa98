import type { Lapse } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Finding, UndecidedReason } from "../../policy/model/finding.ts";
import type { ContextName } from "../../report/model/context.ts";
import type { ChangeKind, UnknownReason } from "../../report/model/facts.ts";
import type { BindingSource } from "../../report/model/stage-origin.ts";
import { compileTemplates, type OperatorTemplates, type TemplateTexts } from "../handlebars/templates.ts";
import { formatTitle } from "../sections/headline.ts";
import { type PageSections, type PageTextLinks, renderPageSection } from "./page-sections.ts";

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
