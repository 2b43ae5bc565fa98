import type { StageFacts } from "../report/facts.ts";
import type { Policy } from "./policy.ts";
import type { Missing } from "./situation.ts";

export interface ExpectationInput {
  readonly policy: Policy | null;
  /** Paths that the pull request changes, old names of renamed files included. */
  readonly changedFiles: readonly string[];
  /** False: GitHub did not list all of them, so any pattern may match. */
  readonly filesComplete: boolean;
  readonly stages: readonly StageFacts[];
  /** Since when this head is known, and now; ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

export type ExpectationState =
  | { readonly state: "met" }
  | { readonly state: "not_expected" }
  /** `deadlineMs`: when the first of the missing is overdue, ms since 1970. */
  | { readonly state: "waiting"; readonly missing: readonly Missing[]; readonly deadlineMs: number }
  | { readonly state: "deadline_passed"; readonly missing: readonly Missing[] };

/** Whether every execution that the policy expects for these files has ended. */
export function expectationState(input: ExpectationInput): ExpectationState {
  throw new RangeError(`not built yet: ${input.nowMs}`);
}
