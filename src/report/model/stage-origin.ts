/**
 * How an execution was bound to the pull request: a status or check, an audit event, a notification, a
 * listing by workspace (assumed), or a local file.
 */
export type BindingSource = "status" | "check" | "audit" | "notification" | "assumed" | "file";

/** The stage of an execution from which facts were read. */
export interface StageOrigin {
  readonly org: string;
  readonly project: string;
  readonly workspace: string;
  readonly executionId: string;
  /** The execution's page on the platform; absent: none is known. */
  readonly executionPage?: string;
  readonly source: BindingSource;
  /**
   * False: only a status by an untrusted poster names the execution. Its figures are shown as unproven, and
   * rules do not use them.
   */
  readonly proven: boolean;
  readonly status: "succeeded" | "failed" | "pending" | "unknown";
  /** Creation time in ms since 1970, null when not stated. */
  readonly createdMs: number | null;
  /** Ids of older executions of the same workspace: listed, never summed. */
  readonly superseded: readonly string[];
}
