import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openLab } from "./lab.ts";

const file = fileURLToPath(import.meta.resolve("@octokit/webhooks-examples/api.github.com/index.json"));
const events = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly examples: readonly unknown[] }[];
const ALL = events.flatMap(({ examples }) => examples);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kind = (value: unknown): string =>
  Array.isArray(value) ? "array" : value === null ? "null" : typeof value;

/** Maps with whatever keys an App asked for, and what the examples are too old to have. */
const OPEN = ["permissions", "client_id", "stack", "changes"];

/** Where a body has what no example of any event has, or another type than all of them. */
function differences(body: unknown, like: readonly unknown[], path = ""): string[] {
  if (like.length === 0) return [`${path} is unknown`];
  const present = like.filter((example) => example !== null);
  if (present.length === 0 || body === null) return [];
  if (!present.some((example) => kind(example) === kind(body))) return [`${path} is ${kind(body)}`];
  if (Array.isArray(body)) {
    const inside = present.flatMap((example) => (Array.isArray(example) ? example : []));
    return body.length === 0 || inside.length === 0 ? [] : differences(body[0], inside, `${path}[0]`);
  }
  if (!isObject(body)) return [];
  const objects = present.filter(isObject);
  return Object.entries(body)
    .filter(([key]) => !OPEN.includes(key))
    .flatMap(([key, value]) => {
      const inside = objects.flatMap((example) => (key in example ? [example[key]] : []));
      return differences(value, inside, `${path}.${key}`);
    });
}

/** Every delivery that Tollgate listens to, once. */
async function everyDelivery() {
  const lab = await openLab();
  const { sandbox, appId, installationId, inbox } = lab;
  const repository = "acme/infra";
  const pull = sandbox.openPullRequest({ repository, head: "more", title: "More", body: "b" });
  sandbox.push({ repository, branch: "more", files: { z: "1" } });
  sandbox.push({ repository, branch: "lax", files: { a: "1" } });
  sandbox.retargetPullRequest(pull, { base: "lax" });
  sandbox.retargetPullRequest(pull, { base: "main" });
  sandbox.convertToDraft(pull);
  sandbox.markReadyForReview(pull);
  sandbox.addLabel(pull, { label: "x" });
  sandbox.removeLabel(pull, { label: "x" });
  sandbox.review(pull, { by: "grace", state: "commented", body: "why" });
  const comment = sandbox.addComment(pull, { body: "hello" });
  sandbox.editComment(comment.id, { body: "there" });
  sandbox.deleteComment(comment.id);
  const { headSha: sha } = sandbox.pullRequest(pull);
  sandbox.postStatus({ repository, sha, context: "ci", state: "success" });
  const run = sandbox.postCheckRun({ repository, sha, appId, name: "n", conclusion: "success" });
  sandbox.rerequestCheckRun({ checkRunId: run.id });
  sandbox.requestCheckAction({ checkRunId: run.id, identifier: "recheck" });
  sandbox.rerequestCheckSuite({ checkSuiteId: run.suiteId });
  sandbox.addToMergeQueue([pull]);
  sandbox.closePullRequest(pull);
  sandbox.reopenPullRequest(pull);
  sandbox.renameRepository({ repository, name: "b" });
  sandbox.setVisibility({ repository: "acme/b", visibility: "public" });
  sandbox.setVisibility({ repository: "acme/b", visibility: "private" });
  sandbox.createRepository({ owner: "grace", name: "gift" });
  sandbox.transferRepository({ repository: "grace/gift", owner: "acme" });
  sandbox.suspendInstallation(installationId);
  sandbox.unsuspendInstallation(installationId);
  sandbox.uninstallApp(installationId);
  sandbox.installApp({ appId, owner: "acme" });
  await sandbox.deliveries.settled();
  return inbox.received;
}

test("deliveries have only what GitHub's examples have, with the same types", async () => {
  const received = await everyDelivery();
  const seen = new Set(received.map(({ event, action }) => `${event}.${action ?? ""}`));
  expect([...seen].sort()).toMatchInlineSnapshot(`
    [
      "check_run.completed",
      "check_run.created",
      "check_run.requested_action",
      "check_run.rerequested",
      "check_suite.completed",
      "check_suite.requested",
      "check_suite.rerequested",
      "installation.created",
      "installation.deleted",
      "installation.suspend",
      "installation.unsuspend",
      "issue_comment.created",
      "issue_comment.deleted",
      "issue_comment.edited",
      "merge_group.checks_requested",
      "pull_request.closed",
      "pull_request.converted_to_draft",
      "pull_request.edited",
      "pull_request.labeled",
      "pull_request.opened",
      "pull_request.ready_for_review",
      "pull_request.reopened",
      "pull_request.synchronize",
      "pull_request.unlabeled",
      "pull_request_review.submitted",
      "push.",
      "repository.privatized",
      "repository.publicized",
      "repository.renamed",
      "repository.transferred",
      "status.",
    ]
  `);
  const wrong = received.flatMap(({ event, action, body }) =>
    differences(body, ALL).map((line) => `${event}.${action ?? ""} ${line}`),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

test("the comparison finds an unknown field and another type", () => {
  const like = [{ id: 1, user: { login: "a" }, labels: [{ name: "x" }] }];
  expect(differences({ id: "1", user: {}, labels: [{ names: "x" }] }, like)).toEqual([
    ".id is string",
    ".labels[0].names is unknown",
  ]);
});
