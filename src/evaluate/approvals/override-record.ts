import { listOpenFindings } from "../../policy/decide/situation.ts";
import type { Approver, Override, OverrideEnd } from "../../policy/model/approval.ts";
import { joinPolicyBlobs } from "../../policy/model/loaded-policy.ts";
import type { OverrideRecord } from "../../store/audit/decision-record.ts";
import type { JobDeps } from "../run/deps.ts";
import type { ApprovalBasis } from "./approval-basis.ts";
import { type CommandOutcome, NO_OUTCOME } from "./outcome.ts";

interface OverrideFields {
  readonly id: string;
  readonly person: Approver;
  readonly reason: string;
}

type OperatorFigures = Pick<JobDeps["operator"], "publicFigures">;

/** Returns the record of one turn in the life of an override, with what held the check back at that time. */
export function buildOverrideRecord(
  { publicFigures }: OperatorFigures,
  { head, policy, context, situation }: ApprovalBasis,
  turn: OverrideFields & Pick<OverrideRecord, "turn" | "why">,
): OverrideRecord {
  const figures = head.repository.visibility !== "public" || publicFigures;
  return {
    kind: "override",
    turn: turn.turn,
    override: turn.id,
    repositoryId: head.repository.id,
    number: context.number,
    headSha: head.pull.headSha,
    baseRef: head.pull.baseRef,
    policyBlobs: joinPolicyBlobs(policy),
    person: turn.person,
    reason: turn.reason,
    situation: situation.kind,
    open: listOpenFindings(situation, figures),
    why: turn.why,
  };
}

/** Returns the end of an override, with its record for the decision chain. */
export function buildOverrideEnding(
  operator: OperatorFigures,
  basis: ApprovalBasis,
  { override: { id, person, reason }, why }: { readonly override: Override; readonly why: OverrideEnd },
): CommandOutcome {
  const record = buildOverrideRecord(operator, basis, { id, person, reason, turn: "ended", why });
  return { ...NO_OUTCOME, overrideEndings: [{ id, why }], records: [record] };
}
