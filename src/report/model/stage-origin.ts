/** How an execution was found to belong to the pull request (design: status or check, audit event, notification, list by workspace, a local file). */
export type BindingSource = "status" | "check" | "audit" | "notification" | "assumed" | "file";

/** Which stage run of which execution something was read of. */
export interface StageOrigin {
  readonly org: string;
  readonly project: string;
  readonly workspace: string;
  readonly executionId: string;
  /** The execution's page on the platform; absent: it has none, or none is known. */
  readonly executionPage?: string;
  readonly source: BindingSource;
  /** False: only a status by an untrusted poster names it. Its figures are shown as unproven and judge nothing. */
  readonly proven: boolean;
  readonly status: "succeeded" | "failed" | "pending" | "unknown";
  /** Creation time in ms since 1970, null when not stated. */
  readonly createdMs: number | null;
  /** Ids of older executions of the same workspace: listed, never summed. */
  readonly superseded: readonly string[];
}
