import type { InstallationClient } from "../../github/client/installation-client.ts";
import { publishComment as writeComment } from "../../github/comments/publish-comment.ts";
import type { Evaluation } from "../../policy/evaluation.ts";
import { answerIds } from "../../store/approvals/replies.ts";
import { findComment, forgetComment, saveComment } from "../../store/comments.ts";
import type { JobDeps } from "../deps.ts";
import { type Published, publishedOf } from "./outcome.ts";

export interface CommentTarget {
  readonly client: InstallationClient;
  readonly stillCurrent: () => Promise<boolean>;
}

/** Keeps the one comment of a pull request saying what is true now. Without anything to say none is begun. */
export async function publishReport(
  deps: JobDeps,
  target: CommentTarget,
  evaluation: Evaluation,
): Promise<Published> {
  const known = await findComment(deps.db, evaluation.pull);
  if (known === null && !hasNews(evaluation)) return { state: "published" };
  const outcome = await writeComment(target.client, {
    repositoryId: evaluation.pull.repositoryId,
    number: evaluation.pull.number,
    known,
    body: deps.renderer.comment(evaluation, { details: null, recheckHint: true }),
    others: await answerIds(deps.db, evaluation.pull),
    stillCurrent: target.stillCurrent,
  });
  if (outcome.state === "written" || outcome.state === "unchanged") {
    const { repositoryId, number } = evaluation.pull;
    await saveComment(deps.db, { repositoryId, number, ...outcome.known }, new Date(deps.clock.now()));
  }
  if (outcome.state === "deleted") await forgetComment(deps.db, evaluation.pull);
  return publishedOf(outcome);
}

/** Whether a comment is worth beginning: there are figures, or something a person has to do. */
function hasNews({ report, situation, policyEdit, quiet }: Evaluation): boolean {
  if (policyEdit !== null) return true;
  if (report.stages.length > 0 || report.refused.length > 0)
    return !(quiet && nothingChanges(report, situation));
  return !NOTHING_TO_SAY.has(situation.kind);
}

/** Where a pull request stands when nobody has to do anything and there is nothing to show. */
const NOTHING_TO_SAY: ReadonlySet<Evaluation["situation"]["kind"]> = new Set([
  "draft",
  "waiting",
  "nothing_expected",
  "no_policy",
]);

function nothingChanges(report: Evaluation["report"], situation: Evaluation["situation"]): boolean {
  if (!("verdict" in situation) || situation.verdict?.kind !== "pass") return false;
  const { changes, changesAreComplete, totals } = report;
  if (changes === null || !changesAreComplete) return false;
  const touched =
    changes.added + changes.changed + changes.deleted + changes.imported + changes.removed + changes.drifted;
  return touched === 0 && totals.every(({ state, change }) => state === "known" && change === "0");
}
