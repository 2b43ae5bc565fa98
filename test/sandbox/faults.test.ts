import { expect, test } from "vitest";
import { openLab } from "./lab.ts";

const R = "/repos/acme/infra";

test("a fault can be limited to calls that send a text, which distinguishes GraphQL calls", async () => {
  const { sandbox, asBot } = await openLab();
  sandbox.faults.add({ kind: "status", status: 403, times: 2, match: { body: /viewer/ } });
  expect((await asBot(`GET ${R}`)).status).toBe(200);
  expect((await asBot("POST /graphql", { query: "{ __typename }" })).status).toBe(200);
  expect((await asBot("POST /graphql", { query: "{ viewer { login } }" })).status).toBe(403);
});

test("a reset leaves nothing behind; a lost answer leaves the comment behind", async () => {
  const { sandbox, asBot } = await openLab();
  const pull = sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
  const comment = () => asBot(`POST ${R}/issues/1/comments`, { body: "hello" });
  sandbox.faults.add({ kind: "reset", match: { method: "POST" } });
  await expect(comment()).rejects.toThrow();
  expect(sandbox.comments(pull)).toHaveLength(0);
  sandbox.faults.add({ kind: "lost-response-after-write", match: { method: "POST" } });
  await expect(comment()).rejects.toThrow();
  expect(sandbox.comments(pull)).toHaveLength(1);
  expect(sandbox.requests.list({ method: "POST" }).map(({ status }) => status)).toEqual([0, 0]);
});
