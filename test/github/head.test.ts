import type nock from "nock";
import { describe, expect, it } from "vitest";
import {
  computeAnnotationsDigest,
  findForeignPosters,
  findOwnCheck,
} from "../../src/github/checks/publish-check.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import type { HeadState } from "../../src/github/head/head-state.ts";
import { type HeadRequest, readHead } from "../../src/github/head/read-head.ts";
import { SHA } from "./deliveries.ts";
import { INSTALLATION, outcomeOf } from "./github.ts";
import {
  BASE,
  check,
  claims,
  commit,
  file,
  type HeadParts,
  headData,
  organisation,
  POLICY,
  status,
} from "./heads.ts";
import { mint, useNock } from "./nocked-github.ts";

const REQUEST: HeadRequest = {
  owner: "acme",
  name: "shop",
  number: 12,
  repositoryId: 77,
  organisationPolicy: "read",
};

let github: nock.Scope;
let client: InstallationClient;
useNock((fresh) => {
  ({ github, client } = fresh);
  mint(fresh);
});

const answers = (parts: HeadParts = {}, errors?: object[]): void => {
  github.post("/graphql", /query Head/).reply(200, { data: headData(parts), ...(errors ? { errors } : {}) });
};
const found = async (request: Partial<HeadRequest> = {}): Promise<HeadState> =>
  (await readHead(client, { ...REQUEST, ...request })) ?? expect.fail("the head is gone");
/** The kind of GitHub's failure; `gone` and `found` where there is none. */
async function read(): Promise<string> {
  const outcome = await outcomeOf(readHead(client, REQUEST));
  if (outcome === null || typeof outcome === "string") return outcome ?? "gone";
  return "kind" in outcome ? outcome.kind : "found";
}

describe("a head", () => {
  it("is read in one round trip", async () => {
    answers({ contexts: claims([status(), check()]) });
    const head = await found();
    expect(head.repository).toEqual({
      id: 77,
      nodeId: "R_77",
      owner: "acme",
      name: "shop",
      ownerId: 9,
      ownerType: "Organization",
      visibility: "private",
      updatedMs: Date.parse("2026-01-01T00:00:00Z"),
    });
    expect(head.pull).toMatchObject({
      number: 12,
      state: "open",
      headSha: SHA,
      baseRef: "main",
      stack: null,
      paths: ["infra/main.tf"],
      pathsComplete: true,
      commitsComplete: true,
    });
    expect(head.statuses).toEqual([
      {
        context: "platform/deploy",
        state: "success",
        targetUrl: "https://app.platform.example/x",
        creator: { id: 41, login: "platform", type: "Bot" },
      },
    ]);
    expect(head.checks).toMatchObject([
      { id: 34_000_000_001, status: "completed", conclusion: "success", appId: 4711 },
    ]);
    expect(head.policy.repository).toEqual({
      state: "found",
      text: POLICY,
      blob: "b".repeat(40),
      source: { repository: "acme/shop", ref: "main", path: ".github/tollgate.yml", commit: "a".repeat(40) },
    });
    expect(head.policy.organisation).toEqual({ state: "absent" });
    expect(head.policy.defaultBranch).toEqual({ name: "main", file: head.policy.repository });
  });

  it("of a deleted fork and a deleted account is read", async () => {
    answers({ pull: { headRepository: null, author: null, potentialMergeCommit: null } });
    const { pull } = await found();
    expect([pull.author, pull.testMergeSha]).toEqual([null, null]);
  });

  it("has all its statuses and checks, of every page", async () => {
    answers({ contexts: claims([status()], "one") });
    const page = (node: object, next: string | null): object => ({
      data: { repository: { object: { statusCheckRollup: { contexts: claims([{ ...node }], next) } } } },
    });
    github.post("/graphql", /query Claims.*"after":"one"/).reply(200, page(check(), "two"));
    github
      .post("/graphql", /query Claims.*"after":"two"/)
      .reply(200, page(status({ state: "NEWFANGLED", creator: null }), null));
    const head = await found();
    expect([head.statuses.length, head.checks.length, head.claimsComplete]).toEqual([2, 1, true]);
    expect(head.statuses[1]).toMatchObject({ state: "pending", creator: null });
  });

  it("with a missing page is incomplete", async () => {
    answers({ contexts: claims([status()], "one") });
    github.post("/graphql", /query Claims/).reply(200, { data: { repository: null } });
    expect(await read()).toBe("unavailable");
  });

  it("that is too expensive for one GitHub query is read in smaller pages", async () => {
    github
      .post("/graphql", /"page":100/)
      .reply(200, { data: headData(), errors: [{ type: "RESOURCE_LIMITS_EXCEEDED" }] });
    github.post("/graphql", /"page":20/).reply(200, { data: headData() });
    expect(await read()).toBe("found");
  });

  it("that GitHub aborts after ten seconds is read in smaller pages", async () => {
    github
      .post("/graphql", /"page":100/)
      .times(3)
      .reply(502);
    github.post("/graphql", /"page":20/).reply(200, { data: headData() });
    expect(await read()).toBe("found");
  });

  it.each<[string, HeadParts, string[], string]>([
    ["no such pull request", { home: { pullRequest: null } }, ["NOT_FOUND"], "gone"],
    ["another repository of that name", { home: { databaseId: 78 } }, [], "gone"],
    ["a part refused", {}, ["FORBIDDEN", "commits"], "forbidden"],
    ["a part failed", {}, ["INTERNAL", "files"], "unavailable"],
    ["copies that disagree", { pull: { headRefOid: BASE } }, [], "unavailable"],
  ])("%s is said as it is", async (...[, parts, [type, ...path], state]) => {
    const errors = type === undefined ? undefined : [{ type, path: ["repository", "pullRequest", ...path] }];
    answers(parts, errors);
    expect(await read()).toBe(state);
  });

  it("of a repository that the installation does not see is gone", async () => {
    const errors = [{ type: "NOT_FOUND", path: ["repository"] }];
    github.post("/graphql").reply(200, { data: { repository: null, organisation: null }, errors });
    expect(await read()).toBe("gone");
  });
});

describe("changed files", () => {
  const many = { pageInfo: { hasNextPage: true }, nodes: [] };
  const listed = (name: string, members: object = {}): object => ({
    filename: name,
    contents_url: `https://api.github.com/repos/acme/shop/contents/${name}?ref=${SHA}`,
    ...members,
  });
  const page = (number: number, files: object[]): void => {
    github.get("/repos/acme/shop/pulls/12/files").query({ per_page: 100, page: number }).reply(200, files);
  };

  it("that were renamed have both names", async () => {
    const nodes = [{ path: "docs/a.tf", changeType: "RENAMED" }];
    answers({ pull: { files: { pageInfo: { hasNextPage: false }, nodes } } });
    page(1, [listed("docs/a.tf", { previous_filename: "infra/a.tf" })]);
    expect((await found()).pull).toMatchObject({ paths: ["docs/a.tf", "infra/a.tf"], pathsComplete: true });
  });

  it("above a page are read from all pages at once", async () => {
    answers({ pull: { changedFiles: 101, files: many } });
    page(
      1,
      Array.from({ length: 100 }, (_, index) => listed(`f${index}`)),
    );
    page(2, [listed("last")]);
    const { pull } = await found();
    expect([pull.paths.length, pull.pathsComplete]).toEqual([101, true]);
  });

  it("above 3,000 are known to be incomplete", async () => {
    answers({ pull: { changedFiles: 3001, files: many } });
    for (let number = 1; number <= 30; number += 1)
      page(
        number,
        Array.from({ length: 100 }, (_, i) => listed(`f${number}-${i}`)),
      );
    const { pull } = await found();
    expect([pull.paths.length, pull.pathsComplete]).toEqual([3000, false]);
  });

  it("of a head that moved during the read are incomplete", async () => {
    answers({ pull: { changedFiles: 1, files: many } });
    page(1, [listed("a", { contents_url: `https://api.github.com/x?ref=${BASE}` })]);
    expect((await found()).pull.pathsComplete).toBe(false);
  });
});

describe("the repository's policy file", () => {
  const LINKED = { mode: 0o120000 };
  const SUBMODULE = { mode: 0o160000, type: "commit" };
  const TREE = { mode: 0o040000, type: "tree", object: { oid: "e" } };
  const misnamed = { misnamed: { type: "blob" } };
  it.each<[string, Record<string, unknown> | null, string]>([
    ["is not there", commit(BASE), "absent"],
    ["has no folder", commit(BASE, null, { folder: null }), "absent"],
    ["has another ending", commit(BASE, null, misnamed), "unreadable misnamed"],
    ["is there, beside one of another ending", commit(BASE, file(), misnamed), "found"],
    ["is a symlink", commit(BASE, file(LINKED)), "unreadable symlink"],
    ["is a submodule", commit(BASE, file({ ...SUBMODULE, object: null })), "unreadable submodule"],
    ["is a directory", commit(BASE, file(TREE)), "unreadable directory"],
    ["is binary", commit(BASE, file({}, { isBinary: true, text: null })), "unreadable binary"],
    ["has 64 KB and a byte", commit(BASE, file({}, { byteSize: 65_537 })), "unreadable too_large"],
    ["has 64 KB", commit(BASE, file({}, { byteSize: 65_536 })), "found"],
    ["is cut", commit(BASE, file({}, { isTruncated: true })), "unreadable too_large"],
    ["has no text", commit(BASE, file({}, { text: null })), "unreadable malformed"],
    [
      "lies in a linked folder",
      commit(BASE, null, { folder: { ...LINKED, type: "blob" } }),
      "unreadable symlink",
    ],
    ["lies in a submodule", commit(BASE, null, { folder: SUBMODULE }), "unreadable submodule"],
    ["is on a branch that is gone", null, "unreadable base_missing"],
  ])("%s", async (_, base, expected) => {
    answers({ base });
    const read = (await found()).policy.repository;
    expect(read.state === "unreadable" ? `unreadable ${read.reason}` : read.state).toBe(expected);
  });

  it("is the base branch's, whatever the pull request changes in it", async () => {
    answers({ head: { policy: file({ mode: 0o120000 }) } });
    const { policy } = await found();
    expect([policy.repository.state, policy.head]).toEqual([
      "found",
      { state: "unreadable", reason: "symlink" },
    ]);
  });
});

describe("the organisation's policy file", () => {
  const missing = [{ type: "NOT_FOUND", path: ["organisation"], message: "Could not resolve" }];
  it("is found on the default branch of its own repository", async () => {
    answers({ organisation: organisation(file()) });
    expect((await found()).policy.organisation).toMatchObject({
      state: "found",
      source: { repository: "acme/.github", ref: "main", path: "tollgate.yml" },
    });
  });

  const state = async (): Promise<string> => {
    const own = (await found()).policy.organisation;
    return own.state === "unreadable" ? `unreadable ${own.reason}` : own.state;
  };

  it("of an empty repository is absent", async () => {
    answers({ organisation: organisation(null, { defaultBranchRef: null }) });
    expect(await state()).toBe("absent");
  });

  it.each<[string, number, object, string]>([
    ["absent for an installation that covers everything", 200, { repository_selection: "all" }, "absent"],
    [
      "unreadable when some are not covered",
      200,
      { repository_selection: "selected" },
      "unreadable not_covered",
    ],
    ["unreadable when GitHub does not state what is covered", 500, {}, "unreadable not_covered"],
  ])("without its repository is %s", async (...[, status, body, expected]) => {
    answers({ organisation: null }, missing);
    github.get(`/app/installations/${INSTALLATION}`).reply(status, body);
    expect(await state()).toBe(expected);
  });

  it("that GitHub refuses is unreadable", async () => {
    answers({ organisation: null }, [{ type: "FORBIDDEN", path: ["organisation"] }]);
    expect(await state()).toBe("unreadable forbidden");
  });

  it("of another owner under the old name does not count", async () => {
    answers({ organisation: organisation(file(), { owner: { login: "acme", databaseId: 1000 } }) });
    expect(await state()).toBe("unreadable not_covered");
  });

  it("is not read when the operator states that there is none", async () => {
    github
      .post("/graphql", /"organisation":false/)
      .reply(200, { data: { ...headData(), organisation: undefined } });
    expect((await found({ organisationPolicy: "none" })).policy.organisation).toEqual({ state: "absent" });
  });

  it("does not exist for a user's repository", async () => {
    const owner = { __typename: "User", login: "ada", databaseId: 3 };
    answers({ home: { owner }, organisation: null }, missing);
    expect((await found()).policy.organisation).toEqual({ state: "absent" });
  });
});

describe("checks with our name", () => {
  it("are ours by App id, the newest counts, and other posters are listed", async () => {
    const foreign = {
      checkSuite: { app: { databaseId: 99, slug: "mallory" } },
      databaseId: 9_999_999_999_999,
    };
    const nodes = [
      check({ databaseId: 5 }),
      check({ databaseId: 7, status: "IN_PROGRESS", conclusion: null }),
      check(foreign),
      status({ context: "tollgate: main", creator: { __typename: "User", login: "eve", databaseId: 6 } }),
    ];
    answers({ contexts: claims(nodes) });
    const head = await found();
    const own = { appId: 4711, name: "tollgate: main" };
    expect(findOwnCheck(head.checks, own)).toEqual({
      checkRunId: 7,
      digest: null,
      completed: false,
      nodeId: "CR_1",
      annotations: computeAnnotationsDigest([]),
    });
    expect(findForeignPosters(head, own)).toEqual(["mallory", "eve"]);
  });
});
