import type {
  CheckConclusion,
  CheckRun,
  CheckRunOutput,
  CheckStatus,
  Status,
  StatusState,
} from "../state/checks.ts";

export interface NewStatus {
  readonly repository: string;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly targetUrl?: string | null;
  readonly description?: string | null;
  /** Login of a user or bot; default the repository's owner or the organisation's first admin. */
  readonly creator?: string;
}

export interface NewCheckRun {
  readonly repository: string;
  readonly sha: string;
  readonly appId: number;
  readonly name: string;
  /** Default "completed" with a conclusion, else "queued". */
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion;
  readonly detailsUrl?: string | null;
  readonly externalId?: string | null;
  readonly output?: Partial<CheckRunOutput>;
}

/** Statuses and check runs of a commit. */
export interface CheckVerbs {
  /** Sends `status`. */
  postStatus(spec: NewStatus): Status;
  /** All statuses of a commit, newest first. */
  statuses(spec: { repository: string; sha: string }): readonly Status[];
  /** Sends `check_run.created`; for a completed run also `check_run.completed` and `check_suite.completed`. */
  postCheckRun(spec: NewCheckRun): CheckRun;
  completeCheckRun(spec: {
    checkRunId: number;
    conclusion: CheckConclusion;
    output?: Partial<CheckRunOutput>;
  }): CheckRun;
  /** All runs of a commit, newest first. */
  checkRuns(spec: { repository: string; sha: string; appId?: number; name?: string }): readonly CheckRun[];
  /** A person presses "Re-run": sends `check_run.rerequested` to the App that made the run. */
  rerequestCheckRun(spec: { checkRunId: number; by?: string }): void;
  /** A person presses one of the run's buttons: sends `check_run.requested_action` to the App that made the run. */
  requestCheckAction(spec: { checkRunId: number; identifier: string; by?: string }): void;
  /** A person presses "Re-run all checks": sends `check_suite.rerequested` to the App that made the suite. */
  rerequestCheckSuite(spec: { checkSuiteId: number; by?: string }): void;
}
