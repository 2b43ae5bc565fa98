import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { Sha } from "../../src/kernel/ids.ts";
import { saveMergeGroup } from "../../src/store/merge-groups.ts";
import { savePull } from "../../src/store/pulls.ts";
import { type Repository, saveRepository } from "../../src/store/repositories.ts";
import { createToken, type TokenGrant, verifyToken } from "../../src/store/tokens.ts";
import { JOB_TOKEN_PATH } from "../../src/web/oidc/job-access.ts";
import { createJobTokenRoute, type GrantedProject, type PullMerge } from "../../src/web/oidc/route.ts";
import { createIdTokenVerifier } from "../../src/web/oidc/verify-id-token.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { usualEngine } from "../world/engines.ts";
import {
  AUDIENCE,
  type Claims,
  HEAD,
  type IdTokenIssuer,
  jobClaims,
  MERGE,
  NOW_MS,
  OWNER_ID,
  REPOSITORY_ID,
  startIssuer,
  toSha,
} from "./id-token-issuer.ts";

const OTHER = toSha("c");

let store: Database;
let issuer: IdTokenIssuer;
const clock = { ms: NOW_MS, now: () => clock.ms, monotonicMs: () => clock.ms };
let grants: readonly GrantedProject[];
let outcomes: unknown[];
let asked: unknown[];
/** What GitHub says of a pull request and a commit. */
let github: (number: number, sha: Sha) => PullMerge | null;

beforeAll(async () => {
  [store, issuer] = [await usualEngine().open(), await startIssuer()];
});
beforeEach(async () => {
  for (const table of ["tokens", "pulls"] as const) await store.db.deleteFrom(table).execute();
  [issuer.reads, issuer.fault] = [0, null];
  [grants, outcomes, asked, clock.ms] = [[], [], [], NOW_MS];
  github = () => ({ isOpen: true, headSha: HEAD, headBranch: "topic", parents: [toSha("d"), HEAD] });
  const now = new Date(NOW_MS);
  const label = { owner_id: OWNER_ID, owner_login: "acme", name: "shop", installation_id: 1 };
  await saveRepository(store.db, { repository_id: REPOSITORY_ID, ...label }, now);
  await opensPull();
});
afterAll(async () => {
  await issuer.ends();
  await store.close();
});

const opensPull = (pull: { state?: "open" | "closed"; headSha?: Sha; mergeSha?: Sha } = {}) =>
  savePull(
    store.db,
    {
      repositoryId: REPOSITORY_ID,
      number: 12,
      headSha: HEAD,
      mergeSha: MERGE,
      baseRef: "main",
      state: "open",
      ...pull,
    },
    new Date(NOW_MS),
  );

const claims = (more: Claims = {}): Claims => ({ ...jobClaims(issuer), ...more });

function createRoute() {
  const { db } = store;
  const verify = createIdTokenVerifier({ issuer: issuer.url, audience: AUDIENCE }, { clock, fetch });
  const stored = { db, clock, githubPages: "https://github.com" };
  const deps = {
    ...{ ...stored, verify, account: "acc", issuer: issuer.url },
    listGrantedProjects: () => grants,
    readPullMerge: async (repository: Repository, number: number, sha: Sha) => {
      asked.push([repository.repository_id, number, sha]);
      return github(number, sha);
    },
    readDefaultBranch: async () => "main",
    saveCommitPulls: async (repository: Repository, sha: Sha) =>
      void asked.push([repository.repository_id, sha]),
    onOutcome: (outcome: object) => outcomes.push(outcome),
  };
  return createJobTokenRoute(deps, stored);
}

async function exchanges(token: string, wanted: object = {}, route = createRoute()) {
  const response = await route.request(JOB_TOKEN_PATH, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const body = (await response.json()) as Readonly<Record<string, string>>; // every answer is an object of texts
  return { status: response.status, ...body };
}

test("a job of a pull request receives a token for its repository, project and head, which expires", async () => {
  const access = await exchanges(await issuer.signs(claims()));
  expect(access).toEqual({
    status: 200,
    token: expect.stringMatching(/^tg_/),
    expires: "2026-01-01T00:30:00.000Z",
    account: "acc",
    org: "acme",
    project: "shop",
    repository: "acme/shop",
    repository_url: "https://github.com/acme/shop",
    sha: HEAD,
  });
  const { token } = access as unknown as { token: string }; // compared above
  const bound = {
    purpose: "import",
    account: "acc",
    repositoryId: REPOSITORY_ID,
    org: "acme",
    project: "shop",
  };
  expect(await verifyToken(store.db, token, clock)).toMatchObject({ ...bound, headSha: HEAD });
  clock.ms += 30 * 60_000;
  expect(await verifyToken(store.db, token, clock)).toBeNull();
});

describe("the repository", () => {
  test("a renamed repository is found by its id", async () => {
    const token = await issuer.signs(claims({ repository: "acme/store" }));
    expect(await exchanges(token)).toMatchObject({ status: 200, repository: "acme/shop", project: "shop" });
  });

  test.each([
    ["without the App", { repository_id: "8", repository: "acme/other" }, '"acme/other"'],
    ["of a fork, under the same name", { repository_id: "9", repository_owner_id: "90" }, '"acme/shop"'],
    ["that another owner has taken over", { repository_owner_id: "71" }, '"acme/shop"'],
  ])("a repository %s receives nothing", async (_, more, name) => {
    expect(await exchanges(await issuer.signs(claims(more)))).toMatchObject({
      status: 403,
      message: `the repository ${name} is not known here`,
      hint: "Install the GitHub App of this Tollgate on the repository.",
    });
  });

  test("it writes to the one project that is granted to it", async () => {
    grants = [{ org: "default", project: "payments" }];
    expect(await exchanges(await issuer.signs(claims()))).toMatchObject({
      org: "default",
      project: "payments",
    });
    const elsewhere = { org: "acme", project: "shop" };
    expect(await exchanges(await issuer.signs(claims({ jti: "2" })), elsewhere)).toMatchObject({
      status: 403,
      message: "the repository may write to default/payments and to no other project",
    });
  });

  test("of several granted projects the job names one", async () => {
    grants = [{ org: "default", project: "payments" }, { org: "shared" }];
    const job = async (jti: string, wanted: object) => exchanges(await issuer.signs(claims({ jti })), wanted);
    expect(await job("1", { project: "web" })).toMatchObject({ status: 200, org: "shared", project: "web" });
    expect(await job("2", { project: "payments" })).toMatchObject({
      status: 403,
      message: "the repository may write to several projects: default/payments, shared/(any)",
    });
    expect(await job("3", { org: "default" })).toMatchObject({ status: 200, project: "payments" });
  });
});

describe("the commit", () => {
  const pushed = { event_name: "push", ref: "refs/heads/topic", sha: HEAD };
  const triggered = {
    ...{ event_name: "workflow_run", ref: "refs/heads/main", sha: OTHER },
    workflow_ref: "acme/shop/.github/workflows/plan.yml@refs/heads/main",
  };

  test("the head of a pull request whose base branch has moved is still its head", async () => {
    await opensPull({ mergeSha: OTHER });
    github = () => ({ isOpen: true, headSha: HEAD, headBranch: "topic", parents: [OTHER, HEAD] });
    expect(await exchanges(await issuer.signs(claims()))).toMatchObject({ status: 200, sha: HEAD });
    expect(asked).toEqual([[REPOSITORY_ID, 12, MERGE]]);
  });

  test("a job of an older head is refused", async () => {
    await opensPull({ headSha: OTHER, mergeSha: toSha("e") });
    github = () => ({ isOpen: true, headSha: OTHER, headBranch: "topic", parents: [toSha("d"), HEAD] });
    expect(await exchanges(await issuer.signs(claims()))).toMatchObject({
      status: 422,
      message: "pull request #12 has a newer head than this job",
    });
  });

  test("a job of an older head is refused while GitHub still shows its test merge for the newer one", async () => {
    await opensPull({ headSha: OTHER });
    github = () => ({ isOpen: true, headSha: OTHER, headBranch: "topic", parents: [toSha("d"), HEAD] });
    const refused = { status: 422, message: "pull request #12 has a newer head than this job" };
    expect(await exchanges(await issuer.signs(claims()))).toMatchObject(refused);
    const named = { sha: MERGE };
    expect(await exchanges(await issuer.signs(claims(triggered)), named)).toMatchObject({ status: 422 });
  });

  test("an id token that is used after its pull request closed receives nothing", async () => {
    await opensPull({ state: "closed" });
    github = () => ({ isOpen: false, headSha: HEAD, headBranch: "topic", parents: [OTHER, HEAD] });
    expect(await exchanges(await issuer.signs(claims()))).toMatchObject({
      status: 422,
      message: "pull request #12 is not open",
    });
  });

  test("an id token is exchanged once", async () => {
    const token = await issuer.signs(claims());
    expect(await exchanges(token)).toMatchObject({ status: 200 });
    expect(await exchanges(token)).toMatchObject({ status: 409, message: "the id token was used before" });
  });

  test("a push counts for the pull requests that it is the head of, and for nothing else", async () => {
    expect(await exchanges(await issuer.signs(claims(pushed)))).toMatchObject({ status: 200, sha: HEAD });
    expect(await exchanges(await issuer.signs(claims({ ...pushed, sha: OTHER, jti: "2" })))).toMatchObject({
      status: 422,
      message: "the commit is not the head of an open pull request",
    });
    expect(asked).toEqual([[REPOSITORY_ID, OTHER]]);
  });

  test("a job of a merge queue works for the commit of a group that GitHub announced, and for no other", async () => {
    const group = {
      repository_id: REPOSITORY_ID,
      head_ref: "gh-readonly-queue/main/pr-12-a",
      base_ref: "main",
    };
    await saveMergeGroup(store.db, { ...group, head_sha: OTHER }, new Date(NOW_MS));
    const queued = { event_name: "merge_group", ref: `refs/heads/${group.head_ref}` };
    expect(await exchanges(await issuer.signs(claims({ ...queued, sha: OTHER })))).toMatchObject({
      ...{ status: 200, sha: OTHER },
    });
    expect(await exchanges(await issuer.signs(claims({ ...queued, sha: MERGE, jti: "2" })))).toMatchObject({
      status: 422,
      message: "the commit is not that of a merge group that waits in a queue",
    });
    const pushing = { ...queued, event_name: "push", sha: OTHER, jti: "3" };
    expect(await exchanges(await issuer.signs(claims(pushing)))).toMatchObject({ status: 422 });
  });

  test("a job names no other commit than the one of its id token", async () => {
    expect(await exchanges(await issuer.signs(claims()), { sha: OTHER })).toMatchObject({ status: 403 });
    expect(await exchanges(await issuer.signs(claims()), { sha: HEAD })).toMatchObject({ status: 200 });
  });

  test("a workflow of the default branch names the head that it works for, if it is open", async () => {
    expect(await exchanges(await issuer.signs(claims(triggered)))).toMatchObject({
      status: 422,
      hint: "Name the pull request's head with --sha.",
    });
    expect(await exchanges(await issuer.signs(claims(triggered)), { sha: OTHER })).toMatchObject({
      status: 422,
    });
    expect(await exchanges(await issuer.signs(claims(triggered)), { sha: HEAD })).toMatchObject({
      status: 200,
      sha: HEAD,
    });
  });

  test.each<[string, Claims, number]>([
    ["its own branches", {}, 200],
    ["another branch of the same repository", { head_ref: "other" }, 403],
    ["another base branch", { base_ref: "release" }, 403],
    ["no branches", { head_ref: "", base_ref: "" }, 403],
  ])("a job of pull_request_target for %s names only a head of these branches", async (_, more, status) => {
    const ofPull = { ...triggered, event_name: "pull_request_target", head_ref: "topic", base_ref: "main" };
    const token = await issuer.signs(claims({ ...ofPull, ...more }));
    expect(await exchanges(token, { sha: HEAD })).toMatchObject({ status });
  });

  test.each<[string, Claims]>([
    ["another branch", { ref: "refs/heads/release" }],
    [
      "a workflow file of another branch",
      { workflow_ref: "acme/shop/.github/workflows/plan.yml@refs/heads/mine" },
    ],
    ["a branch whose name only ends like the default one", { ref: "refs/heads/x/main" }],
    ["no workflow that is named", { workflow_ref: undefined }],
    [
      "another branch, by pull_request_target",
      { event_name: "pull_request_target", ref: "refs/heads/release" },
    ],
  ])("a job of %s names no head", async (_, more) => {
    const token = await issuer.signs(claims({ ...triggered, ...more }));
    expect(await exchanges(token, { sha: HEAD })).toMatchObject({
      status: 403,
      message: expect.stringContaining("only one of refs/heads/main may name a head"),
    });
  });

  test("when GitHub gives no answer the job is told to repeat it", async () => {
    await opensPull({ mergeSha: OTHER });
    github = () => {
      throw new TollgateError("github_failed", "GitHub is away", { retryable: true });
    };
    const token = await issuer.signs(claims());
    expect(await exchanges(token)).toMatchObject({
      status: 503,
      message: "GitHub gave no answer about the commit",
    });
    github = () => ({ isOpen: true, headSha: HEAD, headBranch: "topic", parents: [HEAD] });
    expect(await exchanges(token)).toMatchObject({ status: 200 });
  });
});

test("a server without a public URL accepts no id tokens and says what to set", async () => {
  const route = createJobTokenRoute(null, { db: store.db, clock, githubPages: "" });
  expect(await exchanges(await issuer.signs(claims()), {}, route)).toMatchObject({
    status: 403,
    hint: expect.stringContaining("PUBLIC_URL"),
  });
});

describe("a token for imports", () => {
  const bound = { account: "acc", repositoryId: REPOSITORY_ID, org: "acme", project: "pay" };
  const make = async (grant: TokenGrant) => (await createToken(store.db, grant, clock)).secret;

  test("says what it is bound to, also where id tokens are not accepted, and names are checks", async () => {
    const token = await make({ purpose: "import", ...bound });
    const route = createJobTokenRoute(null, { db: store.db, clock, githubPages: "https://github.com" });
    expect(await exchanges(token, { sha: HEAD, org: "acme" }, route)).toEqual({
      ...{ status: 200, token, expires: null, account: "acc", org: "acme", project: "pay", sha: HEAD },
      ...{ repository: "acme/shop", repository_url: "https://github.com/acme/shop" },
    });
    expect(await exchanges(token, { sha: HEAD, project: "shop" })).toMatchObject({
      status: 403,
      message: "the repository may write to acme/pay and to no other project",
    });
    expect(await exchanges(token)).toMatchObject({ status: 400, message: "sha is missing" });
  });

  test.each<TokenGrant>([
    { purpose: "api", account: "acc" },
    { purpose: "notify", ...bound },
    { purpose: "read", account: "acc", repositoryId: REPOSITORY_ID, ownerId: null },
    { purpose: "import", ...bound, repositoryId: 404 },
  ])("that is not bound to a known repository says nothing: %j", async (grant) => {
    const message = "the token is not bound to a repository of this Tollgate";
    const hint = expect.stringContaining("Name --org, --project and --repository");
    expect(await exchanges(await make(grant), { sha: HEAD })).toEqual({ status: 403, message, hint });
  });

  test("that is wrong is refused", async () => {
    const token = await make({ purpose: "import", ...bound });
    const wrong = `${token.slice(0, -4)}AAAA`;
    expect(await exchanges(wrong, { sha: HEAD })).toMatchObject({ status: 401 });
  });
});

test("the rows of jobs that ended long ago are deleted", async () => {
  expect(await exchanges(await issuer.signs(claims()))).toMatchObject({ status: 200 });
  clock.ms += 25 * 60 * 60_000;
  const later = clock.ms / 1000;
  const next = claims({ jti: "2", iat: later, nbf: later, exp: later + 300 });
  expect(await exchanges(await issuer.signs(next))).toMatchObject({ status: 200 });
  expect(await store.db.selectFrom("tokens").select("id").execute()).toHaveLength(1);
});
