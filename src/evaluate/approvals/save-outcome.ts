import type { Evaluation } from "../../policy/model/evaluation.ts";
import { enqueueLane } from "../../queue/enqueue.ts";
import { hasChanges, saveApprovalChanges } from "../../store/approvals/approvals.ts";
import { forgetDigests } from "../../store/check-runs.ts";
import { forgetAttempts } from "../../store/read-attempts.ts";
import { checkCommentsNow } from "../publish/check-comments-now.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { CommandOutcome } from "./outcome.ts";

/** Stores what a run decided about signatures, with the words of its answers, before anything is shown. False: a later run took over. */
export async function saveCommandOutcome(
  run: PullRun,
  evaluation: Evaluation,
  outcome: CommandOutcome,
): Promise<boolean> {
  const { deps, key, fence } = run;
  const handled = outcome.handled.map(({ asked, reaction, answer }) => ({
    asked,
    reaction,
    answer: answer === null ? null : deps.renderer.answer(answer, evaluation),
  }));
  const changes = { ...outcome, handled, pull: key };
  if (hasChanges(changes)) {
    const now = new Date(deps.clock.now());
    if (!(await saveApprovalChanges(deps.db, changes, { fence, now }))) return false;
  }
  if (outcome.recheck) await readAnew(run, evaluation);
  if (outcome.recheck || outcome.more) await enqueueLane(deps, { kind: "pull", ...key });
  return true;
}

/** As the button does: what GitHub shows is written anew, and what could not be read is tried anew. */
async function readAnew({ deps, key }: PullRun, { pull }: Evaluation): Promise<void> {
  await forgetDigests(deps.db, key.repositoryId, pull.headSha);
  await forgetAttempts(deps.db, key.repositoryId, pull.headSha);
  await checkCommentsNow(deps, key);
}
