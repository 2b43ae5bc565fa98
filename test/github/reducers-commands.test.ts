import { expect, it } from "vitest";
import { REDUCERS } from "../../src/github/webhooks/reducers.ts";

const SHA = "a".repeat(40);
const payload = (members: object): object => ({
  repository: { id: 77, name: "shop", owner: { login: "acme" } },
  installation: { id: 5 },
  ...members,
});
const comment = (members: object): object =>
  payload({
    action: "created",
    issue: { number: 12, pull_request: {} },
    sender: { id: 3, type: "User" },
    ...members,
  });
const review = (members: object): object =>
  payload({
    action: "submitted",
    pull_request: { number: 12 },
    review: {
      id: 9,
      node_id: "PRR_9",
      state: "approved",
      user: { id: 3, type: "User" },
      commit_id: SHA,
      ...members,
    },
  });

it.each<[string, string, object, string]>([
  [
    "a comment like any other",
    "issue_comment",
    comment({ comment: { id: 8, node_id: "IC_8", body: "fine", user: { id: 3, type: "User" } } }),
    "ignored unchanged",
  ],
  [
    "a command by a bot",
    "issue_comment",
    comment({ comment: { id: 8, node_id: "IC_8", body: "/tollgate help", user: { id: 3, type: "Bot" } } }),
    "ignored foreign",
  ],
  [
    "a command through another App",
    "issue_comment",
    comment({
      comment: {
        id: 8,
        node_id: "IC_8",
        body: "/tollgate help",
        user: { id: 3, type: "User" },
        performed_via_github_app: { id: 1 },
      },
    }),
    "ignored foreign",
  ],
  [
    "an edit by the bot that wrote the comment, where GitHub names no App",
    "issue_comment",
    comment({
      action: "edited",
      sender: { id: 900, type: "Bot" },
      comment: { id: 8, node_id: "IC_8", body: "ours", user: { id: 900, type: "Bot" } },
    }),
    "ignored own",
  ],
  [
    "an edit by a person of a comment that a bot wrote",
    "issue_comment",
    comment({
      action: "edited",
      comment: { id: 8, node_id: "IC_8", body: "forged", user: { id: 900, type: "Bot" } },
    }),
    "wake comment",
  ],
  ["an approving review", "pull_request_review", review({}), "wake review"],
  [
    "a review that asks for changes",
    "pull_request_review",
    review({ state: "changes_requested" }),
    "wake review",
  ],
  ["a review that only comments", "pull_request_review", review({ state: "commented" }), "ignored unchanged"],
  ["a bot's review", "pull_request_review", review({ user: { id: 4, type: "Bot" } }), "ignored unchanged"],
])("%s", (...[, event, body, expected]) => {
  const around = { ownAppId: 99, platformHosts: [], platformAppIds: [] };
  const reduced = REDUCERS.get(event)?.(body, around);
  const word = reduced?.state === "enqueue" ? `wake ${reduced.event.kind}` : `ignored ${reduced?.reason}`;
  expect(word).toBe(expected);
});
