import type { Reaction } from "../github/comments/own-comments.ts";
import { toIsoDay } from "../kernel/instant.ts";
import type { Objections } from "../policy/approvals/apply-objections.ts";
import type { ApprovalSubmission } from "../policy/approvals/give-approval.ts";
import type { RuleFindings } from "../policy/approvals/lapse.ts";
import { listOpenFindings } from "../policy/decide/situation.ts";
import type {
  Approval,
  ApprovalRefusal,
  Override,
  OverrideEnd,
  OverrideRefusal,
} from "../policy/model/approval.ts";
import { joinPolicyBlobs } from "../policy/model/loaded-policy.ts";
import type { CommandAnswer } from "../render/render-answer.ts";
import type { ApprovalEnd, EndedApproval, StoredApproval } from "../store/approvals/approvals.ts";
import type { CommandSource } from "../store/approvals/commands.ts";
import type { EndedOverride, StoredOverride } from "../store/approvals/overrides.ts";
import type { ApprovalRecord, OverrideRecord } from "../store/audit/decision-record.ts";
import type { ConsentBasis, ConsentState } from "./consent-basis.ts";
import { type CurrentHead, canShowFigures } from "./run/deps.ts";

/** One decision on the approvals, overrides and commands of a pull request. */
export interface ConsentContext {
  readonly current: CurrentHead;
  readonly basis: ConsentBasis;
  /** What approvals are compared with; null while there is no verdict. */
  readonly findings: RuleFindings | null;
  readonly state: ConsentState;
  /** Of those who may approve, against the rules as they are now. */
  readonly objections: Objections;
  /** With what was given and ended so far. */
  readonly ledger: ConsentLedger;
}

/** The reply to a command: a reaction, and a comment where that is not enough. */
export interface Reply {
  readonly reaction: Reaction | null;
  readonly answer: CommandAnswer | null;
}

type ApprovalFields = Pick<ApprovalSubmission, "id" | "approver" | "rules" | "upTo" | "untilMs" | "reason">;
type OverrideFields = Pick<Override, "id" | "person" | "reason">;

/**
 * The approvals and overrides in force, and what one evaluation changes about them, with a record of each change for the decision chain.
 * Nothing is saved yet.
 */
export class ConsentLedger {
  /** In force, oldest first. */
  approvalsInForce: readonly Approval[];
  overridesInForce: readonly Override[];
  readonly newApprovals: StoredApproval[] = [];
  readonly approvalEndings: EndedApproval[] = [];
  readonly newOverrides: StoredOverride[] = [];
  readonly overrideEndings: EndedOverride[] = [];
  readonly records: (ApprovalRecord | OverrideRecord)[] = [];
  readonly replies: (Reply & { readonly commandSource: CommandSource })[] = [];
  /** Whether somebody requested a re-check. */
  recheck = false;
  readonly #current: CurrentHead;
  readonly #basis: ConsentBasis;

  constructor(
    current: CurrentHead,
    basis: ConsentBasis,
    { approvals, overrides }: Pick<ConsentState, "approvals" | "overrides">,
  ) {
    this.approvalsInForce = approvals.map(({ approval }) => approval);
    this.overridesInForce = overrides.map(({ override }) => override);
    this.#current = current;
    this.#basis = basis;
  }

  addApproval(stored: StoredApproval): void {
    const { approval } = stored;
    this.approvalsInForce = [...this.approvalsInForce, approval];
    this.newApprovals.push(stored);
    this.#recordApproval(withRules(approval), "approved", null);
  }

  refuseApproval(request: ApprovalFields, why: ApprovalRefusal): void {
    this.#recordApproval(request, "refused", why);
  }

  endApproval(approval: Approval, end: ApprovalEnd): void {
    this.approvalsInForce = this.approvalsInForce.filter(({ id }) => id !== approval.id);
    this.approvalEndings.push({ id: approval.id, ...end });
    this.#recordApproval(withRules(approval), end.how, end.why);
  }

  addOverride(stored: StoredOverride): void {
    this.overridesInForce = [...this.overridesInForce, stored.override];
    this.newOverrides.push(stored);
    this.#recordOverride(stored.override, "given", null);
  }

  refuseOverride(request: OverrideFields, why: OverrideRefusal): void {
    this.#recordOverride(request, "refused", why);
  }

  endOverride(override: Override, why: OverrideEnd): void {
    this.overridesInForce = this.overridesInForce.filter(({ id }) => id !== override.id);
    this.overrideEndings.push({ id: override.id, why });
    this.#recordOverride(override, "ended", why);
  }

  #recordApproval(
    { id, approver, rules, upTo, untilMs, reason }: ApprovalFields,
    turn: ApprovalRecord["turn"],
    why: ApprovalRecord["why"],
  ): void {
    const end = untilMs === null ? {} : { until: toIsoDay(untilMs - 1) };
    const about = { approver, rules, upTo, ...end, reason, why };
    this.records.push({ kind: "approval", turn, approval: id, ...this.#getPlace(), ...about });
  }

  /** With what held the check back at that time. */
  #recordOverride(
    { id, person, reason }: OverrideFields,
    turn: OverrideRecord["turn"],
    why: OverrideRecord["why"],
  ): void {
    const { deps, head } = this.#current;
    const { policy, situation } = this.#basis;
    this.records.push({
      kind: "override",
      turn,
      override: id,
      ...this.#getPlace(),
      policyBlobs: joinPolicyBlobs(policy),
      person,
      reason,
      situation: situation.kind,
      open: listOpenFindings(situation, canShowFigures(deps.operator, head.repository)),
      why,
    });
  }

  #getPlace() {
    const { repository, pull } = this.#current.head;
    const { number, headSha, baseRef } = pull;
    return { repositoryId: repository.id, number, headSha, baseRef };
  }
}

const withRules = (approval: Approval): ApprovalFields => ({
  ...approval,
  rules: approval.covered.map(({ rule }) => rule),
  untilMs: approval.untilMs ?? null,
});
