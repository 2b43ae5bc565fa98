import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { CommentProblem } from "../../policy/news.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import type { Inline } from "../escape.ts";
import { formatDuration } from "../format.ts";

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
  /** Invisible end of a check's text; absent: there is none. */
  readonly checkEnd?: string;
  /** Root of GitHub's pages, without a slash at the end; absent: commits and policy files are no links. */
  readonly github?: string;
}

/** The inputs of every section. */
export interface SectionSource {
  readonly evaluation: Evaluation;
  readonly links: Links;
}

export const NO_LINKS: Links = { details: null, recheckHint: false };

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
