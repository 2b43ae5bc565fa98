import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { ApplyResult, Tolerance } from "../../policy/model/apply.ts";
import { Approval, Lapse } from "../../policy/model/approval.ts";
import { Evaluation } from "../../policy/model/evaluation.ts";
import { ShownPolicy } from "../../policy/model/policy.ts";
import { Notification } from "../../policy/notifications/notification.ts";
import { ChangedOutputs, RowAttributes, StageParts } from "../../report/model/facts.ts";
import { RowDetail } from "../../report/model/resource-attributes.ts";
import { type JsonColumn, jsonColumn } from "./stored-json.ts";

const READ_AGAIN = "It is read from the platform again.";
const APPROVE_AGAIN =
  "Start the version of Tollgate that wrote it, or delete the row and have the violation approved again.";

export const storedEvaluation = jsonColumn({
  name: "the evaluation",
  hint: "Comment `/tollgate recheck` on that pull request: it is then evaluated again.",
  schema: Evaluation,
});

export const storedApproval = jsonColumn({ name: "the approval", hint: APPROVE_AGAIN, schema: Approval });

export const storedLapse = jsonColumn({
  name: "the reason for the end of the approval",
  hint: APPROVE_AGAIN,
  schema: Lapse,
});

export const storedStageParts = jsonColumn({
  name: "the facts of the execution",
  hint: READ_AGAIN,
  schema: z.array(StageParts),
});

const StageDetails = z.object({
  /** By the place of the row in the platform's listing. */
  attributes: z.record(z.string(), RowAttributes),
  outputs: ChangedOutputs.exactOptional(),
});
export type StageDetails = ValueOf<typeof StageDetails>;

/** What is only shown of a stage. */
export const storedDetails = jsonColumn({
  name: "the attributes and outputs of the stage",
  hint: READ_AGAIN,
  schema: StageDetails,
});

/** By the place of the row in the platform's listing. */
export const storedRowDetails: JsonColumn<Readonly<Record<string, RowDetail>>> = jsonColumn({
  name: "the details of rows of the stage",
  hint: READ_AGAIN,
  // The type is the schema's; the compiler cannot make a recursive type readonly at each level.
  schema: z.record(z.string(), RowDetail) as unknown as z.ZodType<never>,
});

/** What is stored of an apply beside its result. */
const ApplyDetails = z.object({
  result: ApplyResult,
  tolerance: Tolerance.nullable(),
  /** Numbers of the pull requests whose evaluations were compared. */
  pulls: z.array(z.int()),
});

export type ApplyDetails = ValueOf<typeof ApplyDetails>;

export const storedApply = jsonColumn({
  name: "what the apply gate answered",
  hint: "Run `tollgate verify` again for that commit.",
  schema: ApplyDetails,
});

export const storedPolicy = jsonColumn({
  name: "the policy",
  hint: "Comment `/tollgate recheck` on a pull request of that repository: it is then stored again.",
  schema: ShownPolicy,
});

export const storedNotification = jsonColumn({
  name: "the notification",
  hint: "Start the version of Tollgate that wrote it, or delete the row: nobody is notified of it then.",
  schema: Notification,
});
