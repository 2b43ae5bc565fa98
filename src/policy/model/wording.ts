import type { PolicyProblem } from "./policy.ts";

/** A Handlebars partial of a repository's or an organisation's own, from a base branch. */
export interface CustomPartial {
  /** What it words, e.g. `next-step`. */
  readonly name: string;
  /** `owner/name:path`. */
  readonly file: string;
  readonly text: string;
  readonly blob: string;
}

/** Words of a team's own for the comment. No verdict rests on them. */
export interface Wording {
  /** At most one for each name. */
  readonly partials: readonly CustomPartial[];
  /** Why files beside them are not used. */
  readonly problems: readonly PolicyProblem[];
}
