import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Lab, openLab } from "./lab.ts";

const REPOSITORY = "acme/infra";

/** What arrived so far, as "event.action". */
const arrived = (lab: Lab): string[] =>
  lab.inbox.received.map(({ event, action }) => (action === undefined ? event : `${event}.${action}`));

async function toldAfter(lab: Lab, act: () => unknown): Promise<string[]> {
  lab.inbox.received.length = 0;
  act();
  await lab.sandbox.deliveries.settled();
  return arrived(lab);
}

test("a delivery is signed, has a UUID, and says whom it is for", async () => {
  const lab = await openLab();
  const secret = "It's a Secret to Everybody";
  const app = await lab.sandbox.registerApp({
    name: "Signed",
    webhookUrl: lab.inbox.url,
    webhookSecret: secret,
  });
  const installation = lab.sandbox.installApp({ appId: app.id, owner: "acme" });
  await lab.sandbox.deliveries.settled();
  const [delivery] = lab.inbox.received;
  if (delivery === undefined) throw new Error("nothing was delivered");
  const { headers, text, body } = delivery;
  const mac = createHmac("sha256", secret).update(text).digest("hex");
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-github-event": "installation",
    "x-github-hook-installation-target-id": String(app.id),
    "x-github-hook-installation-target-type": "integration",
    "x-hub-signature-256": `sha256=${mac}`,
  });
  expect(headers["x-github-delivery"]).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(body).toMatchObject({ installation: { id: installation.id }, sender: { login: "ada" } });
});

describe("each verb sends the deliveries that GitHub sends", () => {
  test("the life of a pull request", async () => {
    const lab = await openLab();
    const { sandbox } = lab;
    const pull = sandbox.openPullRequest({ repository: REPOSITORY, head: "more", title: "More" });
    sandbox.push({ repository: REPOSITORY, branch: "lax", files: { a: "1" } });
    await sandbox.deliveries.settled();
    const told = (act: () => unknown) => toldAfter(lab, act);
    const push = { repository: REPOSITORY, branch: "more", files: { "new.tf": "y\n" } };
    const pushed = ["push", "check_suite.requested", "pull_request.synchronize"];
    expect(await told(() => sandbox.push(push))).toEqual(pushed);
    expect(await told(() => sandbox.forcePush({ ...push, files: { "new.tf": "z\n" } }))).toEqual(pushed);
    expect(await told(() => sandbox.retargetPullRequest(pull, { base: "lax" }))).toEqual([
      "pull_request.edited",
    ]);
    expect(lab.inbox.received[0]?.body).toMatchObject({ changes: { base: { ref: { from: "main" } } } });
    expect(await told(() => sandbox.convertToDraft(pull))).toEqual(["pull_request.converted_to_draft"]);
    expect(lab.inbox.received[0]?.body).toMatchObject({ pull_request: { draft: true } });
    expect(await told(() => sandbox.markReadyForReview(pull))).toEqual(["pull_request.ready_for_review"]);
    expect(await told(() => sandbox.addLabel(pull, { label: "x" }))).toEqual(["pull_request.labeled"]);
    expect(await told(() => sandbox.removeLabel(pull, { label: "x" }))).toEqual(["pull_request.unlabeled"]);
    const review = { by: "grace", state: "approved" } as const;
    expect(await told(() => sandbox.review(pull, review))).toEqual(["pull_request_review.submitted"]);
    expect(await told(() => sandbox.closePullRequest(pull))).toEqual(["pull_request.closed"]);
    expect(await told(() => sandbox.reopenPullRequest(pull))).toEqual(["pull_request.reopened"]);
    expect(await told(() => sandbox.mergePullRequest(pull))).toEqual([
      "pull_request.closed",
      "push",
      "check_suite.requested",
    ]);
    expect(sandbox.pullRequest(pull)).toMatchObject({ state: "closed", baseRef: "lax" });
    expect(sandbox.fileText({ repository: REPOSITORY, ref: "lax", path: "new.tf" })).toBe("z\n");
  });

  test("a push says what it changed, and a forced one that it was forced", async () => {
    const lab = await openLab();
    const push = {
      repository: REPOSITORY,
      branch: "main",
      files: { ".github/tollgate.yml": "v: 1", "main.tf": null },
    };
    await toldAfter(lab, () => lab.sandbox.push(push));
    expect(lab.inbox.received[0]?.body).toMatchObject({
      ref: "refs/heads/main",
      forced: false,
      created: false,
      commits: [{ added: [".github/tollgate.yml"], removed: ["main.tf"], modified: [] }],
    });
    await toldAfter(lab, () => lab.sandbox.forcePush({ ...push, files: { "main.tf": "other\n" } }));
    expect(lab.inbox.received[0]?.body).toMatchObject({ forced: true });
  });

  test("comments, statuses and checks; buttons only to the App that made the run", async () => {
    const lab = await openLab();
    const { sandbox, appId } = lab;
    const other = await sandbox.registerApp({ name: "Other", webhookUrl: lab.inbox.url });
    sandbox.installApp({ appId: other.id, owner: "acme" });
    const pull = sandbox.openPullRequest({ repository: REPOSITORY, head: "more", title: "More" });
    await sandbox.deliveries.settled();
    const told = (act: () => unknown) => toldAfter(lab, act).then((all) => all.sort());
    const twice = (name: string) => [name, name];
    const comment = sandbox.addComment(pull, { body: "a" });
    await sandbox.deliveries.settled();
    expect(await told(() => sandbox.editComment(comment.id, { body: "b" }))).toEqual(
      twice("issue_comment.edited"),
    );
    expect(await told(() => sandbox.deleteComment(comment.id))).toEqual(twice("issue_comment.deleted"));
    const at = { repository: REPOSITORY, sha: pull.headSha };
    const status = { ...at, context: "ci", state: "success" } as const;
    expect(await told(() => sandbox.postStatus(status))).toEqual(twice("status"));
    const run = sandbox.postCheckRun({ ...at, appId, name: "n" });
    await sandbox.deliveries.settled();
    const done = { checkRunId: run.id, conclusion: "success" } as const;
    expect(await told(() => sandbox.completeCheckRun(done))).toEqual([
      ...twice("check_run.completed"),
      ...twice("check_suite.completed"),
    ]);
    const { id: checkRunId, suiteId: checkSuiteId } = run;
    expect(await told(() => sandbox.rerequestCheckRun({ checkRunId }))).toEqual(["check_run.rerequested"]);
    expect(await told(() => sandbox.rerequestCheckSuite({ checkSuiteId }))).toEqual([
      "check_suite.rerequested",
    ]);
    const press = () => sandbox.requestCheckAction({ checkRunId, identifier: "recheck", by: "grace" });
    expect(await told(press)).toEqual(["check_run.requested_action"]);
    expect(lab.inbox.received[0]?.body).toMatchObject({
      requested_action: { identifier: "recheck" },
      sender: { login: "grace" },
    });
  });

  test("what happens to repositories and installations", async () => {
    const lab = await openLab();
    const { sandbox, installationId } = lab;
    const told = (act: () => unknown) => toldAfter(lab, act);
    expect(await told(() => sandbox.renameRepository({ repository: REPOSITORY, name: "b" }))).toEqual([
      "repository.renamed",
    ]);
    expect(await told(() => sandbox.setVisibility({ repository: "acme/b", visibility: "public" }))).toEqual([
      "repository.publicized",
    ]);
    expect(await told(() => sandbox.setVisibility({ repository: "acme/b", visibility: "private" }))).toEqual([
      "repository.privatized",
    ]);
    expect(
      await told(() => sandbox.changeInstallationRepositories({ installationId, remove: ["b"] })),
    ).toEqual(["installation_repositories.removed"]);
    expect(
      await told(() => sandbox.push({ repository: "acme/b", branch: "main", files: { a: "1" } })),
    ).toEqual([]);
    sandbox.createRepository({ owner: "acme", name: "c" });
    sandbox.changeInstallationRepositories({ installationId, add: ["c"] });
    await sandbox.deliveries.settled();
    expect(await told(() => sandbox.suspendInstallation(installationId))).toEqual(["installation.suspend"]);
    const push = () => sandbox.push({ repository: "acme/c", branch: "main", files: { a: "1" } });
    expect(await told(push)).toEqual([]);
    expect(await told(() => sandbox.unsuspendInstallation(installationId))).toEqual([
      "installation.unsuspend",
    ]);
    expect(await told(() => sandbox.uninstallApp(installationId))).toEqual(["installation.deleted"]);
  });

  test("a repository that moves is announced where it went, and not where it was", async () => {
    const lab = await openLab();
    lab.sandbox.createOwner({ login: "globex", type: "organisation" });
    const away = { repository: REPOSITORY, owner: "globex" };
    expect(await toldAfter(lab, () => lab.sandbox.transferRepository(away))).toEqual([]);
    lab.sandbox.installApp({ appId: lab.appId, owner: "globex" });
    await lab.sandbox.deliveries.settled();
    const back = { repository: "globex/infra", owner: "acme" };
    expect(await toldAfter(lab, () => lab.sandbox.transferRepository(back))).toEqual([
      "repository.transferred",
    ]);
    expect(lab.inbox.received[0]?.body).toMatchObject({
      changes: { owner: { from: { organization: { login: "globex" } } } },
      installation: { id: lab.installationId },
    });
  });
});

describe("what goes wrong on the way", () => {
  const push = (lab: Lab, text: string) =>
    lab.sandbox.push({ repository: REPOSITORY, branch: "main", files: { a: text } });

  test("paused deliveries come when they are released, in reverse order if asked", async () => {
    const lab = await openLab();
    const { deliveries } = lab.sandbox;
    deliveries.hold({ event: "push" });
    push(lab, "1");
    push(lab, "2");
    await deliveries.settled();
    expect(arrived(lab)).toEqual(["check_suite.requested", "check_suite.requested"]);
    lab.inbox.received.length = 0;
    await deliveries.release("backwards");
    const [second, first] = lab.inbox.received.map(({ body }) => body["after"]);
    expect(deliveries.list({ event: "push" }).map((row) => JSON.parse(row.body).after)).toEqual([
      first,
      second,
    ]);
  });

  test("dropped ones never come until they are redelivered, with the same id", async () => {
    const lab = await openLab();
    const { deliveries } = lab.sandbox;
    deliveries.drop({ event: "push" }, 1);
    push(lab, "1");
    push(lab, "2");
    await deliveries.settled();
    const [dropped, sent] = deliveries.list({ event: "push" });
    expect([dropped?.state, sent?.state, sent?.statusCode]).toEqual(["dropped", "sent", 202]);
    const again = await deliveries.redeliver(dropped?.id ?? 0);
    expect(again).toMatchObject({
      guid: dropped?.guid,
      body: dropped?.body,
      redelivery: true,
      statusCode: 202,
    });
    expect(lab.inbox.received.at(-1)?.headers["x-github-delivery"]).toBe(dropped?.guid);
  });

  test("doubled ones come twice with one id", async () => {
    const lab = await openLab();
    lab.sandbox.deliveries.duplicate({ event: "push" });
    push(lab, "1");
    await lab.sandbox.deliveries.settled();
    lab.sandbox.deliveries.clearFaults();
    push(lab, "2");
    await lab.sandbox.deliveries.settled();
    const guids = lab.inbox.received
      .filter(({ event }) => event === "push")
      .map(({ headers }) => headers["x-github-delivery"]);
    expect(guids).toHaveLength(3);
    expect(new Set(guids).size).toBe(2);
  });

  test("the App finds failed deliveries in its list, and requests them again", async () => {
    const lab = await openLab();
    lab.inbox.answer = 503;
    push(lab, "1");
    await lab.sandbox.deliveries.settled();
    const { body } = await lab.asApp("GET /app/hook/deliveries");
    const failed = body.find((row: { event: string }) => row.event === "push");
    expect(failed).toMatchObject({
      status_code: 503,
      status: "Invalid HTTP Response: 503",
      redelivery: false,
    });
    lab.inbox.answer = 200;
    expect((await lab.asApp(`POST /app/hook/deliveries/${failed.id}/attempts`)).status).toBe(202);
    await lab.sandbox.deliveries.settled();
    const [newest] = (await lab.asApp("GET /app/hook/deliveries")).body;
    expect(newest).toMatchObject({ guid: failed.guid, redelivery: true, status: "OK", status_code: 200 });
    expect((await lab.asApp(`GET /app/hook/deliveries/${newest.id}`)).body.request.payload.ref).toBe(
      "refs/heads/main",
    );
  });

  test("nobody listening is a failure, not a stop", async () => {
    const lab = await openLab();
    const dead = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      dead.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void dead.close());
    const address = dead.address();
    const port = typeof address === "object" ? address?.port : 0;
    lab.sandbox.setWebhookUrl({ appId: lab.appId, url: `http://127.0.0.1:${port}/` });
    push(lab, "1");
    await lab.sandbox.deliveries.settled();
    const [failed] = lab.sandbox.deliveries.list({ event: "push" });
    expect(failed).toMatchObject({ state: "sent", statusCode: null });
    lab.sandbox.setWebhookUrl({ appId: lab.appId, url: lab.inbox.url });
    expect(await lab.sandbox.deliveries.redeliver(failed?.id ?? 0)).toMatchObject({ statusCode: 202 });
  });
});
