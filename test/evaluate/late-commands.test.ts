import { describe, expect, it } from "vitest";
import { findLateRefusal } from "../../src/evaluate/commands.ts";
import type { PersonComment } from "../../src/github/people/person-text.ts";
import { HOUR_MS } from "../../src/kernel/clock.ts";

const comment = (id: number, body: string, authorId = 3): PersonComment => ({
  id,
  nodeId: `node-${id}`,
  kind: "comment",
  author: { id: authorId, login: `user${authorId}` },
  body,
  createdMs: id * 1_000,
  isEdited: false,
  isMinimised: false,
  isApproving: false,
  isOverruled: false,
  commitSha: null,
});
const REVOKES = "/tollgate revoke";
const command = (source: "comment" | "review") => ({
  commandSource: { source, sourceId: source === "comment" ? 10 : 999 },
  text: comment(10, "/tollgate approve …"),
  person: { id: 3, login: "user3" },
});

describe("an approval or override that is read", () => {
  it.each<[string, "comment" | "review", number, readonly PersonComment[], "late" | "taken_back" | null]>([
    ["more than an hour after it was written is late", "comment", 10_000 + HOUR_MS + 1, [], "late"],
    ["within the hour is not late", "comment", 10_000 + HOUR_MS, [], null],
    [
      "after its author's revocation was written is taken back",
      "comment",
      11_000,
      [comment(11, REVOKES)],
      "taken_back",
    ],
    ["after another person's revocation stands", "comment", 11_000, [comment(11, REVOKES, 4)], null],
    ["after a revocation that is older than it stands", "comment", 11_000, [comment(9, REVOKES)], null],
    [
      "as a review is ordered by time: a revocation in the same second takes it back",
      "review",
      11_000,
      [comment(10, REVOKES)],
      "taken_back",
    ],
    ["as a review stands after an older revocation", "review", 11_000, [comment(9, REVOKES)], null],
  ])("%s", (_, source, ...[nowMs, comments, why]) => {
    expect(findLateRefusal(command(source), comments, nowMs)).toBe(why);
  });
});
