import type { GitHubFailure } from "../client/result.ts";
import type { RefusalReason } from "./refusal.ts";

export interface KnownComment {
  readonly commentId: number;
  readonly digest: string;
}

export interface CommentWrite {
  /** The repository's numeric id: another repository can get its name at any time. */
  readonly repositoryId: number;
  readonly number: number;
  readonly known: KnownComment | null;
  /** Markdown of at most 65,000 UTF-8 bytes; null removes the comment. */
  readonly body: string | null;
  /** Body of the comment that replaces `known` when that was deleted; absent: `body`. */
  readonly bodyIfDeleted?: string;
  /** Ids of our own comments with another purpose: never changed. */
  readonly others: readonly number[];
  readonly isCurrent: () => Promise<boolean>;
  /** Called when a request had no answer: it may take effect later, also after another one succeeded. */
  readonly noteUnanswered: () => void;
}

export type CommentOutcome =
  /** `extraIds`: further own comments that were not deleted, although one is enough. */
  | {
      readonly state: "written" | "unchanged";
      readonly known: KnownComment;
      readonly extraIds: readonly number[];
    }
  | { readonly state: "deleted" }
  | { readonly state: "superseded" }
  | { readonly state: "refused"; readonly reason: RefusalReason; readonly failure: GitHubFailure }
  | { readonly state: "failed"; readonly failure: GitHubFailure };
