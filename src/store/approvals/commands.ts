import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables.ts";

/** A comment or a review that may ask for something: it is read from GitHub when its turn comes. */
export interface Asked extends PullKey {
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly nodeId: string;
  readonly authorId: number;
}

/** Keeps a question once: the same comment delivered again asks nothing new. */
export async function noteAsked(db: Kysely<Tables>, asked: Asked, now: Date): Promise<void> {
  await db
    .insertInto("commands")
    .values({
      repository_id: asked.repositoryId,
      number: asked.number,
      source: asked.source,
      source_id: asked.sourceId,
      node_id: asked.nodeId,
      author_id: asked.authorId,
      created_at: now,
      state: "waiting",
      reaction: null,
      answer: null,
      reply: "none",
      answer_comment_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What waits for a pull request's next run, in the order in which GitHub made it. */
export async function waitingAsked(db: Kysely<Tables>, pull: PullKey): Promise<readonly Asked[]> {
  const rows = await db
    .selectFrom("commands")
    .select(["source", "source_id", "node_id", "author_id"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("state", "=", "waiting")
    .orderBy("created_at")
    .orderBy("source_id")
    .limit(MOST_AT_ONCE)
    .execute();
  const { repositoryId, number } = pull;
  return rows.map(({ source, source_id: sourceId, node_id: nodeId, author_id: authorId }) => ({
    repositoryId,
    number,
    source,
    sourceId,
    nodeId,
    authorId,
  }));
}

/** GitHub reads a hundred things by id at once; signatures in force are read with them. */
const MOST_AT_ONCE = 40;

/** Whether a comment or review does something by what it says, so that its edit or deletion matters. */
export async function isActing(
  db: Kysely<Tables>,
  of: { readonly repositoryId: number; readonly source: "comment" | "review"; readonly sourceId: number },
): Promise<boolean> {
  const [waiting, signed] = await Promise.all([
    db
      .selectFrom("commands")
      .select("source_id")
      .where("repository_id", "=", of.repositoryId)
      .where("source", "=", of.source)
      .where("source_id", "=", of.sourceId)
      .where("state", "=", "waiting")
      .executeTakeFirst(),
    db
      .selectFrom("approvals")
      .select("approval_id")
      .where("repository_id", "=", of.repositoryId)
      .where("approval_id", "=", `${of.source}:${of.sourceId}`)
      .where("revoked_at", "is", null)
      .where("lapsed_at", "is", null)
      .executeTakeFirst(),
  ]);
  return waiting !== undefined || signed !== undefined;
}

/** Somebody pushed to a pull request: GitHub tells who only once. */
export async function notePusher(db: Kysely<Tables>, pull: PullKey, userId: number): Promise<void> {
  await db
    .insertInto("pull_pushers")
    .values({ repository_id: pull.repositoryId, number: pull.number, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function pushersOf(db: Kysely<Tables>, pull: PullKey): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("pull_pushers")
    .select("user_id")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .execute();
  return rows.map(({ user_id: id }) => id);
}
