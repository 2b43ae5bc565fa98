import { hasNews, isReasonGone } from "../../policy/comment/news.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { KnownComment } from "../../store/comments.ts";
import { digestOf } from "./digest.ts";

/** What a reader has to know, whatever commit and run it came from: the same text means that nothing changed. */
export function contentOf({ report, situation, approvals, policyEdit }: Evaluation): string {
  const stages = report.stages.map(
    ({ org, project, workspace, currency, previous, current, change, state, counts, unpriced, usage }) => [
      [org, project, workspace],
      [currency, previous, current, change, state],
      usage === undefined ? [counts, unpriced] : [counts, unpriced, usage],
    ],
  );
  return digestOf([situation, stages, approvals, policyEdit]);
}

/** The same with the commit: another one is worth telling at once what GitHub refused to take for the one before. */
export const newsDigest = (evaluation: Evaluation): string =>
  digestOf([evaluation.pull.headSha, contentOf(evaluation)]);

/** Whether a comment of its own is due: something changed, and it is no mere waiting. */
export function isFurther(
  evaluation: Evaluation,
  { known, content }: { readonly known: KnownComment | null; readonly content: string },
): boolean {
  if (known === null) return true;
  return known.content !== content && evaluation.situation.kind !== "waiting" && hasNews(evaluation);
}

/** Whether the newest comment is the one that will say this: no further one is begun, and waiting is written to it. */
export function isSaidBy(evaluation: Evaluation, known: KnownComment): boolean {
  const { commentMode: mode = "update", situation } = evaluation;
  if (isWithdrawn(evaluation)) return false;
  if (mode === "update") return true;
  return situation.kind !== "waiting" && !isFurther(evaluation, { known, content: contentOf(evaluation) });
}

/**
 * Whether the comment that was begun goes: it has lost its reason, and the policy asks for none without one. Where every state
 * of things has a comment of its own, what was said stays.
 */
export function isWithdrawn(evaluation: Evaluation): boolean {
  const { commentMode: mode = "update", quiet, smallChange } = evaluation;
  return mode !== "new" && (quiet || smallChange !== undefined) && isReasonGone(evaluation);
}
