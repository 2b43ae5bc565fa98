import { z } from "zod";
import { texts, type ValueOf } from "../../kernel/schemas.ts";

/** The stage of an execution from which facts were read. */
export const StageOrigin = z.object({
  org: z.string(),
  project: z.string(),
  /** Of an execution whose stages are unknown, its id stands here, for readers only. */
  workspace: z.string(),
  /** True: not even the workspaces of the execution could be read, so the stage may be of any. */
  isUnread: z.literal(true).exactOptional(),
  executionId: z.string(),
  /** The execution's page on the platform; absent: none is known. */
  executionPage: z.string().exactOptional(),
  /** How the execution was bound to the pull request: a status or check, an audit event, a notification, or a local file. */
  source: z.enum(["status", "check", "audit", "notification", "file"]),
  /**
   * False: only a status by an untrusted poster names the execution. Its figures are shown as unproven, and
   * rules do not use them.
   */
  proven: z.boolean(),
  status: z.enum(["succeeded", "failed", "pending", "unknown"]),
  /** Creation time in ms since 1970, null when not stated. */
  createdMs: z.number().nullable(),
  /** Ids of older executions of the same workspace: listed, never summed. */
  superseded: texts,
});
export type StageOrigin = ValueOf<typeof StageOrigin>;
export type BindingSource = StageOrigin["source"];
