import { toStorableText } from "../../kernel/storable.ts";
import type { RawPersonText, RawPull, RawWho } from "./people-query.ts";

/** A comment or a review as GitHub shows it now. */
export interface PersonText {
  readonly nodeId: string;
  readonly kind: "comment" | "review";
  /** Null: the account is gone, or it is no person's. */
  readonly author: { readonly id: number; readonly login: string } | null;
  /** Without characters that no database stores: NUL and unpaired surrogates. */
  readonly body: string;
  /** When it was written, ms since 1970; null: GitHub does not say. */
  readonly createdMs: number | null;
  /** Whether its text was ever changed. */
  readonly isEdited: boolean;
  readonly isMinimised: boolean;
  /** A review that approves, and has not been dismissed. */
  readonly isApproving: boolean;
  /** Its author has asked for changes since: on GitHub a person's newest opinion counts. */
  readonly isOverruled: boolean;
  /** The commit that a review is for. */
  readonly commitSha: string | null;
}

/** A comment in the conversation. */
export interface PersonComment extends PersonText {
  readonly id: number;
}

/** Null: it belongs to another pull request by now. */
export function toPersonText(
  raw: RawPersonText,
  { repositoryId, number, pull }: { repositoryId: number; number: number; pull: RawPull },
): PersonText | null {
  const { repository } = raw;
  const place = raw.commentedOn ?? raw.reviewOf;
  if (repository.databaseId !== repositoryId || place?.number !== number) return null;
  const author = toPerson(raw.author);
  const createdMs = parseMs(raw.createdAt ?? raw.submittedAt ?? null);
  return {
    nodeId: raw.id,
    kind: raw.__typename === "PullRequestReview" ? "review" : "comment",
    author,
    body: toStorableText(raw.body),
    createdMs,
    isEdited: raw.lastEditedAt !== null,
    isMinimised: raw.isMinimized,
    isApproving: raw.state === "APPROVED",
    isOverruled: author !== null && hasRequestedChanges(pull, { id: author.id, sinceMs: createdMs }),
    commitSha: raw.commit?.oid ?? null,
  };
}

/** The newest comments, oldest first. */
export const toPersonComment = ({ comments }: RawPull): readonly PersonComment[] =>
  comments.nodes.flatMap((raw) => {
    if (raw === null || raw.databaseId === null) return [];
    return {
      id: raw.databaseId,
      nodeId: raw.id,
      kind: "comment" as const,
      author: toPerson(raw.author),
      body: toStorableText(raw.body),
      createdMs: parseMs(raw.createdAt),
      isEdited: raw.lastEditedAt !== null,
      isMinimised: raw.isMinimized,
      isApproving: false,
      isOverruled: false,
      commitSha: null,
    };
  });

function hasRequestedChanges(
  { reviews }: RawPull,
  { id, sinceMs }: { readonly id: number; readonly sinceMs: number | null },
): boolean {
  return (reviews?.nodes ?? []).some((review) => {
    const changesRequestedMs = parseMs(review?.submittedAt ?? null);
    return (
      toPerson(review?.author ?? null)?.id === id &&
      (sinceMs === null || changesRequestedMs === null || changesRequestedMs >= sinceMs)
    );
  });
}

const toPerson = (who: RawWho): PersonText["author"] =>
  who?.__typename === "User" && typeof who.databaseId === "number"
    ? { id: who.databaseId, login: who.login }
    : null;

function parseMs(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
