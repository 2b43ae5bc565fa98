import type { Evaluation } from "../../policy/model/evaluation.ts";
import { enqueueLane } from "../../queue/enqueue.ts";
import { hasChanges, saveApprovalChanges } from "../../store/approvals/approvals.ts";
import { forgetCheckDigests } from "../../store/check-runs.ts";
import { forgetAttempts } from "../../store/pulls.ts";
import { checkCommentsNow } from "../publish/check-comments-now.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { CommandOutcome } from "./outcome.ts";

/** Saves the changes to approvals, with the texts of the answers, before anything is published. False: a later evaluation has started. */
export async function saveCommandOutcome(
  run: PullRun,
  evaluation: Evaluation,
  outcome: CommandOutcome,
): Promise<boolean> {
  const { deps, key, fence } = run;
  const replies = outcome.replies.map(({ commandSource, reaction, answer }) => ({
    commandSource,
    reaction,
    answer: answer === null ? null : deps.renderer.answer(answer, evaluation),
  }));
  const changes = { ...outcome, replies, pull: key };
  if (hasChanges(changes)) {
    const now = new Date(deps.clock.now());
    if (!(await saveApprovalChanges(deps.db, changes, { fence, now }))) return false;
  }
  if (outcome.recheck) await resetReads(run, evaluation);
  if (outcome.recheck || outcome.hasMore) await enqueueLane(deps, { kind: "pull", ...key });
  return true;
}

/**
 * Requests a re-check, like the Re-check button: the check is written again, and unknown facts are read
 * again.
 */
async function resetReads({ deps, key }: PullRun, { pull }: Evaluation): Promise<void> {
  await forgetCheckDigests(deps.db, key.repositoryId, pull.headSha);
  await forgetAttempts(deps.db, key.repositoryId, pull.headSha);
  await checkCommentsNow(deps, key);
}
