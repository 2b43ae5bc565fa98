import { computeBodyDigest, normalizeBody } from "../../github/comments/comment-requests.ts";
import { listOwnComments } from "../../github/comments/own-comments.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import { readAnswers, recordChangedComment } from "../../store/comment-problems.ts";
import { addEarlierComments, findCheckedAt, findComment, setCheckedAt } from "../../store/comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { type PublishOutcome, toFailedOutcome } from "../publish/outcome.ts";
import type { JobDeps } from "../run/deps.ts";

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
const COMPARE_AGAIN_MS = 25 * 60_000;

/** Whether our comments are to be compared now. `requested`: a person asked for it. */
export async function readComparisonState(
  deps: JobDeps,
  pull: PullKey,
): Promise<"requested" | "due" | "not_yet"> {
  const checked = await findCheckedAt(deps.db, pull);
  if (checked === null) return "requested";
  if (checked === "never") return "not_yet";
  return deps.clock.now() - checked.getTime() >= COMPARE_AGAIN_MS ? "due" : "not_yet";
}

interface Comparison {
  readonly pull: PullKey;
  /** Whether GitHub may have created comments by requests without an answer: those that are not stored count as earlier reports. */
  readonly mayHaveUnstored: boolean;
  /** Whether there is something to report: then an unstored comment becomes the report where there is none. */
  readonly hasNews: boolean;
}

/**
 * Finds Tollgate comments that others changed without a delivery: a changed or deleted report, a changed answer. It only records
 * them; they are restored, and earlier reports deleted or minimised, later in the job.
 */
export async function compareComments(
  deps: JobDeps,
  { client, isCurrent }: CommentTarget,
  { pull, mayHaveUnstored, hasNews }: Comparison,
): Promise<PublishOutcome> {
  const listed = await listOwnComments(client, { ...pull, others: [] });
  if (!listed.ok) return toFailedOutcome(listed.failure);
  const bodies = new Map(listed.value.map(({ id, body }) => [id, body]));
  const [known, answers] = await Promise.all([findComment(deps.db, pull), readAnswers(deps.db, pull)]);
  const now = new Date(deps.clock.now());
  if (known !== null && computeBodyDigest(bodies.get(known.commentId) ?? "") !== known.digest)
    await recordChangedComment(deps.db, { ...pull, commentId: known.commentId }, now);
  if (mayHaveUnstored && (known !== null || !hasNews)) {
    // Another run may have stored one since.
    if (!(await isCurrent())) return { state: "superseded" };
    const unstored = [...bodies.keys()].filter((id) => id !== known?.commentId && !answers.has(id));
    await addEarlierComments(deps.db, pull, { commentIds: unstored, now });
  }
  for (const commentId of listChangedAnswers(answers, bodies))
    await recordChangedComment(deps.db, { ...pull, commentId }, now);
  await setCheckedAt(deps.db, pull, now);
  return { state: "published" };
}

/** Both by comment id. */
function listChangedAnswers(
  answers: ReadonlyMap<number, string>,
  bodies: ReadonlyMap<number, string>,
): readonly number[] {
  return [...answers].flatMap(([id, answer]) => {
    const body = bodies.get(id);
    const isSame = body === undefined || normalizeBody(body) === normalizeBody(keepSignsTogether(answer));
    return isSame ? [] : [id];
  });
}
