import { expect, test } from "vitest";
import { type Lab, openLab } from "./lab.ts";

const REPOSITORY = "acme/infra";

/** What arrived by an act, as "event.action". */
async function toldAfter(lab: Lab, act: () => unknown): Promise<string[]> {
  lab.inbox.received.length = 0;
  act();
  await lab.sandbox.deliveries.settled();
  return lab.inbox.received.map(({ event, action }) => (action === undefined ? event : `${event}.${action}`));
}

test("a pressed button and a re-run are told to the App that made the run alone", async () => {
  const lab = await openLab();
  const { sandbox, appId } = lab;
  const other = await sandbox.registerApp({ name: "Other", webhookUrl: lab.inbox.url });
  sandbox.installApp({ appId: other.id, owner: "acme" });
  const { headSha: sha } = sandbox.openPullRequest({ repository: REPOSITORY, head: "more", title: "More" });
  const run = { repository: REPOSITORY, sha, appId, name: "n" };
  const { id: checkRunId, suiteId: checkSuiteId } = sandbox.postCheckRun(run);
  await sandbox.deliveries.settled();
  const complete = () => sandbox.postCheckRun({ ...run, conclusion: "success" });
  expect((await toldAfter(lab, complete)).sort()).toEqual([
    ...["check_run.completed", "check_run.completed"],
    ...["check_run.created", "check_run.created"],
    ...["check_suite.completed", "check_suite.completed"],
  ]);
  const told = [
    await toldAfter(lab, () => sandbox.rerequestCheckRun({ checkRunId })),
    await toldAfter(lab, () => sandbox.rerequestCheckSuite({ checkSuiteId })),
    await toldAfter(lab, () =>
      sandbox.requestCheckAction({ checkRunId, identifier: "recheck", by: "grace" }),
    ),
  ];
  expect(told).toEqual([
    ["check_run.rerequested"],
    ["check_suite.rerequested"],
    ["check_run.requested_action"],
  ]);
  expect(lab.inbox.received[0]?.body).toMatchObject({
    requested_action: { identifier: "recheck" },
    sender: { login: "grace" },
  });
});

test("nothing is told of a repository that an installation does not cover, nor while it is suspended", async () => {
  const lab = await openLab();
  const { sandbox, installationId } = lab;
  const push = () => sandbox.push({ repository: REPOSITORY, branch: "main", files: { a: "1" } });
  const suspend = () => sandbox.suspendInstallation(installationId);
  expect(await toldAfter(lab, suspend)).toEqual(["installation.suspend"]);
  expect(await toldAfter(lab, push)).toEqual([]);
  expect(await toldAfter(lab, () => sandbox.unsuspendInstallation(installationId))).toEqual([
    "installation.unsuspend",
  ]);
  sandbox.uninstallApp(installationId);
  sandbox.createRepository({ owner: "acme", name: "other" });
  sandbox.installApp({ appId: lab.appId, owner: "acme", repositories: ["other"] });
  await sandbox.deliveries.settled();
  expect(await toldAfter(lab, push)).toEqual([]);
});

test("the App finds failed deliveries in its list, and those that were sent again", async () => {
  const lab = await openLab();
  lab.inbox.answer = 503;
  lab.sandbox.push({ repository: REPOSITORY, branch: "main", files: { a: "1" } });
  await lab.sandbox.deliveries.settled();
  const { body } = await lab.asApp("GET /app/hook/deliveries");
  const failed = body.find((row: { event: string }) => row.event === "push");
  expect(failed).toMatchObject({ status_code: 503, redelivery: false });
  lab.inbox.answer = 200;
  await lab.sandbox.deliveries.redeliver(failed.id);
  const [newest] = (await lab.asApp("GET /app/hook/deliveries")).body;
  expect(newest).toMatchObject({ guid: failed.guid, redelivery: true, status_code: 200 });
});

test("a push says what it changed, and whether it was forced", async () => {
  const lab = await openLab();
  const push = { repository: REPOSITORY, branch: "main", files: { "a.tf": "1", "main.tf": null } };
  await toldAfter(lab, () => lab.sandbox.push(push));
  await toldAfter(lab, () => lab.sandbox.forcePush({ ...push, files: { "main.tf": "2" } }));
  expect(lab.sandbox.deliveries.list({ event: "push" }).map(({ body }) => JSON.parse(body))).toMatchObject([
    { forced: false, commits: [{ added: ["a.tf"], removed: ["main.tf"], modified: [] }] },
    { forced: true },
  ]);
});

test("a delivery that comes twice, or is sent again, has one id", async () => {
  const lab = await openLab();
  const { deliveries } = lab.sandbox;
  deliveries.duplicate({ event: "push" });
  lab.sandbox.push({ repository: REPOSITORY, branch: "main", files: { a: "1" } });
  await deliveries.settled();
  await deliveries.redeliver(deliveries.list({ event: "push" })[0]?.id ?? 0);
  const sent = lab.inbox.received.filter(({ event }) => event === "push");
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ headers }) => headers["x-github-delivery"])).size).toBe(1);
});
