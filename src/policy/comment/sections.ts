/** Sections of the comment that a policy may order or leave out. What the verdict rests on is always shown. */
export const COMMENT_SECTIONS = [
  "costs",
  "findings",
  "modules",
  "resources",
  "changes",
  "unpriced",
  "savings",
  "context",
] as const;
export type CommentSection = (typeof COMMENT_SECTIONS)[number];
