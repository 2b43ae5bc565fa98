import { expect, test } from "vitest";
import { ROUTES } from "../../sandbox/http/rest.ts";
import { type Caller, caller, openLab } from "./lab.ts";
import { complaints, isDescribed } from "./openapi.ts";

const OURS = { method: "GET", path: "" };

/** One call per route that shows its usual answer: the route, and the call with its body and status. */
async function usualCalls() {
  const lab = await openLab({ hourlyLimit: 10_000 });
  const { sandbox } = lab;
  const repository = "acme/infra";
  const R = `/repos/${repository}`;
  const pull = sandbox.openPullRequest({ repository, head: "more", title: "More", body: "b" });
  sandbox.createStack([pull]);
  sandbox.addLabel(pull, { label: "infra" });
  sandbox.review(pull, { by: "grace", state: "approved" });
  sandbox.createTeam({ organisation: "acme", slug: "finops", members: ["ada"] });
  sandbox.setCollaborator({ repository, login: "grace", permission: "write" });
  const comment = sandbox.addComment(pull, { body: "hello" });
  const ada = (await lab.asBot("GET /users/ada")).body;
  const requiredChecks = [{ context: "ci", appId: lab.appId }];
  sandbox.protectBranch({ repository, branch: "main", requiredChecks, kind: "ruleset" });
  const sha = pull.headSha;
  sandbox.postStatus({
    repository,
    sha,
    context: "ci",
    state: "success",
    targetUrl: "https://ci.example.com/1",
  });
  const output = { title: "t", summary: "s" };
  const run = await lab.asBot(`POST ${R}/check-runs`, { name: "one", head_sha: sha, output });
  await sandbox.deliveries.settled();
  const app: Readonly<Record<string, [string, number, unknown?]>> = {
    "GET /app": ["/app", 200],
    "GET /app/installations": ["/app/installations", 200],
    "GET /app/installations/{installation_id}": [`/app/installations/${lab.installationId}`, 200],
    "POST /app/installations/{installation_id}/access_tokens": [
      `/app/installations/${lab.installationId}/access_tokens`,
      201,
    ],
    "GET /app/hook/config": ["/app/hook/config", 200],
    "GET /app/hook/deliveries": ["/app/hook/deliveries", 200],
  };
  const P = "/repos/{owner}/{repo}";
  const bot: Readonly<Record<string, [string, number, unknown?]>> = {
    [`GET ${P}`]: [R, 200],
    [`GET ${P}/activity`]: [`${R}/activity?ref=refs/heads/main`, 200],
    [`GET ${P}/stacks`]: [`${R}/stacks?pull_request=${pull.number}`, 200],
    [`GET ${P}/branches/{branch}`]: [`${R}/branches/main`, 200],
    [`GET ${P}/rules/branches/{branch}`]: [`${R}/rules/branches/main`, 200],
    "GET /user/{account_id}": [`/user/${ada.id}`, 200],
    [`GET ${P}/collaborators/{username}/permission`]: [`${R}/collaborators/ada/permission`, 200],
    "GET /installation/repositories": ["/installation/repositories", 200],
    "GET /apps/{app_slug}": ["/apps/tollgate", 200],
    "GET /users/{username}": ["/users/ada", 200],
    "GET /orgs/{org}/teams/{team_slug}": ["/orgs/acme/teams/finops", 200],
    "GET /orgs/{org}/teams/{team_slug}/members": ["/orgs/acme/teams/finops/members", 200],
    "GET /orgs/{org}/teams/{team_slug}/memberships/{username}": [
      "/orgs/acme/teams/finops/memberships/ada",
      200,
    ],
    [`GET ${P}/contents/{path}`]: [`${R}/contents/main.tf`, 200],
    [`GET ${P}/git/matching-refs/{ref}`]: [`${R}/git/matching-refs/heads/ma`, 200],
    [`GET ${P}/git/commits/{commit_sha}`]: [`${R}/git/commits/${sha}`, 200],
    [`GET ${P}/pulls`]: [`${R}/pulls`, 200],
    [`GET ${P}/pulls/{pull_number}`]: [`${R}/pulls/1`, 200],
    [`GET ${P}/pulls/{pull_number}/files`]: [`${R}/pulls/1/files`, 200],
    [`GET ${P}/pulls/{pull_number}/reviews`]: [`${R}/pulls/1/reviews`, 200],
    [`POST ${P}/pulls/{pull_number}/requested_reviewers`]: [
      `${R}/pulls/1/requested_reviewers`,
      201,
      { reviewers: ["grace"], team_reviewers: ["finops"] },
    ],
    [`GET ${P}/pulls/{pull_number}/requested_reviewers`]: [`${R}/pulls/1/requested_reviewers`, 200],
    [`DELETE ${P}/pulls/{pull_number}/requested_reviewers`]: [
      `${R}/pulls/1/requested_reviewers`,
      200,
      { reviewers: ["grace"] },
    ],
    [`POST ${P}/check-runs`]: [`${R}/check-runs`, 201, { name: "two", head_sha: sha }],
    [`PATCH ${P}/check-runs/{check_run_id}`]: [
      `${R}/check-runs/${run.body.id}`,
      200,
      { conclusion: "neutral" },
    ],
    [`GET ${P}/commits/{ref}/check-runs`]: [`${R}/commits/more/check-runs`, 200],
    [`GET ${P}/compare/{basehead}`]: [`${R}/compare/main...more`, 200],
    [`GET ${P}/commits/{commit_sha}/pulls`]: [`${R}/commits/${sha}/pulls`, 200],
    [`GET ${P}/commits/{ref}/statuses`]: [`${R}/commits/more/statuses`, 200],
    [`GET ${P}/commits/{ref}/status`]: [`${R}/commits/more/status`, 200],
    [`GET ${P}/issues/{issue_number}/comments`]: [`${R}/issues/1/comments`, 200],
    [`POST ${P}/issues/{issue_number}/comments`]: [`${R}/issues/1/comments`, 201, { body: "x" }],
    [`PATCH ${P}/issues/comments/{comment_id}`]: [`${R}/issues/comments/${comment.id}`, 200, { body: "y" }],
    [`GET ${P}/issues/comments/{comment_id}/reactions`]: [
      `${R}/issues/comments/${comment.id}/reactions`,
      200,
    ],
    [`POST ${P}/issues/comments/{comment_id}/reactions`]: [
      `${R}/issues/comments/${comment.id}/reactions`,
      201,
      { content: "eyes" },
    ],
    [`DELETE ${P}/issues/comments/{comment_id}`]: [`${R}/issues/comments/${comment.id}`, 204],
  };
  const { clientId } = lab;
  const spent = sandbox.authorizeApp({ appId: lab.appId, login: "ada" });
  const kept = sandbox.authorizeApp({ appId: lab.appId, login: "ada" });
  const user: Readonly<Record<string, [string, number, unknown?]>> = {
    "GET /user": ["/user", 200],
    "GET /user/installations": ["/user/installations", 200],
    "GET /user/installations/{installation_id}/repositories": [
      `/user/installations/${lab.installationId}/repositories`,
      200,
    ],
  };
  const applications = `/applications/${clientId}`;
  const client: Readonly<Record<string, [string, number, unknown?]>> = {
    "POST /applications/{client_id}/token": [`${applications}/token`, 200, { access_token: kept.token }],
    "DELETE /applications/{client_id}/token": [`${applications}/token`, 204, { access_token: spent.token }],
  };
  const asUser = caller(sandbox.url, `token ${kept.token}`);
  const basic = Buffer.from(`${clientId}:${lab.clientSecret}`).toString("base64");
  const asClient = caller(sandbox.url, `basic ${basic}`);
  return { lab, app, bot, user, client, asUser, asClient };
}

test("every route is a call of GitHub's, and has a usual answer below", async () => {
  const { app, bot, user, client } = await usualCalls();
  const shown = [app, bot, user, client].flatMap((rows) => Object.keys(rows)).sort();
  expect(ROUTES.map((route) => `${route.method} ${route.path}`).sort()).toEqual(shown);
  for (const route of ROUTES)
    expect(`${route.path} ${isDescribed(route.method, route.path)}`).toMatch(/true$/);
});

test("the comparison with the description finds a field of another type", async () => {
  const { asApp } = await openLab();
  const { body } = await asApp("GET /app");
  const call = { method: "GET", path: "/app" };
  expect(complaints(call, 200, body)).toEqual([]);
  expect(complaints(call, 200, { ...body, id: "1" })).toHaveLength(1);
  expect(complaints(call, 200, { ...body, events: [5] })).toHaveLength(1);
  expect(complaints(call, 418, body)).toEqual(["GET /app 418 is not described"]);
});

test("every member of an answer has the type that GitHub describes", async () => {
  const { lab, app, bot, user, client, asUser, asClient } = await usualCalls();
  const wrong: Record<string, unknown> = {};
  const check = async (call: Caller, rows: typeof app) => {
    for (const [route, [path, status, body]] of Object.entries(rows)) {
      const [method = OURS.method, template = OURS.path] = route.split(" ");
      const reply = await call(`${method} ${path}`, body);
      const described = complaints({ method, path: template }, reply.status, reply.body);
      if (reply.status !== status || described.length > 0)
        wrong[route] = [reply.status, described.slice(0, 8)];
    }
  };
  await check(lab.asApp, app);
  await check(lab.asBot, bot);
  await check(asUser, user);
  await check(asClient, client);
  expect(wrong).toEqual({});
});

test("refusals have GitHub's shape too", async () => {
  const { sandbox, asBot } = await openLab();
  sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
  const comments = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const missing = await asBot("POST /repos/acme/infra/issues/9/comments", { body: "x" });
  expect(complaints({ method: "POST", path: comments }, missing.status, missing.body)).toEqual([]);
  const long = await asBot("POST /repos/acme/infra/issues/1/comments", { body: "x".repeat(65_537) });
  expect([long.status, complaints({ method: "POST", path: comments }, 422, long.body)]).toEqual([422, []]);
});
