import { toStorableText } from "../../kernel/storable.ts";
import type { RawComment, RawPersonText, RawPull, RawWho } from "./people-query.ts";

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
  readonly isEdited: boolean;
  readonly isMinimised: boolean;
  /** A review that approves, and has not been dismissed. */
  readonly isApproving: boolean;
  /** Its author has asked for changes since: on GitHub a person's newest opinion counts. */
  readonly isOverruled: boolean;
  /** The commit that a review is for. */
  readonly commitSha: string | null;
}

export interface PersonComment extends PersonText {
  readonly id: number;
}

/** Null: it belongs to another pull request by now. */
export function toPersonText(
  raw: RawPersonText,
  { repositoryId, number, pull }: { repositoryId: number; number: number; pull: RawPull },
): PersonText | null {
  const place = raw.commentedOn ?? raw.reviewOf;
  if (raw.repository.databaseId !== repositoryId || place?.number !== number) return null;
  const isReview = raw.__typename === "PullRequestReview";
  const text = toText(raw, raw.createdAt ?? raw.submittedAt ?? null);
  if (!isReview) return text;
  return {
    ...text,
    kind: "review",
    isApproving: raw.state === "APPROVED",
    isOverruled: text.author !== null && hasRequestedChanges(pull, text.author.id, text.createdMs),
    commitSha: raw.commit?.oid ?? null,
  };
}

/** The newest comments, oldest first. */
export const toPersonComments = ({ comments }: RawPull): readonly PersonComment[] =>
  comments.nodes.flatMap((raw) =>
    raw === null || raw.databaseId === null ? [] : [{ ...toText(raw, raw.createdAt), id: raw.databaseId }],
  );

const toText = (
  { id, author, body, lastEditedAt, isMinimized }: Omit<RawComment, "databaseId" | "createdAt">,
  createdAt: string | null,
): PersonText => ({
  nodeId: id,
  kind: "comment",
  author: toPerson(author),
  body: toStorableText(body),
  createdMs: parseMs(createdAt),
  isEdited: lastEditedAt !== null,
  isMinimised: isMinimized,
  isApproving: false,
  isOverruled: false,
  commitSha: null,
});

function hasRequestedChanges({ reviews }: RawPull, id: number, sinceMs: number | null): boolean {
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
