import { findEvaluation } from "../../store/evaluations.ts";
import { enterLane, holds } from "../../store/lanes.ts";
import { findRepository } from "../../store/repositories.ts";
import { sendReplies } from "../approvals/send-replies.ts";
import type { JobDeps } from "../deps.ts";
import { parseLaneKey } from "../lane-key.ts";
import { publishReport } from "../publish/comment.ts";
import { settle } from "../publish/settle.ts";
import type { Attempt } from "../queue/workers.ts";
import { restoreComments } from "./restore-comments.ts";

/** Makes a pull request's comment say what its newest evaluation says. Throws to be tried again. */
export async function runComment(deps: JobDeps, lane: string, attempt: Attempt): Promise<void> {
  try {
    await speak(deps, lane, attempt);
  } catch (error) {
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "a comment run failed");
    throw error;
  }
}

async function speak(deps: JobDeps, lane: string, attempt: Attempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject?.kind !== "pull") return;
  const fence = await enterLane(deps.db, `comment:${lane}`, new Date(deps.clock.now()));
  const [kept, repository] = await Promise.all([
    findEvaluation(deps.db, subject),
    findRepository(deps.db, subject.repositoryId),
  ]);
  if (kept === null || repository === undefined) return;
  const client = deps.github(repository.installation_id);
  const isNewest = async () => !attempt.signal.aborted && (await holds(deps.db, fence));
  await sendReplies(deps, { client, stillCurrent: isNewest }, subject);
  const target = {
    client,
    // A newer evaluation has asked for a comment of its own, and of two runs only the later one writes.
    stillCurrent: async () =>
      (await isNewest()) && (await findEvaluation(deps.db, subject))?.digest === kept.digest,
  };
  await restoreComments(deps, { client, stillCurrent: isNewest }, subject);
  settle(deps, await publishReport(deps, target, kept.evaluation));
}
