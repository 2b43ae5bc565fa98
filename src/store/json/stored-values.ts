import type { Approval, Lapse } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Policy, Rule } from "../../policy/model/policy.ts";
import type { Notification } from "../../policy/notifications/notification.ts";
import type { ResourceChange, StageFacts } from "../../report/model/facts.ts";
import { approval, lapse, revocation } from "./approval-schema.ts";
import { evaluation } from "./evaluation-schema.ts";
import { attributesByPlace, stageParts } from "./facts-schema.ts";
import { notification } from "./notification-schema.ts";
import { shownPolicy } from "./policy-schema.ts";
import { jsonColumn } from "./stored-json.ts";

const READ_AGAIN = "It is read from the platform again.";
const APPROVE_AGAIN =
  "Start the version of Tollgate that wrote it, or delete the row and have the violation approved again.";

export const storedEvaluation = jsonColumn<Evaluation>({
  name: "the evaluation",
  hint: "Comment `/tollgate recheck` on that pull request: it is then evaluated anew.",
  schema: evaluation,
});

export const storedApproval = jsonColumn<Approval>({
  name: "the approval",
  hint: APPROVE_AGAIN,
  schema: approval,
});

export const storedLapse = jsonColumn<Lapse>({
  name: "the reason for the end of the approval",
  hint: APPROVE_AGAIN,
  schema: lapse,
});

/** Why an approval was revoked: for who looks into the database. */
export const storedRevocation = jsonColumn<{ readonly kind: string }>({
  name: "the reason for the revocation of the approval",
  hint: APPROVE_AGAIN,
  schema: revocation,
});

/** The facts of one stage that are read once and for good. */
export type StageParts = Pick<StageFacts, "cost" | "modules" | "counts" | "rows">;

export const storedStageParts = jsonColumn<readonly StageParts[]>({
  name: "the facts of the execution",
  hint: READ_AGAIN,
  schema: stageParts,
});

/** What the platform says about the attributes of one row. */
export type RowAttributes = Pick<
  ResourceChange,
  "changedAttributes" | "attributeChanges" | "attributesBecause"
>;

/** By the place of the row in the platform's listing. */
export const storedAttributes = jsonColumn<Readonly<Record<string, RowAttributes>>>({
  name: "the attributes of the stage",
  hint: READ_AGAIN,
  schema: attributesByPlace,
});

/** The parts of a policy that pages show and compute with. */
export interface ShownPolicy extends Pick<Policy, "waivers" | "stages" | "organisationStages"> {
  readonly rules: readonly Pick<Rule, "id" | "limit" | "per" | "scope" | "enforce" | "mandatory">[];
}

export const storedPolicy = jsonColumn<ShownPolicy>({
  name: "the policy",
  hint: "Comment `/tollgate recheck` on a pull request of that repository: it is then stored anew.",
  schema: shownPolicy,
});

export const storedNotification = jsonColumn<Notification>({
  name: "the notification",
  hint: "Start the version of Tollgate that wrote it, or delete the row: nobody is notified of it then.",
  schema: notification,
});
