import type { HeadState } from "../github/head/head-state.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { retireGate } from "./publish/check.ts";
import { targetOf } from "./publish/check-target.ts";
import { handlePublishOutcome } from "./publish/settle.ts";
import type { PullRun } from "./run/pull-run.ts";

/** A check that the policy renamed must not go on standing for this head under its old name. */
export async function retireOldName(
  run: PullRun,
  head: HeadState,
  { before, checkName }: { readonly before: StoredEvaluation | null; readonly checkName: string },
): Promise<void> {
  if (before === null || before.evaluation.checkName === checkName) return;
  const { headSha, baseRef } = before.evaluation.pull;
  if (headSha !== head.pull.headSha || baseRef !== head.pull.baseRef) return;
  const { deps, attempt } = run;
  const target = targetOf(run, head, before.evaluation.checkName);
  const retired = await retireGate(deps, target, before.evaluation.pull);
  // Once the new name is kept, nobody remembers the old one: it is tried as often as the queue allows before.
  const tried = attempt.lastAttempt ? attempt : { attempt: 1 };
  handlePublishOutcome({ log: deps.log, attempt: tried }, retired);
}
