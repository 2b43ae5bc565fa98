import { describe, expect, test } from "vitest";
import { openLab } from "./lab.ts";

const R = "/repos/acme/infra";

async function withPull() {
  const lab = await openLab();
  const pull = lab.sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
  const create = (body: object) =>
    lab.asBot(`POST ${R}/check-runs`, { name: "tollgate: main", head_sha: pull.headSha, ...body });
  return { ...lab, pull, create };
}

describe("check runs", () => {
  test.each([
    ["a summary of 65,536 characters", { output: { title: "t", summary: "x".repeat(65_536) } }],
    ["a text of 65,536 characters", { output: { title: "t", summary: "s", text: "x".repeat(65_536) } }],
    ["four buttons", { actions: Array(4).fill({ label: "l", description: "d", identifier: "i" }) }],
    [
      "a button's label of 21 characters",
      { actions: [{ label: "l".repeat(21), description: "d", identifier: "i" }] },
    ],
    [
      "a button's description of 41",
      { actions: [{ label: "l", description: "d".repeat(41), identifier: "i" }] },
    ],
    [
      "a button's identifier of 21",
      { actions: [{ label: "l", description: "d", identifier: "i".repeat(21) }] },
    ],
    ["a button without identifier", { actions: [{ label: "l", description: "d" }] }],
    ["completed without a conclusion", { status: "completed" }],
    ["a conclusion that only GitHub gives", { conclusion: "stale" }],
    ["a commit that is not there", { head_sha: "f".repeat(40) }],
  ])("%s is refused with 422 and leaves nothing behind", async (_, body) => {
    const { create, sandbox, pull } = await withPull();
    expect((await create(body)).status).toBe(422);
    expect(sandbox.checkRuns({ repository: "acme/infra", sha: pull.headSha })).toEqual([]);
  });

  test("the largest that GitHub takes is taken", async () => {
    const { create } = await withPull();
    const text = "x".repeat(65_535);
    const action = { label: "l".repeat(20), description: "d".repeat(40), identifier: "i".repeat(20) };
    const output = { title: "t", summary: text, text };
    expect((await create({ output, actions: [action, action, action] })).status).toBe(201);
  });

  test("a conclusion completes, a status opens again", async () => {
    const { create, asBot } = await withPull();
    const { body } = await create({ status: "in_progress", external_id: "e1" });
    const path = `${R}/check-runs/${body.id}`;
    const done = await asBot(`PATCH ${path}`, { conclusion: "failure" });
    expect(done.body).toMatchObject({ status: "completed", conclusion: "failure", external_id: "e1" });
    const open = await asBot(`PATCH ${path}`, { status: "in_progress" });
    expect(open.body).toMatchObject({ status: "in_progress", conclusion: null });
  });

  test("lists filter by name and App and show the newest of a name; nobody else's run can be changed", async () => {
    const { create, asBot, sandbox, pull, appId } = await withPull();
    const other = await sandbox.registerApp({ name: "Other" });
    const spoof = { repository: "acme/infra", sha: pull.headSha, name: "tollgate: main" };
    const foreign = sandbox.postCheckRun({ ...spoof, appId: other.id, conclusion: "success" });
    const first = (await create({ conclusion: "failure" })).body.id;
    const second = (await create({ conclusion: "neutral" })).body.id;
    const list = async (query: string) => {
      const { body } = await asBot(`GET ${R}/commits/${pull.headSha}/check-runs?${query}`);
      return body.check_runs.map((run: { id: number }) => run.id);
    };
    expect(await list(`check_name=tollgate:%20main&app_id=${appId}`)).toEqual([second]);
    expect(await list("filter=all")).toEqual([second, first, foreign.id]);
    expect(await list("check_name=none")).toEqual([]);
    expect((await asBot(`PATCH ${R}/check-runs/${foreign.id}`, { conclusion: "failure" })).status).toBe(403);
  });
});

test("a context takes 1,000 statuses on one commit and no more", async () => {
  const { sandbox, pull } = await withPull();
  const status = { repository: "acme/infra", sha: pull.headSha, context: "ci", state: "success" } as const;
  for (let count = 0; count < 1000; count += 1) sandbox.postStatus(status);
  expect(() => sandbox.postStatus(status)).toThrow("Validation Failed");
  expect(sandbox.postStatus({ ...status, context: "other" }).context).toBe("other");
});

describe("comments", () => {
  test.each([
    [65_536, 201],
    [65_537, 422],
    [0, 422],
  ])("a body of %i characters is answered %i", async (length, status) => {
    const { asBot } = await withPull();
    const reply = await asBot(`POST ${R}/issues/1/comments`, { body: "x".repeat(length) });
    expect(reply.status).toBe(status);
  });
});

test("a pull request lists at most 3,000 of its files", async () => {
  const { sandbox, asBot } = await openLab();
  const files = Object.fromEntries(Array.from({ length: 3005 }, (_, index) => [`f/${index}.tf`, `${index}`]));
  sandbox.push({ repository: "acme/infra", branch: "huge", files });
  sandbox.openPullRequest({ repository: "acme/infra", head: "huge", title: "Huge" });
  const last = await asBot(`GET ${R}/pulls/1/files?per_page=100&page=30`);
  const beyond = await asBot(`GET ${R}/pulls/1/files?per_page=100&page=31`);
  expect([last.body.length, beyond.body.length]).toEqual([100, 0]);
});
