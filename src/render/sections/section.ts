import type { Evaluation } from "../../policy/evaluation.ts";
import type { Inline } from "../escape.ts";

/** A part of a comment or a check that one template words. It is shown whole, with fewer rows, or not at all. */
export interface Section {
  /** The template's name, e.g. "stages" for templates/stages.hbs. */
  readonly template: string;
  /** Rows it shows when there is room; 0 for a section without rows. */
  readonly rows: number;
  /** True: said in any case, because without it the rest misleads. It must then be short by itself. */
  readonly keep: boolean;
  /** What its template is given when at most `rows` rows may be shown; null when there is nothing to say. */
  view(rows: number): object | null;
}

/** What every section is made from. */
export interface Subject {
  readonly evaluation: Evaluation;
  readonly links: {
    /** Null: there is no page to point to. */
    readonly details: Inline | null;
    readonly recheck: boolean;
  };
}
