import examples from "@octokit/webhooks-examples" with { type: "json" };
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LaneEvent } from "../../src/github/webhooks/lane-event.ts";
import { casesToTry } from "../world/depth.ts";
import { collectHandlers, OWN_APP, opened, payload, SHA } from "./deliveries.ts";

const ID = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
type Reduced = LaneEvent | "ignored" | "malformed";
let reduced: Reduced | null = null;
const HANDLERS = collectHandlers({
  platformHosts: ["app.platform.example", "127.0.0.1:7001"],
  platformAppIds: [900],
  accept: async ({ event }) => {
    reduced = event;
    return "queued";
  },
  onAnswer: (_, outcome) => {
    if (outcome === "ignored" || outcome === "malformed") reduced = outcome;
  },
});
/** What is stored of a delivery. */
function reduce(event: string, body: unknown): Reduced | null {
  reduced = null;
  void HANDLERS.get(event)?.({ id: ID, name: event, payload: body }); // it does so before it waits
  return reduced;
}
/** What a delivery came to, in one word: the kind of its event or why there is none. */
const word = (event: string, body: unknown): string | undefined => {
  const result = reduce(event, body);
  return typeof result === "string" ? result : result?.kind;
};

const own = { id: OWN_APP };
const person = { id: 3, type: "User" };
const bot = { id: 4, type: "Bot" };
const run = (members: object): object => ({
  id: 31,
  name: "ci",
  head_sha: SHA,
  app: { id: 15368 },
  ...members,
});
const onPlatform = { details_url: "https://app.platform.example/x" };
const commit = (members: object): object => ({ added: [], modified: [], removed: [], ...members });
const pushed = (members: object): object =>
  payload({
    ref: "refs/heads/main",
    deleted: false,
    forced: false,
    commits: [commit({ modified: ["a.tf"] })],
    ...members,
  });
const comment = (members: object, around: object = {}): object =>
  payload({
    action: "created",
    issue: { number: 12, pull_request: {} },
    comment: { id: 8, node_id: "IC_8", body: "/tollgate help", user: person, ...members },
    sender: person,
    ...around,
  });
const review = (members: object): object =>
  payload({
    action: "submitted",
    pull_request: { number: 12 },
    review: { id: 9, node_id: "PRR_9", state: "approved", user: person, ...members },
  });
const status = (target_url: string | null, context = "p"): object =>
  payload({ sha: SHA, context, target_url });
const check = (action: string, members: object, more: object = {}): object =>
  payload({ action, check_run: run(members), ...more });
const suite = (action: string, app: object | null): object =>
  payload({ action, check_suite: { head_sha: SHA, app } });
const edited = (changes: object): object => opened({ action: "edited", changes });
const files = (members: object): object => pushed({ commits: [commit(members)] });
const button = (identifier: string): object =>
  check("requested_action", { app: own }, { requested_action: { identifier } });
const home = { id: 78, name: ".github", owner: { login: "acme", id: 9 }, default_branch: "main" };
const ofFork = { head: { sha: SHA, repo: null }, user: null, base: { ref: "main\u200b" } };
const noCommit = { head: { sha: "HEAD" }, base: { ref: "main" } };
const group = {
  head_sha: SHA,
  head_ref: "refs/heads/gh-readonly-queue/main/pr-1-x",
  base_ref: "refs/heads/main",
};
const many = Array.from({ length: 300 }, (_, i) => `f${i}`);
const manyCommits = Array.from({ length: 2048 }, () => commit({}));
const byBot = { action: "edited", sender: { id: 900, type: "Bot" } };
const withoutApp = { body: "ours", user: { id: 900, type: "Bot" } };

describe("a delivery is reduced to", () => {
  it.each<[string, string, object, string]>([
    ["a pull request is opened", "pull_request", opened(), "pull"],
    ["its title is edited", "pull_request", edited({ title: { from: "x" } }), "ignored"],
    ["its base is edited", "pull_request", edited({ base: { ref: { from: "lax" } } }), "pull"],
    ["someone is assigned", "pull_request", opened({ action: "assigned" }), "ignored"],
    ["its fork was deleted", "pull_request", opened({ pull_request: ofFork }), "pull"],
    ["a head that is no commit", "pull_request", opened({ pull_request: noCommit }), "malformed"],

    ["code is pushed", "push", pushed({}), "ignored"],
    ["the policy is pushed", "push", files({ modified: [".github/tollgate.yml"] }), "policy_push"],
    ["the policy is removed", "push", files({ removed: [".github/tollgate.yml"] }), "policy_push"],
    ["its folder becomes a link", "push", files({ added: [".github"] }), "policy_push"],
    ["the branch is forced", "push", pushed({ forced: true }), "policy_push"],
    ["no commits are shown", "push", pushed({ commits: [] }), "policy_push"],
    ["the list is cut", "push", pushed({ commits: manyCommits }), "policy_push"],
    ["a commit's files are cut", "push", files({ added: many }), "policy_push"],
    [
      "files in a folder beside the policy are pushed",
      "push",
      files({ added: [".github/tollgate/a.yml", "tollgate/next-step.hbs"] }),
      "ignored",
    ],
    ["a tag is pushed", "push", pushed({ ref: "refs/tags/v1", commits: [] }), "ignored"],
    ["a branch is deleted", "push", pushed({ deleted: true, commits: [] }), "ignored"],
    ["tollgate.yml elsewhere", "push", files({ modified: ["tollgate.yml"] }), "ignored"],
    [
      "the organisation's policy",
      "push",
      pushed({ repository: home, commits: [commit({ modified: ["tollgate.yml"] })] }),
      "policy_push",
    ],

    ["the platform's status", "status", status(onPlatform.details_url), "commit"],
    ["the platform with a port", "status", status("http://127.0.0.1:7001/x"), "commit"],
    ["another port", "status", status("http://127.0.0.1:7002/x"), "ignored"],
    ["a host that only ends alike", "status", status("https://evil-app.platform.example/"), "ignored"],
    ["a name before the host", "status", status("https://app.platform.example@evil.example/"), "ignored"],
    ["a script as address", "status", status("javascript://app.platform.example/%0aalert(1)"), "ignored"],
    ["no address", "status", status(null, "ci"), "ignored"],
    ["no address but our name", "status", status(null, "tollgate: main"), "commit"],

    ["the platform's check", "check_run", check("completed", onPlatform), "commit"],
    ["its creation", "check_run", check("created", onPlatform), "ignored"],
    ["another check", "check_run", check("completed", {}), "ignored"],
    ["our name by another App", "check_run", check("completed", { name: "tollgate: main" }), "commit"],
    ["our own check", "check_run", check("completed", { ...onPlatform, app: own }), "ignored"],
    ["our check asked again", "check_run", check("rerequested", { app: own }), "recheck"],
    ["another's asked again", "check_run", check("rerequested", {}), "ignored"],
    ["our button", "check_run", button("recheck"), "recheck"],
    ["an unknown button", "check_run", button("x"), "ignored"],

    ["our suite asked again", "check_suite", suite("rerequested", own), "recheck"],
    ["our suite finished", "check_suite", suite("completed", own), "ignored"],
    ["the platform's suite", "check_suite", suite("completed", { id: 900 }), "commit"],
    ["another's suite", "check_suite", suite("completed", null), "ignored"],

    ["a comment that may command", "issue_comment", comment({}), "comment"],
    ["a comment like any other", "issue_comment", comment({ body: "fine" }), "ignored"],
    ["a comment on an issue", "issue_comment", comment({}, { issue: { number: 1 } }), "ignored"],
    ["a command by a bot", "issue_comment", comment({ user: { id: 3, type: "Bot" } }), "ignored"],
    [
      "a command through another App",
      "issue_comment",
      comment({ performed_via_github_app: { id: 1 } }),
      "ignored",
    ],
    [
      "our own comment",
      "issue_comment",
      comment({ user: bot, performed_via_github_app: own }, { sender: bot }),
      "ignored",
    ],
    [
      "our comment, deleted by a person",
      "issue_comment",
      comment({ user: null, performed_via_github_app: own }, { action: "deleted" }),
      "comment",
    ],
    [
      "an edit by the bot that wrote the comment, where GitHub names no App",
      "issue_comment",
      comment(withoutApp, byBot),
      "ignored",
    ],
    [
      "an edit by a person of a comment that a bot wrote",
      "issue_comment",
      comment(withoutApp, { action: "edited" }),
      "comment",
    ],

    ["an approving review", "pull_request_review", review({}), "review"],
    [
      "a review that asks for changes",
      "pull_request_review",
      review({ state: "changes_requested" }),
      "review",
    ],
    ["a review that only comments", "pull_request_review", review({ state: "commented" }), "ignored"],
    ["a bot's review", "pull_request_review", review({ user: bot }), "ignored"],

    [
      "a merge group",
      "merge_group",
      payload({ action: "checks_requested", merge_group: group }),
      "merge_group",
    ],
    ["a repository is starred", "repository", payload({ action: "edited" }), "ignored"],
    ["a repository becomes public", "repository", payload({ action: "publicized" }), "repository"],
  ])("%s", (...[, event, body, expected]) => {
    expect(word(event, body)).toBe(expected);
  });

  it("the pull requests of this very repository, or none to be looked up by commit", () => {
    const pull = (number: number, id: number): object => ({ number, base: { repo: { id } } });
    const pulls = (list: object[]): unknown => {
      const result = reduce("check_run", check("completed", { ...onPlatform, pull_requests: list }));
      return typeof result === "object" && result?.kind === "commit" ? result.pulls : null;
    };
    expect(pulls([pull(3, 77), pull(4, 1234)])).toEqual([3]);
    expect(pulls(Array.from({ length: 11 }, (_, index) => pull(index + 1, 77)))).toEqual([]);
  });

  it("an installation with its repositories, or without when they are many", () => {
    const installed = (count: number): unknown => {
      const repositories = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
      const result = reduce("installation", { action: "created", installation: { id: 5 }, repositories });
      return typeof result === "object" && result?.kind === "installation" ? result.repositoryIds : undefined;
    };
    expect([installed(2), installed(21)]).toEqual([[1, 2], null]);
  });
});

describe("the execution that a status or check names", () => {
  const named = (event: string, body: object) => {
    const result = reduce(event, body);
    return typeof result === "object" && result?.kind === "commit" ? result.named : null;
  };
  const url = onPlatform.details_url;
  const posted = { sha: SHA, context: "p", target_url: url, state: "success", sender: { id: 7 } };

  it.each([
    ["of an ended status", posted, { by: "status", posterId: 7, url }],
    ["of a status by nobody", { ...posted, sender: null }, undefined],
    ["at another host", { ...posted, context: "tollgate: x", target_url: "https://ci.example/1" }, undefined],
    ["at a long address", { ...posted, target_url: `${url}${"x".repeat(1_000)}` }, undefined],
  ])("%s", (_, given, expected) => expect(named("status", payload(given))).toEqual(expected));

  it("of a completed check, by its App", () => {
    const completed = check("completed", { ...onPlatform, app: { id: 900 } });
    expect(named("check_run", completed)).toEqual({ by: "check", posterId: 900, url });
  });
});

describe("GitHub's own example deliveries", () => {
  const known = (examples as unknown as { name: string; examples: object[] }[]).filter(({ name }) =>
    HANDLERS.has(name),
  );
  const all = known.flatMap(({ name, examples: bodies }) =>
    bodies.map((body, index) => ({ name, body, title: `${name} ${index}` })),
  );
  const ofAnApp = (body: object): object => ({ installation: { id: 5 }, ...body });

  it("exist for nearly every event", () => {
    expect(known.map(({ name }) => name).sort()).toEqual([
      "check_run",
      "check_suite",
      "github_app_authorization",
      "installation",
      "installation_repositories",
      "issue_comment",
      "merge_group",
      "pull_request",
      "pull_request_review",
      "push",
      "repository",
      "status",
    ]);
  });

  it.each(all)("$title is parsed to a small event", ({ name, body }) => {
    const result = reduce(name, ofAnApp(body));
    expect(result).not.toBe("malformed");
    expect(JSON.stringify(result).length).toBeLessThan(500);
  });

  it("are parsed or refused, whatever value one member gets", () => {
    const anyBody = fc.constantFrom(...all);
    fc.assert(
      fc.property(anyBody, fc.nat(), fc.jsonValue({ maxDepth: 1 }), ({ name, body }, index, value) => {
        const members = Object.keys(body);
        const member = members[index % members.length] ?? "";
        expect(reduce(name, { ...ofAnApp(body), [member]: value })).not.toBeNull();
      }),
      { numRuns: casesToTry({ usual: 100, deep: 2000 }) },
    );
  });
});
