/**
 * Sections of the comment that a policy may order or leave out. The reasons for the verdict are always shown.
 */
export const COMMENT_SECTIONS = [
  "findings",
  "costs",
  "unpriced",
  "modules",
  "resources",
  "changes",
  "savings",
  "context",
] as const;
export type CommentSection = (typeof COMMENT_SECTIONS)[number];
