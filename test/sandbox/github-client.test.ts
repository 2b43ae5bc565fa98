import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { fetch } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitHubApp } from "../../src/github/app.ts";
import { publishCheck } from "../../src/github/checks/publish-check.ts";
import type { Fetch } from "../../src/github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { publishComment } from "../../src/github/comments/publish-comment.ts";
import { listOpenPulls, readCommitPulls } from "../../src/github/head/commit-pulls.ts";
import type { HeadState } from "../../src/github/head/head-state.ts";
import { listRepositories } from "../../src/github/head/installation-repositories.ts";
import { readMergeGroup } from "../../src/github/head/merge-group.ts";
import { readHead } from "../../src/github/head/read-head.ts";
import type { LaneEvent } from "../../src/github/webhooks/payload/lane-event.ts";
import { createReceiver } from "../../src/github/webhooks/receiver.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { buildNodeId } from "../../src/sandbox/state/node-id.ts";
import { systemRandom } from "../../src/sandbox/state/random.ts";
import { always } from "../github/github.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";

const SHOP = "acme/shop";
const POLICY = "version: 1\n";

let github: Sandbox;
let client: InstallationClient;
let door: Server;
let woken: LaneEvent[];
let appId: number;

beforeEach(async () => {
  github = await createSandbox({
    clock: systemClock,
    random: systemRandom,
    tokens: "long",
    documents: DOCUMENTS,
  });
  github.createOwner({ login: "acme", type: "organisation", admin: "ada" });
  github.createRepository({
    owner: "acme",
    name: "shop",
    files: { ".github/tollgate.yml": POLICY, "infra/main.tf": "a" },
  });
  const app = await github.registerApp({ name: "tollgate" });
  appId = app.id;
  woken = [];
  const answer = createReceiver({
    secret: app.webhookSecret,
    ownAppId: app.id,
    platformHosts: ["app.platform.example"],
    accept: async ({ event }) => {
      woken.push(event);
      return "queued";
    },
    log: pino({ level: "silent" }),
  });
  door = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  github.setWebhookUrl({ appId, url: `http://127.0.0.1:${port}/api/github/webhooks` });
  const { id } = github.installApp({ appId, owner: "acme" });
  client = createGitHubApp({
    appId,
    privateKey: app.privateKey,
    apiUrl: `${github.url}/api/v3`,
    fetch: fetch as Fetch, // undici's own types of a fetch differ from Node's in detail
    clock: systemClock,
    wait: (ms) => sleep(ms),
    log: pino({ level: "silent" }),
  }).installation(id);
});
afterEach(async () => {
  await github.close();
  door.close();
});

function opened(): { repositoryId: number; number: number; headSha: string } {
  github.push({ repository: SHOP, branch: "more", files: { "infra/main.tf": "b" } });
  const pull = github.openPullRequest({ repository: SHOP, head: "more", title: "More servers" });
  return { repositoryId: pull.repositoryId, number: pull.number, headSha: pull.headSha };
}
async function head(pull: { repositoryId: number; number: number }): Promise<HeadState> {
  const read = await readHead(client, { owner: "acme", name: "shop", ...pull, organisationPolicy: "read" });
  if (read.state !== "found") throw new Error(JSON.stringify(read));
  return read.head;
}
const at = ({ repositoryId }: { repositoryId: number }) => ({
  repositoryId,
  repositoryNodeId: buildNodeId("Repository", repositoryId),
  isCurrent: always,
  noteUnanswered: () => {},
});

describe("on a GitHub with state", () => {
  it("a pull request is received, read, evaluated, commented and read again", async () => {
    const pull = opened();
    const { headSha } = pull;
    const targetUrl = "https://app.platform.example/x";
    github.postStatus({ repository: SHOP, sha: headSha, context: "platform", state: "success", targetUrl });
    const before = await head(pull);
    expect(before.pull).toMatchObject({
      headSha,
      paths: ["infra/main.tf"],
      pathsComplete: true,
      baseRef: "main",
    });
    expect(before.statuses).toMatchObject([{ context: "platform", state: "success", targetUrl }]);
    expect(before.policy).toMatchObject({
      repository: { state: "found", text: POLICY },
      organisation: { state: "absent" },
      head: { state: "found" },
    });

    const check = await publishCheck(client, {
      ...at(pull),
      headSha,
      checkName: "tollgate: main",
      known: null,
      decision: { status: "completed", conclusion: "failure" },
      output: { title: "Blocked", summary: "It costs more.", text: null },
      externalId: "digest",
      detailsUrl: "https://github.example/acme/shop/pull/1",
      actions: [],
    });
    expect(check.state).toBe("written");
    const comment = await publishComment(client, {
      ...at(pull),
      number: pull.number,
      known: null,
      body: "It costs more.",
      others: [],
    });
    expect(comment.state).toBe("written");

    const after = await head(pull);
    expect(after.checks).toMatchObject([
      { name: "tollgate: main", conclusion: "failure", appId, externalId: "digest" },
    ]);
    expect(github.comments(pull).map(({ body }) => body)).toEqual(["It costs more."]);
    expect(woken.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["installation", "pull", "commit"]));
    expect(woken.map(({ kind }) => kind)).not.toContain("comment");
  });

  it("an update costs four calls and one for the coverage, which no process shares here, and nothing at all when nothing changed", async () => {
    const pull = opened();
    await head(pull); // with the token
    github.requests.clear();
    const { headSha } = (await head(pull)).pull;
    const write = {
      ...at(pull),
      headSha,
      checkName: "tollgate: main",
      known: null,
      decision: { status: "in_progress" as const },
      output: { title: "t", summary: "s", text: null },
      externalId: "d",
      detailsUrl: "https://github.example/acme/shop/pull/1",
      actions: [],
    };
    const check = await publishCheck(client, write);
    const message = { ...at(pull), number: pull.number, known: null, body: "b", others: [] };
    const comment = await publishComment(client, message);
    expect(github.requests.count()).toBe(5);
    github.requests.clear();
    await publishCheck(client, { ...write, known: check.state === "written" ? check.known : null });
    await publishComment(client, { ...message, known: comment.state === "written" ? comment.known : null });
    expect(github.requests.count()).toBe(0);
  });

  it("answers that are lost after the write make nothing twice", async () => {
    const pull = opened();
    const lost = { kind: "lost-response-after-write" } as const;
    github.faults.add({ ...lost, match: { method: "POST", path: /check-runs$/ } });
    github.faults.add({ ...lost, match: { method: "POST", path: /comments$/ } });
    const comment = await publishComment(client, {
      ...at(pull),
      number: pull.number,
      known: null,
      body: "b",
      others: [],
    });
    const check = await publishCheck(client, {
      ...at(pull),
      headSha: pull.headSha,
      checkName: "tollgate: main",
      known: null,
      decision: { status: "completed", conclusion: "success" },
      output: { title: "t", summary: "s", text: null },
      externalId: "d",
      detailsUrl: "https://github.example/acme/shop/pull/1",
      actions: [],
    });
    expect([comment.state, check.state]).toEqual(["unchanged", "written"]);
    expect(github.comments(pull)).toHaveLength(1);
    expect(github.checkRuns({ repository: SHOP, sha: pull.headSha, appId })).toHaveLength(1);
  });

  it("pull requests are found by commit and by list, repositories by installation", async () => {
    const pull = opened();
    const repository = { id: pull.repositoryId, owner: "acme", name: "shop" };
    expect(await readCommitPulls(client, repository, pull.headSha)).toMatchObject({
      ok: true,
      value: [{ number: pull.number, open: true }],
    });
    expect(await listOpenPulls(client, repository, "main")).toMatchObject({
      ok: true,
      value: [{ headSha: pull.headSha }],
    });
    expect(await listRepositories(client)).toMatchObject({
      ok: true,
      value: [{ id: pull.repositoryId, owner: "acme" }],
    });
  });

  it("a merge group is read with its pull requests and the base's policy", async () => {
    const pull = opened();
    const group = github.addToMergeQueue([pull]);
    const wake = await heard("merge_group");
    if (wake.kind !== "merge_group") throw new Error(wake.kind);
    expect(wake.headSha).toBe(group.headSha);
    const { headSha, headRef, baseRef } = wake;
    const where = {
      owner: "acme",
      name: "shop",
      repositoryId: pull.repositoryId,
      organisationPolicy: "read" as const,
    };
    const read = await readMergeGroup(client, { ...where, headSha, headRef, baseRef });
    expect(read).toMatchObject({
      state: "found",
      group: {
        pulls: [{ number: pull.number, headSha: pull.headSha }],
        policy: { repository: { state: "found", text: POLICY } },
      },
    });
  });
});

async function heard(kind: LaneEvent["kind"]): Promise<LaneEvent> {
  for (let tries = 0; tries < 200; tries += 1) {
    const event = woken.find((one) => one.kind === kind);
    if (event !== undefined) return event;
    await sleep(10);
  }
  throw new Error(`no ${kind} came`);
}
