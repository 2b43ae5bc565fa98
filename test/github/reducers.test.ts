import examples from "@octokit/webhooks-examples" with { type: "json" };
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReduceContext, ReducedDelivery } from "../../src/github/webhooks/payload/payload.ts";
import { REDUCERS } from "../../src/github/webhooks/reducers.ts";
import { casesToTry } from "../world/depth.ts";
import { OWN_APP, opened, payload, SHA } from "./deliveries.ts";

const SURROUNDINGS: ReduceContext = {
  ownAppId: OWN_APP,
  platformHosts: ["app.platform.example", "127.0.0.1:7001"],
  platformAppIds: [900],
};
const reduce = (event: string, body: unknown): ReducedDelivery =>
  REDUCERS.get(event)?.(body, SURROUNDINGS) ?? { state: "ignored", reason: "event" };
/** What a delivery came to, in one word: the kind of wake or why it is ignored. */
const word = (event: string, body: unknown): string => {
  const reduced = reduce(event, body);
  return reduced.state === "enqueue" ? `wake ${reduced.event.kind}` : `ignored ${reduced.reason}`;
};

const own = { id: OWN_APP };
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
const comment = (members: object): object =>
  payload({
    action: "created",
    issue: { number: 12, pull_request: {} },
    comment: { id: 8, node_id: "IC_8", body: "/tollgate help", user: { id: 3, type: "User" } },
    sender: { id: 3, type: "User" },
    ...members,
  });
const home = { id: 78, name: ".github", owner: { login: "acme", id: 9 }, default_branch: "main" };

describe("a delivery is reduced to", () => {
  it.each<[string, string, object, string]>([
    ["a pull request is opened", "pull_request", opened(), "wake pull"],
    [
      "its title is edited",
      "pull_request",
      opened({ action: "edited", changes: { title: { from: "x" } } }),
      "ignored action",
    ],
    [
      "its base is edited",
      "pull_request",
      opened({ action: "edited", changes: { base: { ref: { from: "lax" } } } }),
      "wake pull",
    ],
    ["someone is assigned", "pull_request", opened({ action: "assigned" }), "ignored action"],
    [
      "its fork was deleted",
      "pull_request",
      opened({ pull_request: { head: { sha: SHA, repo: null }, user: null, base: { ref: "main\u200b" } } }),
      "wake pull",
    ],
    [
      "a head that is no commit",
      "pull_request",
      opened({ pull_request: { head: { sha: "HEAD" }, base: { ref: "main" } } }),
      "ignored malformed",
    ],

    ["code is pushed", "push", pushed({}), "ignored unchanged"],
    [
      "the policy is pushed",
      "push",
      pushed({ commits: [commit({ modified: [".github/tollgate.yml"] })] }),
      "wake policy_push",
    ],
    [
      "the policy is removed",
      "push",
      pushed({ commits: [commit({ removed: [".github/tollgate.yml"] })] }),
      "wake policy_push",
    ],
    [
      "its folder becomes a link",
      "push",
      pushed({ commits: [commit({ added: [".github"] })] }),
      "wake policy_push",
    ],
    ["the branch is forced", "push", pushed({ forced: true }), "wake policy_push"],
    ["no commits are shown", "push", pushed({ commits: [] }), "wake policy_push"],
    [
      "the list is cut",
      "push",
      pushed({ commits: Array.from({ length: 2048 }, () => commit({})) }),
      "wake policy_push",
    ],
    [
      "a commit's files are cut",
      "push",
      pushed({ commits: [commit({ added: Array.from({ length: 300 }, (_, i) => `f${i}`) })] }),
      "wake policy_push",
    ],
    [
      "files in a folder beside the policy are pushed",
      "push",
      pushed({ commits: [commit({ added: [".github/tollgate/a.yml", "tollgate/next-step.hbs"] })] }),
      "ignored unchanged",
    ],
    ["a tag is pushed", "push", pushed({ ref: "refs/tags/v1", commits: [] }), "ignored action"],
    ["a branch is deleted", "push", pushed({ deleted: true, commits: [] }), "ignored action"],
    [
      "tollgate.yml elsewhere",
      "push",
      pushed({ commits: [commit({ modified: ["tollgate.yml"] })] }),
      "ignored unchanged",
    ],
    [
      "the organisation's policy",
      "push",
      pushed({ repository: home, commits: [commit({ modified: ["tollgate.yml"] })] }),
      "wake policy_push",
    ],

    [
      "the platform's status",
      "status",
      payload({ sha: SHA, context: "p", target_url: "https://app.platform.example/x" }),
      "wake commit",
    ],
    [
      "the platform with a port",
      "status",
      payload({ sha: SHA, context: "p", target_url: "http://127.0.0.1:7001/x" }),
      "wake commit",
    ],
    [
      "another port",
      "status",
      payload({ sha: SHA, context: "p", target_url: "http://127.0.0.1:7002/x" }),
      "ignored foreign",
    ],
    [
      "a host that only ends alike",
      "status",
      payload({ sha: SHA, context: "p", target_url: "https://evil-app.platform.example/" }),
      "ignored foreign",
    ],
    [
      "a name before the host",
      "status",
      payload({ sha: SHA, context: "p", target_url: "https://app.platform.example@evil.example/" }),
      "ignored foreign",
    ],
    [
      "a script as address",
      "status",
      payload({ sha: SHA, context: "p", target_url: "javascript://app.platform.example/%0aalert(1)" }),
      "ignored foreign",
    ],
    ["no address", "status", payload({ sha: SHA, context: "ci", target_url: null }), "ignored foreign"],
    [
      "no address but our name",
      "status",
      payload({ sha: SHA, context: "tollgate: main", target_url: null }),
      "wake commit",
    ],

    [
      "the platform's check",
      "check_run",
      payload({ action: "completed", check_run: run(onPlatform) }),
      "wake commit",
    ],
    [
      "its creation",
      "check_run",
      payload({ action: "created", check_run: run(onPlatform) }),
      "ignored action",
    ],
    ["another check", "check_run", payload({ action: "completed", check_run: run({}) }), "ignored foreign"],
    [
      "our name by another App",
      "check_run",
      payload({ action: "completed", check_run: run({ name: "tollgate: main" }) }),
      "wake commit",
    ],
    [
      "our own check",
      "check_run",
      payload({ action: "completed", check_run: run({ ...onPlatform, app: own }) }),
      "ignored own",
    ],
    [
      "our check asked again",
      "check_run",
      payload({ action: "rerequested", check_run: run({ app: own }) }),
      "wake recheck",
    ],
    [
      "another's asked again",
      "check_run",
      payload({ action: "rerequested", check_run: run({}) }),
      "ignored foreign",
    ],
    [
      "our button",
      "check_run",
      payload({
        action: "requested_action",
        check_run: run({ app: own }),
        requested_action: { identifier: "recheck" },
      }),
      "wake recheck",
    ],
    [
      "an unknown button",
      "check_run",
      payload({
        action: "requested_action",
        check_run: run({ app: own }),
        requested_action: { identifier: "x" },
      }),
      "ignored action",
    ],

    [
      "our suite asked again",
      "check_suite",
      payload({ action: "rerequested", check_suite: { head_sha: SHA, app: own } }),
      "wake recheck",
    ],
    [
      "our suite finished",
      "check_suite",
      payload({ action: "completed", check_suite: { head_sha: SHA, app: own } }),
      "ignored own",
    ],
    [
      "the platform's suite",
      "check_suite",
      payload({ action: "completed", check_suite: { head_sha: SHA, app: { id: 900 } } }),
      "wake commit",
    ],
    [
      "another's suite",
      "check_suite",
      payload({ action: "completed", check_suite: { head_sha: SHA, app: null } }),
      "ignored foreign",
    ],

    ["a comment that may command", "issue_comment", comment({}), "wake comment"],
    ["a comment on an issue", "issue_comment", comment({ issue: { number: 1 } }), "ignored action"],
    [
      "our own comment",
      "issue_comment",
      comment({
        comment: {
          id: 8,
          node_id: "IC_8",
          user: { id: 4, type: "Bot" },
          performed_via_github_app: own,
        },
        sender: { id: 4, type: "Bot" },
      }),
      "ignored own",
    ],
    [
      "our comment, deleted by a person",
      "issue_comment",
      comment({
        action: "deleted",
        comment: { id: 8, node_id: "IC_8", user: null, performed_via_github_app: own },
      }),
      "wake comment",
    ],
    [
      "a merge group",
      "merge_group",
      payload({
        action: "checks_requested",
        merge_group: {
          head_sha: SHA,
          head_ref: "refs/heads/gh-readonly-queue/main/pr-1-x",
          base_ref: "refs/heads/main",
          base_sha: SHA,
        },
      }),
      "wake merge_group",
    ],
    ["a repository is starred", "repository", payload({ action: "edited" }), "ignored action"],
    ["a repository becomes public", "repository", payload({ action: "publicized" }), "wake repository"],
  ])("%s", (...[, event, body, expected]) => {
    expect(word(event, body)).toBe(expected);
  });

  it("the pull requests of this very repository, or none to be looked up by commit", () => {
    const pull = (number: number, id: number): object => ({ number, base: { repo: { id } } });
    const pulls = (list: object[]): unknown => {
      const reduced = reduce(
        "check_run",
        payload({ action: "completed", check_run: run({ ...onPlatform, pull_requests: list }) }),
      );
      return reduced.state === "enqueue" && reduced.event.kind === "commit" ? reduced.event.pulls : null;
    };
    expect(pulls([pull(3, 77), pull(4, 1234)])).toEqual([3]);
    expect(pulls(Array.from({ length: 11 }, (_, index) => pull(index + 1, 77)))).toEqual([]);
  });

  it("an installation with its repositories, or without when they are many", () => {
    const installed = (count: number): unknown => {
      const repositories = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
      const installation = { id: 5, account: { id: 9, login: "acme" }, repository_selection: "selected" };
      const reduced = reduce("installation", { action: "created", installation, repositories });
      return reduced.state === "enqueue" && reduced.event.kind === "installation"
        ? reduced.event.repositoryIds
        : undefined;
    };
    expect([installed(2), installed(21)]).toEqual([[1, 2], null]);
  });
});

describe("the execution that a status or check names", () => {
  const named = (event: string, body: object) => {
    const reduced = reduce(event, body);
    return reduced.state === "enqueue" && reduced.event.kind === "commit" ? reduced.event.named : null;
  };
  const url = onPlatform.details_url;
  const posted = { sha: SHA, context: "p", target_url: url, state: "success", sender: { id: 7 } };

  it.each([
    ["of an ended status", posted, { by: "status", posterId: 7, url }],
    ["of a status by nobody", { ...posted, sender: null }, undefined],
    ["at another host", { ...posted, context: "tollgate: x", target_url: "https://ci.example/1" }, undefined],
    ["at a long address", { ...posted, target_url: `${url}${"x".repeat(1_000)}` }, undefined],
  ])("%s", (_, status, expected) => expect(named("status", payload(status))).toEqual(expected));

  it("of a completed check, by its App", () => {
    const completed = payload({ action: "completed", check_run: run({ ...onPlatform, app: { id: 900 } }) });
    expect(named("check_run", completed)).toEqual({ by: "check", posterId: 900, url });
  });
});

describe("GitHub's own example deliveries", () => {
  const known = (examples as unknown as { name: string; examples: object[] }[]).filter(({ name }) =>
    REDUCERS.has(name),
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
    const reduced = reduce(name, ofAnApp(body));
    expect(reduced).not.toEqual({ state: "ignored", reason: "malformed" });
    expect(JSON.stringify(reduced).length).toBeLessThan(500);
  });

  it("are parsed or refused, whatever value one member gets", () => {
    const anyBody = fc.constantFrom(...all);
    fc.assert(
      fc.property(anyBody, fc.nat(), fc.jsonValue({ maxDepth: 1 }), ({ name, body }, index, value) => {
        const members = Object.keys(body);
        const member = members[index % members.length] ?? "";
        const reduced = reduce(name, { ...ofAnApp(body), [member]: value });
        expect(["enqueue", "ignored"]).toContain(reduced.state);
      }),
      { numRuns: casesToTry({ usual: 100, deep: 2000 }) },
    );
  });
});
