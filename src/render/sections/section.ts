import type { CommentProblem } from "../../policy/comment/comment-problem.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { createLazyObject } from "../../report/lazy-object.ts";
import type { Inline } from "../markup/escape.ts";
import { buildCostBreakdowns, type CostBreakdown } from "./module-columns.ts";

/**
 * A part of a comment or a check with its own template. It is shown whole, with fewer rows, or not at all.
 */
export interface Section {
  /** The template's name, e.g. "stages" for templates/stages.hbs. */
  readonly template: string;
  /** Number of rows when there is enough space; 0 for a section without rows. */
  readonly rows: number;
  /**
   * Rows after this number are details, which are omitted before anything else; absent: there are no details.
   */
  readonly firstRows?: number;
  /** True: always included, because the remaining text would be misleading without it. It must be short. */
  readonly isRequired: boolean;
  /** The template's view with at most `rows` rows; null when the section has no content. */
  view(rows: number): SectionView | null;
}

/** `rounded`: displayed amounts do not add up because of rounding; a note below the section says so. */
export type SectionView = object & { readonly rounded?: boolean };

/** The inputs of every section. */
export interface Subject {
  readonly evaluation: Evaluation;
  readonly links: {
    /** Address of the page with the full report; null: there is none. */
    readonly details: Inline | null;
    readonly recheck: boolean;
    /** See `Links.mentions`. */
    readonly mentions?: ReadonlySet<string>;
    /** Root of GitHub's pages; null: the text contains no links to GitHub. */
    readonly github: string | null;
    /** See `Links.policyPage`. */
    readonly policyPage?: string | undefined;
    /** Why the pull request's comments may be missing or outdated; null: they are correct. */
    readonly commentProblem?: CommentProblem | null;
  };
  /** The breakdown of the change; empty where figures are not shown. */
  readonly costBreakdowns: readonly CostBreakdown[];
}

/** Creates the inputs of all sections of one text; shared values are computed once. */
export const createSubject = (evaluation: Evaluation, links: Subject["links"]): Subject =>
  createLazyObject<Subject>({
    evaluation: () => evaluation,
    links: () => links,
    costBreakdowns: () => (evaluation.pull.figures ? buildCostBreakdowns(evaluation.report) : []),
  });
