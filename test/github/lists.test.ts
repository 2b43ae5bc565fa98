import type nock from "nock";
import { describe, expect, it } from "vitest";
import { readNamedRuns } from "../../src/github/checks/named-runs.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { readStatusHistory } from "../../src/github/head/commit-claims.ts";
import { listOpenPulls, readCommitPulls } from "../../src/github/head/commit-pulls.ts";
import { listRepositories } from "../../src/github/head/installation-repositories.ts";
import { type MergeGroupState, readMergeGroup } from "../../src/github/head/merge-group.ts";
import { SHA } from "./deliveries.ts";
import { outcomeOf, REPOSITORY } from "./github.ts";
import { BASE, commit, file, organisation } from "./heads.ts";
import { mint, useNock } from "./nocked-github.ts";

const OTHER = "c".repeat(40);

let github: nock.Scope;
let client: InstallationClient;
useNock((fresh) => {
  ({ github, client } = fresh);
  mint(fresh);
});

const pull = (number: number, members: object = {}): object => ({
  number,
  state: "open",
  draft: false,
  head: { sha: SHA, repo: null },
  base: { ref: "main", repo: { id: 77 } },
  ...members,
});

describe("lists", () => {
  it("of a commit's pull requests contain only those into this repository, and the merge commit of merged ones alone", async () => {
    const foreign = pull(2, { base: { ref: "main", repo: { id: 78 } } });
    const merge = { merge_commit_sha: OTHER };
    const merged = pull(3, { state: "closed", merged_at: "2026-03-02T09:00:00Z", ...merge });
    github
      .get(`/repos/acme/shop/commits/${SHA}/pulls`)
      .query({ per_page: 100, page: 1 })
      .reply(200, [pull(1, merge), foreign, merged]);
    const unmerged = { mergeSha: null, mergedMs: null };
    const listed = { number: 1, open: true, draft: false, headSha: SHA, baseRef: "main", ...unmerged };
    expect(await readCommitPulls(client, REPOSITORY, SHA)).toEqual([
      listed,
      { ...listed, number: 3, open: false, mergeSha: OTHER, mergedMs: Date.UTC(2026, 2, 2, 9) },
    ]);
  });

  it("of a commit's check runs of a name begin with the newest, and say which passed", async () => {
    const run = (id: number, conclusion: string | null, app: object | null = { slug: "github-actions" }) => ({
      ...{ id, conclusion, app, output: { title: "Passed", summary: "Nothing to do.", text: null } },
    });
    github
      .get(`/repos/acme/shop/commits/${SHA}/check-runs`)
      .query({ check_name: "tollgate: main", per_page: 100 })
      .reply(200, {
        check_runs: [run(1, "success"), run(4, null), run(3, "neutral", null), run(2, "failure")],
      });
    const runs = await readNamedRuns(client, REPOSITORY, { sha: SHA, name: "tollgate: main" });
    expect(runs.map(({ app, isPassed }) => [app, isPassed])).toEqual([
      ["github-actions", false],
      ["(unknown)", true],
      ["github-actions", false],
      ["github-actions", true],
    ]);
  });

  it("of open pull requests contain all pages, of all bases or of one", async () => {
    const order = { state: "open", sort: "created", direction: "asc", per_page: 100 };
    const full = Array.from({ length: 100 }, (_, index) => pull(index + 1));
    const listing = (query: object) => github.get("/repos/acme/shop/pulls").query({ ...order, ...query });
    listing({ page: 1 }).reply(200, full);
    listing({ page: 2 }).reply(200, []);
    expect(await listOpenPulls(client, REPOSITORY)).toHaveLength(100);
    listing({ base: "release/1", page: 1 }).reply(200, [pull(3)]);
    const some = await listOpenPulls(client, REPOSITORY, "release/1");
    expect(some.map(({ number }) => number)).toEqual([3]);
  });

  it("of the statuses of a commit contain all that were posted in a context, whoever posted them", async () => {
    const posted = (state: string, members: object = {}) => ({
      context: "ci/plan",
      state,
      target_url: null,
      creator: { id: 7, login: "ci", type: "User" },
      ...members,
    });
    github
      .get(`/repositories/77/commits/${SHA}/statuses`)
      .query({ per_page: 100, page: 1 })
      .reply(200, [posted("success"), posted("later_state", { creator: null })]);
    const listed = await readStatusHistory(client, { repositoryId: 77, sha: SHA });
    const same = { context: "ci/plan", targetUrl: null };
    expect(listed).toEqual([
      { ...same, state: "success", creator: { id: 7, login: "ci", type: "User" } },
      { ...same, state: "pending", creator: null },
    ]);
  });

  it("of repositories with a missing page are failures", async () => {
    const owner = { id: 9, login: "acme" };
    const repositories = Array.from({ length: 100 }, (_, id) => ({ id: id + 1, name: "r", owner }));
    const listing = (page: number) => github.get("/installation/repositories").query({ per_page: 100, page });
    listing(1).reply(200, { repositories });
    listing(2).reply(404, { message: "Not Found" });
    expect(await outcomeOf(listRepositories(client))).toMatchObject({ kind: "not_found" });
  });
});

describe("a merge group", () => {
  const head = (number: number): string => String(number).repeat(40);
  const entry = (number: number, headCommit: string | null = null, parents: string[] = []): object => ({
    position: number,
    headCommit:
      headCommit === null ? null : { oid: headCommit, parents: { nodes: parents.map((oid) => ({ oid })) } },
    pullRequest: { number, headRefOid: head(number), baseRefName: "main" },
  });
  const read = (
    entries: object[],
    members: object = {},
    parents = [BASE],
  ): Promise<MergeGroupState | null> => {
    const repository = {
      id: "R_77",
      databaseId: 77,
      name: "shop",
      visibility: "PRIVATE",
      updatedAt: "2026-01-01T00:00:00Z",
      owner: { __typename: "Organization", login: "acme", databaseId: 9 },
      ref: { target: commit(BASE, file()) },
      defaultBranchRef: { name: "main", target: commit(BASE, file()) },
      group: { oid: SHA, parents: { nodes: parents.map((oid) => ({ oid })) } },
      mergeQueue: { entries: { nodes: entries } },
      ...members,
    };
    github
      .post("/graphql", /query MergeGroup/)
      .reply(200, { data: { repository, organisation: organisation(null) } });
    return readMergeGroup(client, {
      owner: "acme",
      name: "shop",
      repositoryId: 77,
      baseRef: "main",
      headSha: SHA,
      headRef: `gh-readonly-queue/main/pr-2-${BASE}`,
      organisationPolicy: "read",
    });
  };
  const numbers = (group: MergeGroupState | null): unknown => group?.pulls.map(({ number }) => number);

  it("contains the pull requests up to its own, in any listed order", async () => {
    const answer = await read([entry(3), entry(2, SHA), entry(1)]);
    expect(answer).toMatchObject({
      pulls: [
        { number: 1, headSha: head(1) },
        { number: 2, headSha: head(2) },
      ],
      policy: { repository: { state: "found" }, organisation: { state: "absent" } },
    });
  });

  it("is identified by the pull request in its branch's name when the queue shows no commits", async () => {
    expect(numbers(await read([entry(1), entry(2), entry(3)]))).toEqual([1, 2]);
  });

  it("with the head as second parent is proven by it", async () => {
    expect(numbers(await read([entry(2, SHA)], {}, [BASE, head(2)]))).toEqual([2]);
  });

  const OLD = "9".repeat(40);
  const UNAVAILABLE = expect.objectContaining({ kind: "unavailable" });
  it.each<[string, object[], object, string[], unknown]>([
    ["is not in the queue any more", [entry(1), entry(3)], {}, [BASE], UNAVAILABLE],
    ["has no queue", [], { mergeQueue: null }, [BASE], UNAVAILABLE],
    [
      "holds another head of an earlier pull request than that has now",
      [entry(1, BASE, [BASE, OLD]), entry(2, SHA)],
      {},
      [BASE, head(2)],
      UNAVAILABLE,
    ],
    ["holds another head than the pull request has now", [entry(2, SHA)], {}, [BASE, OLD], UNAVAILABLE],
    [
      "holds an entry without a pull request",
      [{ ...entry(1), pullRequest: null }, entry(2)],
      {},
      [BASE],
      UNAVAILABLE,
    ],
    ["is gone", [entry(2, SHA)], { group: null }, [BASE], null],
    ["is another repository's", [entry(2, SHA)], { databaseId: 78 }, [BASE], null],
  ])("that %s is not evaluated", async (...[, entries, members, parents, outcome]) => {
    expect(await outcomeOf(read(entries, members, parents))).toEqual(outcome);
  });
});
