import type { PullKey } from "../../src/kernel/ids.ts";

/** What a run of the CI found for a commit. */
export type Outcome = "cheap" | "expensive";

export interface ModelledPull extends PullKey {
  readonly branch: string;
  headSha: string;
  isOpen: boolean;
}

/** What the actors of a soak did, from which what GitHub must show in the end follows. */
export interface Model {
  readonly pulls: ModelledPull[];
  /** The ended run of each commit; no commit has two. */
  readonly outcomes: Map<string, Outcome>;
  /** Commands that ask for an answer, by the number of their pull request. */
  readonly questions: Map<number, number>;
}

export const createModel = (): Model => ({ pulls: [], outcomes: new Map(), questions: new Map() });
