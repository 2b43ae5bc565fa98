/** What one of our own comments is. */
export type CommentPurpose = "report" | "answer";

export interface MarkedComment {
  readonly repositoryId: number;
  /** Number of the pull request. */
  readonly number: number;
  readonly purpose: CommentPurpose;
}

/**
 * Returns the invisible last line by which a client without a store finds its own comments again: `github-actions[bot]`
 * writes the comments of all workflows. It counts only together with the author, because anybody can write it.
 */
export const buildCommentMark = ({ repositoryId, number, purpose }: MarkedComment): string =>
  `\n\n<!-- tollgate ${purpose} of pull request ${number} of repository ${repositoryId} -->`;

/** Returns a comment's text without its mark; null: it does not end with this mark. */
export function removeCommentMark(body: string, comment: MarkedComment): string | null {
  const mark = buildCommentMark(comment).trim();
  const text = body.trimEnd();
  return text.endsWith(mark) ? text.slice(0, -mark.length).trimEnd() : null;
}
