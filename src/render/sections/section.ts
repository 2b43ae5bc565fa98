import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { CommentProblem } from "../../policy/news.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import type { Inline } from "../escape.ts";
import { formatDuration } from "../format.ts";
import type { CostBreakdown } from "./module-columns.ts";

/**
 * A part of a comment or a check with its own template. It is shown whole, with fewer rows, or not at all.
 */
export interface Section {
  /** The template's name, e.g. "stages" for templates/stages.hbs. */
  readonly template: string;
  /** Number of rows when there is enough space; absent: a section without rows. */
  readonly rows?: number;
  /** Rows after this number are details, which are omitted before anything else; absent: there are no details. */
  readonly firstRows?: number;
  /** True: always included, because the remaining text would be misleading without it. It must be short. */
  readonly isRequired?: true;
  /** The template's view with at most `rows` rows; null when the section has no content. */
  view(rows: number): SectionView | null;
}

/** `rounded`: displayed amounts do not add up because of rounding; a note below the section says so. */
type SectionView = object & { readonly rounded?: boolean };

export type SectionBuilder = (subject: Subject) => Section;

/** The inputs of the sections that show no breakdown of the cost. */
export interface SectionSource {
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
    /** Why the pull request's comments may be missing or outdated; absent: they are correct. */
    readonly commentProblem?: CommentProblem | undefined;
  };
}

export const NO_LINKS: SectionSource["links"] = { details: null, recheck: false, github: null };

/** The inputs of every section. */
export interface Subject extends SectionSource {
  /** The breakdown of the change; empty where figures are not shown. */
  readonly costBreakdowns: readonly CostBreakdown[];
}

/**
 * Creates a function that labels the stage of a resource by its workspace: null where there is only one
 * stage, and the workspace itself where several stages share it.
 */
export function createWorkspaceLabels<T extends Inline>(
  { stages }: Report,
  format: (name: string) => T,
): (workspace: string) => T | null {
  if (stages.length < 2) return () => null;
  const label = createStageLabels(stages);
  const labels = new Map<string, string>();
  for (const stage of stages)
    labels.set(stage.workspace, labels.has(stage.workspace) ? stage.workspace : label(stage));
  return (workspace) => format(labels.get(workspace) ?? workspace);
}

/** The age of a stale fact; null: the fact is current. */
export const formatFactAge = <T>(fact: Fact<T>): Inline | null =>
  fact.state === "stale" ? formatDuration(fact.ageMs) : null;
