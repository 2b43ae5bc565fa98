import { storableText } from "../../kernel/storable.ts";
import type { RawPull, RawWho, RawWritten } from "./people-query.ts";

/** A comment or a review as GitHub shows it now. */
export interface Written {
  readonly nodeId: string;
  readonly kind: "comment" | "review";
  /** Null: the account is gone, or it is no person's. */
  readonly author: { readonly id: number; readonly login: string } | null;
  /** Without what no database keeps: NUL and halves of characters. */
  readonly body: string;
  /** When it was written, ms since 1970; null: GitHub does not say. */
  readonly createdMs: number | null;
  /** Whether its text was ever changed. */
  readonly edited: boolean;
  readonly minimised: boolean;
  /** A review that approves, and has not been dismissed. */
  readonly approves: boolean;
  /** Its author has asked for changes since: on GitHub a person's newest opinion counts. */
  readonly overruled: boolean;
  /** The commit that a review is for. */
  readonly commitSha: string | null;
}

/** A comment in the conversation. */
export interface Said extends Written {
  readonly id: number;
}

/** Null: it belongs to another pull request by now. */
export function toWritten(
  raw: RawWritten,
  { repositoryId, number, pull }: { repositoryId: number; number: number; pull: RawPull },
): Written | null {
  const { repository } = raw;
  const place = raw.commentedOn ?? raw.reviewOf;
  if (repository.databaseId !== repositoryId || place?.number !== number) return null;
  const author = personOf(raw.author);
  const createdMs = msOf(raw.createdAt ?? raw.submittedAt ?? null);
  return {
    nodeId: raw.id,
    kind: raw.__typename === "PullRequestReview" ? "review" : "comment",
    author,
    body: storableText(raw.body),
    createdMs,
    edited: raw.lastEditedAt !== null,
    minimised: raw.isMinimized,
    approves: raw.state === "APPROVED",
    overruled: author !== null && hasAskedForChanges(pull, { id: author.id, sinceMs: createdMs }),
    commitSha: raw.commit?.oid ?? null,
  };
}

/** The newest comments, oldest first. */
export const toSaid = ({ comments }: RawPull): readonly Said[] =>
  comments.nodes.flatMap((raw) => {
    if (raw === null || raw.databaseId === null) return [];
    return {
      id: raw.databaseId,
      nodeId: raw.id,
      kind: "comment" as const,
      author: personOf(raw.author),
      body: storableText(raw.body),
      createdMs: msOf(raw.createdAt),
      edited: raw.lastEditedAt !== null,
      minimised: raw.isMinimized,
      approves: false,
      overruled: false,
      commitSha: null,
    };
  });

function hasAskedForChanges(
  { reviews }: RawPull,
  { id, sinceMs }: { readonly id: number; readonly sinceMs: number | null },
): boolean {
  return (reviews?.nodes ?? []).some((review) => {
    const askedMs = msOf(review?.submittedAt ?? null);
    return (
      personOf(review?.author ?? null)?.id === id &&
      (sinceMs === null || askedMs === null || askedMs >= sinceMs)
    );
  });
}

const personOf = (who: RawWho): Written["author"] =>
  who?.__typename === "User" && typeof who.databaseId === "number"
    ? { id: who.databaseId, login: who.login }
    : null;

function msOf(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
