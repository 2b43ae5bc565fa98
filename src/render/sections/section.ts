import type { CommentProblem } from "../../policy/comment/comment-problem.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { createLazyObject } from "../../report/lazy-object.ts";
import type { Inline } from "../markup/escape.ts";
import { type CostBreakdown, drivenBy } from "./module-columns.ts";

/** A part of a comment or a check that one template words. It is shown whole, with fewer rows, or not at all. */
export interface Section {
  /** The template's name, e.g. "stages" for templates/stages.hbs. */
  readonly template: string;
  /** Rows it shows when there is room; 0 for a section without rows. */
  readonly rows: number;
  /** Rows beyond so many are details: they give way before anything else does. Left out: none are. */
  readonly firstRows?: number;
  /** True: said in any case, because without it the rest misleads. It must then be short by itself. */
  readonly keep: boolean;
  /** What its template is given when at most `rows` rows may be shown; null when there is nothing to say. */
  view(rows: number): SectionView | null;
}

/** `rounded`: amounts that the template shows do not add up as they are rounded; a note below the section says so. */
export type SectionView = object & { readonly rounded?: boolean };

/** What every section is made from. */
export interface Subject {
  readonly evaluation: Evaluation;
  readonly links: {
    /** Null: there is no page to point to. */
    readonly details: Inline | null;
    readonly recheck: boolean;
    /** See `Links.mentions`. */
    readonly mentions?: ReadonlySet<string>;
    /** Root of GitHub's pages; null: there are none of what is told. */
    readonly github: string | null;
    /** See `Links.policyPage`. */
    readonly policyPage?: string | undefined;
    /** Why the pull request's comments are not as they should be; null: they are. */
    readonly commentProblem?: CommentProblem | null;
  };
  /** What drives the change: nothing where figures are not shown. */
  readonly driven: readonly CostBreakdown[];
}

/** What all sections of one text are made from; what they share is worked out once. */
export const createSubject = (evaluation: Evaluation, links: Subject["links"]): Subject =>
  createLazyObject<Subject>({
    evaluation: () => evaluation,
    links: () => links,
    driven: () => (evaluation.pull.figures ? drivenBy(evaluation.report) : []),
  });
