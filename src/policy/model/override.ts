import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { Approver } from "./approval.ts";

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
