import type { Policy, PolicyProblem, RulePlace } from "./policy.ts";
import type { PolicySource, PolicyUnreadableReason } from "./situation.ts";

/** The policy in force on a base branch, or why there is none. */
export type LoadedPolicy =
  | { readonly state: "none" }
  | {
      readonly state: "found";
      readonly policy: Policy;
      /** As the files have it, where `policy` has the code owners of a pull request's files in their place; absent: the same. */
      readonly written?: Policy;
      readonly rulePlaces: readonly RulePlace[];
      readonly sources: readonly PolicySource[];
    }
  | {
      readonly state: "invalid";
      readonly problems: readonly PolicyProblem[];
      readonly sources: readonly PolicySource[];
    }
  | { readonly state: "unreadable"; readonly level: PolicyLevel; readonly reason: PolicyUnreadableReason };

export type PolicyLevel = "repository" | "organisation";

/** The blobs of the files in force; the same text means that the same policy was in force. */
export const joinPolicyBlobs = (policy: LoadedPolicy): string =>
  policy.state === "found" || policy.state === "invalid"
    ? policy.sources.map(({ blob }) => blob).join("+")
    : policy.state;
