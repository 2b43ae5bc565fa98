import { expect, it } from "vitest";
import { createGitHubFailure, type FailureKind } from "../../src/github/client/result.ts";
import { classifyRefusal, type RefusalReason } from "../../src/github/comments/own-comments.ts";

it.each<[FailureKind, string, RefusalReason | null]>([
  ["forbidden", "Unable to create comment because issue is locked.", "locked"],
  ["forbidden", "User is blocked", "blocked"],
  ["forbidden", "Interactions on this repository have been restricted", "restricted"],
  ["forbidden", "Commenting is disabled on issues with more than 2500 comments", "disabled"],
  ["forbidden", "Repository was archived so is read-only.", "disabled"],
  ["gone", "Issues are disabled for this repo", "disabled"],
  ["gone", "Repository access blocked", "disabled"],
  ["rejected", "Comment was submitted too quickly", "limited"],
  ["rejected", "body is too long (maximum is 65536 characters)", "too_long"],
  ["forbidden", "Resource not accessible by integration", "refused"],
  ["not_found", "Not Found", "refused"],
  ["rejected", "Validation Failed", "refused"],
  ["unavailable", "its conversation is locked", null],
])("a comment to which GitHub answers %s, %j, is refused as %s", (kind, message, reason) => {
  expect(classifyRefusal(createGitHubFailure(kind, message))).toBe(reason);
});
