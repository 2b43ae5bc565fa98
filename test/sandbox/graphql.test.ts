import { describe, expect, test } from "vitest";
import { CLAIMS_QUERY, HEAD_QUERY } from "../../src/github/head/head-query.ts";
import { openLab } from "./lab.ts";

const VARIABLES = { owner: "acme", name: "infra", number: 1, page: 100, organisation: true };

async function asked() {
  const lab = await openLab();
  const { sandbox, appId } = lab;
  sandbox.push({
    repository: "acme/infra",
    branch: "main",
    files: { ".github/tollgate.yml": "version: 1\n" },
  });
  const pull = sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
  const at = { repository: "acme/infra", sha: pull.headSha };
  sandbox.postStatus({ ...at, context: "ci", state: "success", targetUrl: "https://ci.example.com/1" });
  sandbox.postCheckRun({ ...at, appId, name: "tollgate: main", status: "in_progress", externalId: "e" });
  const query = (text: string, variables: object = VARIABLES) =>
    lab.asBot("POST /api/graphql", { query: text, variables });
  return { ...lab, pull, query };
}

describe("the bot's own queries", () => {
  test("claims beyond the first page", async () => {
    const { query, sandbox, pull } = await asked();
    for (let number = 0; number < 130; number += 1) {
      sandbox.postStatus({
        repository: "acme/infra",
        sha: pull.headSha,
        context: `c${number}`,
        state: "pending",
      });
    }
    const first = (await query(HEAD_QUERY)).body.data.repository.pullRequest.commits.nodes[0].commit;
    const { endCursor, hasNextPage } = first.statusCheckRollup.contexts.pageInfo;
    expect(hasNextPage).toBe(true);
    const variables = { owner: "acme", name: "infra", sha: pull.headSha, page: 100, after: endCursor };
    const rest = (await query(CLAIMS_QUERY, variables)).body.data.repository.object.statusCheckRollup
      .contexts;
    expect([rest.nodes.length, rest.pageInfo.hasNextPage]).toEqual([32, false]);
  });
});

describe("errors as GitHub gives them", () => {
  test.each([
    ['{ repository(owner: "acme", name: "none") { name } }', "NOT_FOUND", ["repository"]],
    [
      '{ repository(owner: "acme", name: "infra") { pullRequest(number: 9) { title } } }',
      "NOT_FOUND",
      ["repository", "pullRequest"],
    ],
    [
      '{ repository(owner: "acme", name: "infra") { pullRequest(number: 1) { files { nodes { path } } } } }',
      "MISSING_PAGINATION_BOUNDARIES",
      ["repository", "pullRequest", "files"],
    ],
    [
      '{ repository(owner: "acme", name: "infra") { pullRequest(number: 1) { files(first: 101) { nodes { path } } } } }',
      "EXCESSIVE_PAGINATION",
      ["repository", "pullRequest", "files"],
    ],
  ])("%s", async (text, type, path) => {
    const { query } = await asked();
    const { status, body } = await query(text);
    expect([status, body.errors.length, body.errors[0].type, body.errors[0].path]).toEqual([
      200,
      1,
      type,
      path,
    ]);
  });

  test("what the token may not read is null with FORBIDDEN, the rest stands", async () => {
    const { query, sandbox, asBot } = await asked();
    const permissions = { contents: "read", "pull-requests": "read" } as const;
    const token = await sandbox.issueJobToken({ repository: "acme/infra", permissions });
    const text = `{ repository(owner: "acme", name: "infra") { pullRequest(number: 1) { title
      commits(last: 1) { nodes { commit { oid statusCheckRollup { contexts(first: 1) { nodes { __typename } } } } } } } } }`;
    expect((await query(text)).body.errors).toBeUndefined();
    const narrow = await asBot("POST /graphql", { query: text }, { authorization: `bearer ${token}` });
    expect(narrow.body.data.repository.pullRequest).toMatchObject({
      title: "More",
      commits: { nodes: [{ commit: { statusCheckRollup: null } }] },
    });
    expect(narrow.body.errors).toMatchObject([{ type: "FORBIDDEN" }]);
    sandbox.createRepository({ owner: "grace", name: "secret" });
    expect((await query('{ repository(owner: "grace", name: "secret") { name } }')).body.errors[0].type).toBe(
      "NOT_FOUND",
    );
  });

  test("a query that GitHub would not understand says where", async () => {
    const { query } = await asked();
    expect((await query("{ repository(owner: 1) { nothing } }")).body.errors.length).toBeGreaterThan(0);
    expect((await query("{")).body.errors[0].locations).toEqual([{ line: 1, column: 2 }]);
  });
});

test("files of every kind: links, submodules, directories, binaries, and nothing", async () => {
  const { query, sandbox } = await asked();
  const files = {
    link: { symlink: "x" },
    sub: { submodule: "b".repeat(40) },
    "dir/a": "1",
    bin: Buffer.from([0, 1]),
  };
  sandbox.push({ repository: "acme/infra", branch: "main", files });
  const field = (path: string) =>
    `${path}: file(path: "${path}") { mode type object { oid ... on Blob { text isBinary } } }`;
  const text = `{ repository(owner: "acme", name: "infra") { ref(qualifiedName: "refs/heads/main") { target { ... on Commit {
    ${["link", "sub", "dir", "bin", "none"].map(field).join(" ")} a: file(path: "dir/a") { object { oid } } } } } } }`;
  const { target: object } = (await query(text)).body.data.repository.ref;
  expect(object.link).toMatchObject({ mode: 0o120000, type: "blob", object: { text: "x" } });
  expect(object.sub).toEqual({ mode: 0o160000, type: "commit", object: null });
  expect(object.dir).toMatchObject({ mode: 0o040000, type: "tree" });
  expect(object.bin.object).toMatchObject({ isBinary: true, text: null });
  expect(object.none).toBeNull();
  const blobs = `query($a: GitObjectID!, $b: GitObjectID!) { repository(owner: "acme", name: "infra") {
    a: object(oid: $a) { ... on Blob { text } } b: object(oid: $b) { oid } } }`;
  const read = await query(blobs, { a: object.a.object.oid, b: "b".repeat(40) });
  expect(read.body.data.repository).toEqual({ a: { text: "1" }, b: null });
});
