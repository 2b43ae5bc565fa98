export type StatusState = "error" | "failure" | "pending" | "success";

export interface Status {
  readonly id: number;
  readonly repositoryId: number;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
  readonly createdAt: number;
}

export type CheckStatus = "queued" | "in_progress" | "completed";
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale";

export interface CheckSuite {
  readonly id: number;
  readonly repositoryId: number;
  readonly appId: number;
  readonly headSha: string;
  /** null when the commit is on no branch of the repository itself, as for a fork's head. */
  readonly headBranch: string | null;
  readonly before: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface CheckRunAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: "notice" | "warning" | "failure";
  readonly message: string;
  readonly title: string | null;
  readonly rawDetails: string | null;
}

export interface CheckRunOutput {
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
}

export interface CheckRun {
  readonly id: number;
  readonly repositoryId: number;
  readonly appId: number;
  readonly suiteId: number;
  readonly name: string;
  readonly headSha: string;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly externalId: string | null;
  readonly detailsUrl: string | null;
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly output: CheckRunOutput;
  readonly annotations: readonly CheckAnnotation[];
  readonly actions: readonly CheckRunAction[];
}
