import { setImmediate } from "node:timers/promises";
import { buildReport } from "../report/build.ts";
import type { PullFacts } from "../report/model/context.ts";
import type { Report } from "../report/model/report.ts";
import { type ApprovalState, readApprovalState } from "./approvals/read-state.ts";
import { readFacts } from "./facts/read-facts.ts";
import type { CheckPolicy } from "./load-policy.ts";
import type { CurrentHead } from "./run/deps.ts";
import { showProgressMeanwhile } from "./show-progress.ts";

/** The input of a decision on a head. */
export interface GatheredFacts extends CheckPolicy {
  readonly facts: PullFacts;
  readonly report: Report;
  readonly approvalState: ApprovalState;
  /** All facts including those that are only shown, once they are read; null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/**
 * Reads the platform's facts and the approvals; meanwhile the check may show that the evaluation is in progress.
 *
 * @throws TollgateError `platform_busy` while our own limit of calls to the platform is reached
 */
export async function gatherFacts(current: CurrentHead, gate: CheckPolicy): Promise<GatheredFacts> {
  const { run, head } = current;
  const { policy } = gate;
  const [{ facts, shownFacts: more }, approvalState] = await showProgressMeanwhile(current, gate, () =>
    Promise.all([readFacts(run.deps, run.client, { head, policy }), readApprovalState(current)]),
  );
  await setImmediate(); // others get a turn between reading large facts and summing them
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  return { ...gate, facts, report, approvalState, shownFacts: more };
}
