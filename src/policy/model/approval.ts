import { z } from "zod";
import { count, money, texts, type ValueOf } from "../../kernel/schemas.ts";
import { MeasuredValue } from "./finding.ts";

const rule = z.string();

/** Why an approval was refused. Data only: templates word it. */
const ApprovalRefusal = z.discriminatedUnion("kind", [
  /** The named commit is not the current head. */
  z.object({ kind: z.literal("other_head"), named: z.string(), headSha: z.string() }),
  /** The head had no verdict when the request was written, so its author had seen none. */
  z.object({ kind: z.literal("evaluated_later"), headSha: z.string() }),
  /** There is no verdict to approve: executions are awaited, there is no policy, or it cannot be read. */
  z.object({ kind: z.literal("not_evaluated") }),
  z.object({ kind: z.literal("undecided"), rule }),
  z.object({ kind: z.literal("nothing_to_approve") }),
  z.object({ kind: z.literal("unknown_rule"), rule }),
  z.object({ kind: z.literal("not_violated"), rule }),
  /** Nobody may approve it, or not in this way. */
  z.object({ kind: z.literal("not_approvable"), rule }),
  z.object({ kind: z.literal("not_an_approver"), rule }),
  /** The same, and the owner has no such team, so nobody is in it. */
  z.object({ kind: z.literal("team_missing"), rule, team: z.string() }),
  /** GitHub did not answer whether the approver is in one of its teams. */
  z.object({ kind: z.literal("groups_unknown"), rule }),
  z.object({ kind: z.literal("approver_contributed") }),
  z.object({ kind: z.literal("contributors_unknown") }),
  /** Less than write access to the repository, or GitHub did not say. */
  z.object({ kind: z.literal("no_permission") }),
  /** The rule accepts only approvals that end. */
  z.object({ kind: z.literal("until_missing"), rule }),
  /** The day on which it was to end is over. */
  z.object({ kind: z.literal("until_past") }),
  z.object({ kind: z.literal("amount_missing"), rule, found: money }),
  z.object({ kind: z.literal("amount_currency"), rule, found: money }),
  z.object({ kind: z.literal("amount_too_low"), rule, found: money }),
  /** More subjects are violated than are listed, so the approval would cover unlisted subjects. */
  z.object({ kind: z.literal("too_many"), rule }),
  /** The comment was edited before it was read. */
  z.object({ kind: z.literal("edited") }),
  /** It was written too long before it was read. */
  z.object({ kind: z.literal("late") }),
  /** Its author revoked their approvals after writing it. */
  z.object({ kind: z.literal("taken_back") }),
]);
export type ApprovalRefusal = ValueOf<typeof ApprovalRefusal>;

export const Approver = z.object({
  /** GitHub's numeric id. */
  id: z.int(),
  /** A label. */
  login: z.string(),
});
export type Approver = ValueOf<typeof Approver>;

const CoveredFinding = z.object({
  subject: z.string().nullable(),
  measured: MeasuredValue.nullable(),
  items: texts,
});

/** One rule as it was violated when the approval was given. */
const CoveredRule = z.object({
  rule,
  /** The rule at that time, as one text: a changed rule is not covered. */
  ruleText: z.string(),
  /** The rule's groups to which the approver belongs, by index. */
  groups: z.array(count),
  findings: z.array(CoveredFinding),
});
export type CoveredRule = ValueOf<typeof CoveredRule>;

/** A stage that the pull request touches: currency null while nothing is known about its cost. */
const ApprovedStage = z.object({ stage: z.string(), currency: z.string().nullable() });
export type ApprovedStage = ValueOf<typeof ApprovedStage>;

/** A person's approval of the violations of a pull request: given once, checked against every later change. */
export const Approval = z.object({
  /** `comment:<id>` or `review:<id>`: its source on GitHub; editing or deleting the source revokes the approval. */
  id: z.string(),
  approver: Approver,
  /** The head that the approver named, or the head of the review. */
  headSha: z.string(),
  baseRef: z.string(),
  /** Milliseconds since 1970. */
  givenMs: z.number(),
  /** Not escaped. */
  reason: z.string(),
  /** Largest approved amount, as each covered rule measures it; null: no covered rule is about money. */
  upTo: money.nullable(),
  /** First moment after its last day in UTC, ms since 1970: it accepts a temporary cost; absent: it has no end. */
  untilMs: z.number().exactOptional(),
  covered: z.array(CoveredRule),
  /** Every rule that blocked at that time, also those that the approver may not approve: a further one ends the approval. */
  violated: texts,
  /** The stages that the pull request touched at that time. */
  ground: z.array(ApprovedStage),
  /** Every figure of the report at that time, as one text: an approval of a condition without a count depends on it. */
  figures: z.string(),
});
export type Approval = ValueOf<typeof Approval>;

/** Why an approval is no longer in force. A lapsed approval stays lapsed; the approver can approve again. */
export const Lapse = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("retargeted"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("ground_changed") }),
  z.object({
    kind: z.enum(["rule_changed", "other_rule_violated", "fact_unknown", "over_amount", "grown"]),
    rule,
  }),
  z.object({ kind: z.literal("approver_contributed") }),
  /** The rule, or the code owners of the changed files. */
  z.object({ kind: z.literal("owners_changed"), rule }),
  /** Its last day is over. */
  z.object({ kind: z.literal("ended") }),
  /** The approver lost write access, or left a group for which they approved. */
  z.object({ kind: z.literal("approver_unauthorized") }),
  /** Its comment or review, the source of the approval, was changed by its approver or by somebody else who can. */
  z.object({ kind: z.enum(["edited", "deleted", "hidden", "dismissed"]) }),
  /** The contributors are unknown: there are more commits than GitHub lists. */
  z.object({ kind: z.literal("contributors_unknown") }),
]);
export type Lapse = ValueOf<typeof Lapse>;

/** The state of a pull request against which approvals are checked. */
export interface ApprovalGround {
  readonly baseRef: string;
  readonly ground: readonly ApprovedStage[];
  readonly figures: string;
  /**
   * GitHub ids of its author and of everyone who authored, committed or pushed one of its commits: none of them may approve.
   * Null: not all of them are known, so nobody may approve.
   */
  readonly contributors: ReadonlySet<number> | null;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The approvals that one rule still requires. */
const MissingApproval = z.object({
  rule,
  /** Incomplete groups of the rule, by index, with the number of approvals that each lacks. */
  groups: z.array(z.object({ group: count, lacks: count })),
});
export type MissingApproval = ValueOf<typeof MissingApproval>;

/** The arguments of an approve command after the commit. */
const ApprovalCommand = z.object({
  /** Empty: every rule that the approver may approve. */
  rules: texts,
  /** Null: no rule of them is about money. */
  upTo: money.nullable(),
  /** The last day has to be named. */
  until: z.literal("required").exactOptional(),
});
export type ApprovalCommand = ValueOf<typeof ApprovalCommand>;

/** The approvals that named approvers can give now. */
const ApprovalOffer = z.object({
  /** Empty: nothing can be approved. */
  commands: z.array(ApprovalCommand),
  /** The rules that still lack approvals and can be approved. */
  rules: texts,
  /** These approvals alone open the gate. */
  opensGate: z.boolean(),
  /** Why rules that name approvers cannot be approved now; null: they all can. */
  why: z.union(ApprovalRefusal.options.map(({ shape }) => shape.kind)).nullable(),
});
export type ApprovalOffer = ValueOf<typeof ApprovalOffer>;

/** The approvals of a pull request as its comment shows them. */
export const Approvals = z.object({
  live: z.array(Approval),
  lapsed: z.array(z.object({ approval: Approval, why: Lapse })),
  missing: z.array(MissingApproval),
  /** Absent: there is no verdict that could be approved. */
  offer: ApprovalOffer.exactOptional(),
});
export type Approvals = ValueOf<typeof Approvals>;

export const NO_APPROVALS: Approvals = { live: [], lapsed: [], missing: [] };

/**
 * A person's decision to merge one head although its check does not pass. It counts for exactly this head, base branch and policy,
 * and for nothing after them.
 */
export const Override = z.object({
  /** `comment:<id>`: editing or deleting the comment ends the override. */
  id: z.string(),
  person: Approver,
  /** The head that the person named, in full. */
  headSha: z.string(),
  baseRef: z.string(),
  /** The policy files in force, as `joinPolicyBlobs` joins them. */
  policyBlobs: z.string(),
  /** Milliseconds since 1970. */
  givenMs: z.number(),
  /** Not escaped. */
  reason: z.string(),
});
export type Override = ValueOf<typeof Override>;

/** Why an override was refused. Data only: templates word it. */
export type OverrideRefusal =
  /** The named commit is not the current head. */
  | { readonly kind: "other_head"; readonly named: string; readonly headSha: string }
  /** The head was first evaluated, into this base branch under this policy, after the comment was written. */
  | { readonly kind: "evaluated_later"; readonly headSha: string }
  /** The policy names others, and a team that the owner does not have. */
  | { readonly kind: "team_missing"; readonly team: string }
  | { readonly kind: OverrideRefusalKind };

type OverrideRefusalKind =
  /** The policy names nobody. */
  | "not_allowed"
  /** The policy is missing, invalid or unreadable, so nobody is named. */
  | "no_policy"
  /** GitHub merges no draft. */
  | "draft"
  /** The check passes, or another override is in force. */
  | "nothing_to_override"
  /** The policy names others. */
  | "not_named"
  /** GitHub did not answer whether the person is in a named team. */
  | "membership_unknown"
  | "contributed"
  | "contributors_unknown"
  /** Less than write access to the repository, or GitHub did not say. */
  | "no_permission"
  /** It was written too long before it was read. */
  | "late"
  /** Its author revoked their approvals and overrides after writing it. */
  | "taken_back"
  /** CI jobs evaluate without a memory, so they take no overrides. */
  | "ci_job";

/** Why an override is no longer in force. An ended override never returns; the person can override again. */
export type OverrideEnd = {
  readonly kind:
    | "pushed"
    | "retargeted"
    | "policy_changed"
    | "contributed"
    | "contributors_unknown"
    /** The person lost write access, or is no longer named. */
    | "unauthorized"
    /** The comment was deleted, edited or hidden, or its author revoked it. */
    | "deleted"
    | "edited"
    | "hidden"
    | "command";
};
