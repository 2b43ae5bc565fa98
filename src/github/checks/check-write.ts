import type { GitHubFailure } from "../client/answer.ts";

export type CheckState =
  | { readonly status: "in_progress" }
  | {
      readonly status: "completed";
      readonly conclusion: "success" | "neutral" | "failure" | "action_required";
    };

export interface CheckOutput {
  /** Markdown, except the title. GitHub takes 65,535 characters of summary and of text each. */
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
}

/** A button under the check. GitHub's limits: 20, 40 and 20 characters, three buttons. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** What the store remembers about the run that was written last for this head and name. */
export interface KnownCheck {
  readonly checkRunId: number;
  /** Empty when only GitHub is remembered (see `findOwnCheck`): then it is written anew. */
  readonly digest: string;
  readonly completed: boolean;
}

export interface CheckWrite {
  /** The repository's numeric id: a name may be given to another repository at any time. */
  readonly repositoryId: number;
  readonly headSha: string;
  readonly checkName: string;
  readonly known: KnownCheck | null;
  readonly decision: CheckState;
  readonly output: CheckOutput;
  /** Digest of (head, base branch, policy blobs, facts): finds our own run again after a lost answer. */
  readonly externalId: string;
  /** Address of the page that says more: `details_url`. A change of it alone is never written. */
  readonly detailsUrl: string;
  readonly actions: readonly CheckAction[];
  /** The lane's fencing: asked right before the request leaves. */
  readonly stillCurrent: () => Promise<boolean>;
}

export type CheckOutcome =
  | { readonly state: "written" | "unchanged"; readonly known: KnownCheck }
  | { readonly state: "superseded" }
  /** GitHub does not take the check: no such commit, no such repository. */
  | { readonly state: "refused"; readonly failure: GitHubFailure }
  /** Try again later (`failure.retryAfterMs` when GitHub named a time). */
  | { readonly state: "failed"; readonly failure: GitHubFailure };
