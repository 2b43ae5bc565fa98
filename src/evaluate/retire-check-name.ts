import type { CheckPolicy } from "./load-policy.ts";
import { retireCheck } from "./publish/check.ts";
import { buildCheckTarget } from "./publish/check-target.ts";
import { handlePublishOutcome } from "./publish/handle-outcome.ts";
import type { CurrentHead } from "./run/pull-run.ts";

/** Fails the check that this head has under an old name, if the policy renamed the check. */
export async function retireCheckName(
  { run, head, before }: CurrentHead,
  { checkName }: CheckPolicy,
): Promise<void> {
  if (before === null || before.evaluation.checkName === checkName) return;
  const { headSha, baseRef } = before.evaluation.pull;
  if (headSha !== head.pull.headSha || baseRef !== head.pull.baseRef) return;
  const { deps, attempt } = run;
  const target = buildCheckTarget(run, head, before.evaluation.checkName);
  const retired = await retireCheck(deps, target, before.evaluation.pull);
  // Saving the decision replaces the old name. Before that, the retirement is retried as often as the queue
  // allows.
  const tried = attempt.lastAttempt ? attempt : { attempt: 1 };
  handlePublishOutcome({ log: deps.log, attempt: tried }, retired);
}
