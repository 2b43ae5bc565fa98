import type { GitHubFailure } from "../client/result.ts";
import { isRefusal } from "../client/result.ts";

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

/**
 * Why GitHub refuses a comment. `locked`: the conversation. `blocked`: the App, by the owner. `restricted`: moderation limits who
 * may comment. `disabled`: nobody may, as in an archived repository or after 2,500 comments. `limited`: too many comments, or taken
 * for spam. `refused`: no reason that is known.
 */
export type RefusalReason =
  | "locked"
  | "blocked"
  | "restricted"
  | "disabled"
  | "limited"
  | "too_long"
  | "refused";

/** GitHub has no codes for these; its words are matched here and nowhere else. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/too long|maximum is \d+/i, "too_long"],
  [/\blocked\b/i, "locked"],
  [/disabled|archived|read-only/i, "disabled"],
  [/blocked/i, "blocked"],
  [/interaction|restricted|collaborators|contributors/i, "restricted"],
  [/too quickly|too many|spam|abus|limit/i, "limited"],
];

/** Null: GitHub did not refuse it, but failed, or was not reached. */
export function classifyRefusal(failure: GitHubFailure): RefusalReason | null {
  const { kind, message } = failure;
  if (!isRefusal(failure)) return null;
  if (kind === "gone") return "disabled";
  if (kind !== "forbidden" && kind !== "rejected") return "refused";
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "refused";
}
