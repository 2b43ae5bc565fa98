import type { GitHubFailure } from "../client/result.ts";

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
  /** Last lines of the summary. A change of them alone is never written. */
  readonly footer?: string;
}

/** A button under the check. GitHub's limits: 20, 40 and 20 characters, three buttons. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** The stored check run that was written last for this head and name. */
export interface KnownCheck {
  readonly checkRunId: number;
  /** Empty when the check run was found on GitHub (see `findOwnCheck`): then it is written again. */
  readonly digest: string;
  readonly completed: boolean;
  /** GitHub's global id; absent: unknown. */
  readonly nodeId?: string | undefined;
}

export interface CheckWrite {
  /** The repository's numeric id: another repository can get its name at any time. */
  readonly repositoryId: number;
  /** The repository's global id; null: unknown. */
  readonly repositoryNodeId: string | null;
  readonly headSha: string;
  readonly checkName: string;
  readonly known: KnownCheck | null;
  readonly decision: CheckState;
  readonly output: CheckOutput;
  /** Digest of (head, base branch, policy blobs, facts): finds our own run again after a lost answer. */
  readonly externalId: string;
  /** `details_url`. A change of it alone is never written. */
  readonly detailsUrl: string;
  readonly actions: readonly CheckAction[];
  /** The lane's fencing: checked right before the request is sent. */
  readonly isCurrent: () => Promise<boolean>;
}

export type CheckOutcome = CheckResult & {
  /** Whether a request had no answer, so that it may take effect later, over what this outcome states. */
  readonly isUnanswered: boolean;
};

export type CheckResult =
  | { readonly state: "written" | "unchanged"; readonly known: KnownCheck }
  | { readonly state: "superseded" }
  /** GitHub refuses the check: no such commit, no such repository. */
  | { readonly state: "refused"; readonly failure: GitHubFailure }
  /** Retry later (`failure.retryAfterMs` if GitHub stated a time). */
  | { readonly state: "failed"; readonly failure: GitHubFailure };
