import { mayHaveHappened } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { type CommentWriteFailure, create, digestOf, outcomeOf, plainBody } from "./comment-requests.ts";
import type { CommentWrite, KnownComment } from "./comment-write.ts";
import { type OwnComment, ownComments } from "./own-comments.ts";

export interface FurtherWrite extends Omit<CommentWrite, "known" | "body" | "bodyIfDeleted" | "others"> {
  readonly body: string;
  /** Ids of all our own comments that are stored, whatever they are for. */
  readonly stored: readonly number[];
}

export type FurtherOutcome =
  /** `left`: ids of own comments that are not stored and have another body: of an interrupted job. */
  | { readonly state: "written"; readonly known: KnownComment; readonly left: readonly number[] }
  | CommentWriteFailure;

/**
 * Creates a further comment. Own comments that are not stored are searched first: one with this very body is the one that was to
 * be written, so that neither a lost answer nor an interrupted job doubles it.
 */
export async function publishFurther(
  client: InstallationClient,
  write: FurtherWrite,
): Promise<FurtherOutcome> {
  const found = await ownComments(client, { ...write, others: write.stored });
  if (!found.ok) return outcomeOf(found);
  const before = adopted(found.value, write.body);
  if (before !== null) return before;
  const left = found.value.map(({ id }) => id);
  const created = await create(client, write);
  if (created.ok === true) return written(created.value.id, { body: write.body, left });
  if (created.ok === "superseded" || !mayHaveHappened(created.failure)) return outcomeOf(created);
  const lost = await ownComments(client, { ...write, others: [...write.stored, ...left] });
  if (!lost.ok) return outcomeOf(lost);
  const newest = lost.value.at(-1);
  if (newest !== undefined) return written(newest.id, { body: write.body, left });
  const again = await create(client, write);
  return again.ok === true ? written(again.value.id, { body: write.body, left }) : outcomeOf(again);
}

function adopted(own: readonly OwnComment[], body: string): FurtherOutcome | null {
  const same = own.findLast((comment) => plainBody(comment.body) === plainBody(body));
  if (same === undefined) return null;
  return written(same.id, { body, left: own.flatMap(({ id }) => (id === same.id ? [] : [id])) });
}

const written = (
  commentId: number,
  { body, left }: { readonly body: string; readonly left: readonly number[] },
): FurtherOutcome => ({ state: "written", known: { commentId, digest: digestOf(body) }, left });
