import { compileGlob } from "../kernel/glob.ts";
import type { StageFacts } from "../report/model/facts.ts";
import type { Expectation } from "./model/policy.ts";
import type { MissingExecution } from "./model/situation.ts";

/** A stage as a wait sees it. */
export type AwaitedStage = Pick<StageFacts, "workspace" | "proven" | "status" | "isUnread">;

export interface ExpectationInput {
  /** The expectations that apply to the pull request. */
  readonly expected: readonly Expectation[];
  readonly stages: readonly AwaitedStage[];
  /** Since when this head is known, and now; ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

export type ExpectationState =
  | { readonly state: "met" }
  | { readonly state: "not_expected" }
  /** `deadlineMs`: when the first of the missing is overdue, ms since 1970. */
  | { readonly state: "waiting"; readonly missing: readonly MissingExecution[]; readonly deadlineMs: number }
  | { readonly state: "deadline_passed"; readonly missing: readonly MissingExecution[] };

/** Whether every execution that the policy expects for these files has ended, failed ones included. */
export function evaluateExpectation(input: ExpectationInput): ExpectationState {
  const { expected, stages, sinceMs, nowMs } = input;
  if (expected.length === 0) return { state: "not_expected" };
  const unmet = expected
    .map((expectation) => ({
      missing: listMissing(expectation, stages),
      deadlineMs: sinceMs + expectation.withinMs,
    }))
    .filter(({ missing }) => missing.length > 0);
  if (unmet.length === 0) return { state: "met" };
  const missing = selectUniqueWorkspaces(unmet.flatMap((each) => each.missing));
  const deadlineMs = Math.min(...unmet.map((each) => each.deadlineMs));
  return nowMs < deadlineMs
    ? { state: "waiting", missing, deadlineMs }
    : { state: "deadline_passed", missing };
}

function listMissing(
  { workspaces }: Expectation,
  stages: readonly AwaitedStage[],
): readonly MissingExecution[] {
  // An unproven execution does not end the wait, and an unreadable execution has not started.
  const proven = stages.filter(
    (stage) => stage.proven && !(stage.status === "unknown" && stage.isUnread === true),
  );
  const wanted: readonly (string | null)[] = workspaces.length === 0 ? [null] : workspaces;
  return wanted.flatMap((workspace) => {
    const matches = workspace === null ? () => true : compileGlob(workspace);
    const state = deriveState(proven.filter((stage) => matches?.(stage.workspace)));
    return state === "ended" ? [] : [{ workspace, state }];
  });
}

/** A pattern that matches several workspaces waits for all of them that have started. */
function deriveState(stages: readonly AwaitedStage[]): MissingExecution["state"] | "ended" {
  if (stages.length === 0) return "missing";
  return stages.every(({ status }) => status === "succeeded" || status === "failed") ? "ended" : "pending";
}

const selectUniqueWorkspaces = (missing: readonly MissingExecution[]): readonly MissingExecution[] =>
  missing.filter(
    ({ workspace }, index) => missing.findIndex((other) => other.workspace === workspace) === index,
  );
