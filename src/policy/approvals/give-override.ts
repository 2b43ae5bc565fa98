import type { CheckHold } from "../decide-check.ts";
import type { Approver, Override, OverrideEnd, OverrideRefusal } from "../model/approval.ts";
import { joinPolicyBlobs, type LoadedPolicy } from "../model/loaded-policy.ts";
import type { OverrideSpec } from "../model/policy.ts";
import { isEvaluatedBefore } from "./give-approval.ts";

/** An override as a person submits it. */
export interface OverrideSubmission {
  /** `comment:<id>`. */
  readonly id: string;
  readonly person: Approver;
  /** The commit that the person named. */
  readonly sha: string;
  readonly reason: string;
  /** When it was written on GitHub, in whole seconds, as milliseconds since 1970; null: GitHub does not say. */
  readonly createdMs: number | null;
  /** Milliseconds since 1970. */
  readonly givenMs: number;
}

/** The place that an override counts for, and who worked there. */
export interface OverrideGround {
  readonly headSha: string;
  readonly baseRef: string;
  readonly policy: LoadedPolicy;
  /** See `ApprovalGround.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
}

/** The pull request at the moment of the override. */
export interface OverrideMoment extends OverrideGround {
  /**
   * When this head was first evaluated, into this base branch under this policy, in milliseconds since 1970; null: never before.
   */
  readonly evaluatedMs: number | null;
  /** Of the check without this override. */
  readonly hold: CheckHold;
  /** Whether the policy names the person, read live. */
  readonly isNamed: boolean;
}

export type OverrideOutcome =
  | { readonly state: "given"; readonly override: Override }
  | { readonly state: "refused"; readonly why: OverrideRefusal };

/** Grants an override of the current head, or says why it is refused. */
export function giveOverride(request: OverrideSubmission, moment: OverrideMoment): OverrideOutcome {
  const why = findOverrideRefusal(request, moment);
  if (why !== null) return { state: "refused", why };
  const { id, person, sha, givenMs, reason } = request;
  const { baseRef, policy } = moment;
  const policyBlobs = joinPolicyBlobs(policy);
  return { state: "given", override: { id, person, headSha: sha, baseRef, policyBlobs, givenMs, reason } };
}

function findOverrideRefusal(request: OverrideSubmission, moment: OverrideMoment): OverrideRefusal | null {
  const { headSha } = moment;
  const spec = getOverrideSpec(moment.policy);
  if (moment.policy.state !== "found") return { kind: "no_policy" };
  if (spec === null) return { kind: "not_allowed" };
  if (request.sha !== headSha) return { kind: "other_head", named: request.sha, headSha };
  if (!isEvaluatedBefore(request, moment)) return { kind: "evaluated_later", headSha };
  if (!moment.isNamed) return { kind: "not_named" };
  const contribution = findContribution(spec, request.person, moment);
  if (contribution !== null) return { kind: contribution };
  if (moment.hold === "held") return null;
  return { kind: moment.hold === "draft" ? "draft" : "nothing_to_override" };
}

/** The people that the policy in force lets override; null: nobody, or the policy cannot be used. */
export const getOverrideSpec = (policy: LoadedPolicy): OverrideSpec | null =>
  policy.state === "found" ? policy.policy.override : null;

function findContribution(
  { allowAuthor }: OverrideSpec,
  person: Approver,
  { contributors }: OverrideGround,
): "contributed" | "contributors_unknown" | null {
  if (allowAuthor) return null;
  if (contributors === null) return "contributors_unknown";
  return contributors.has(person.id) ? "contributed" : null;
}

/** Why an override no longer counts for what is there now; null: it counts. Whether its person is still named is asked apart. */
export function findOverrideEnd(override: Override, ground: OverrideGround): OverrideEnd | null {
  if (override.headSha !== ground.headSha) return { kind: "pushed" };
  if (override.baseRef !== ground.baseRef) return { kind: "retargeted" };
  const spec = getOverrideSpec(ground.policy);
  if (spec === null || override.policyBlobs !== joinPolicyBlobs(ground.policy))
    return { kind: "policy_changed" };
  const contribution = findContribution(spec, override.person, ground);
  return contribution === null ? null : { kind: contribution };
}
