import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import type { Visitor } from "../world/visitor.ts";

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n";
const CHANGES = [
  {
    address: "aws_db_instance.main",
    change: "changed" as const,
    attributes: { instance_class: { old: "db.m7g.large", new: "db.m7g.xlarge" } },
  },
  { address: "aws_iam_role.gone", change: "deleted" as const },
];
const AMOUNT = /\b(10|500|510)\.00\b/;

let world: SimulatedWorld;
const pathOf = (executionId: string, { org = OWNER, project = NAME } = {}) =>
  `/executions/${org}/${project}/${executionId}`;

/** A pull request, and the execution that was recorded for its commit. */
async function plans(run: Partial<Parameters<SimulatedWorld["ci"]["runs"]>[0]> = {}) {
  const pull = world.opensPullRequest({ title: "Double the database" });
  const invocations = ["action.aws_lambda_invoke.run"];
  const planned = { sha: pull.headSha, cost: EXPENSIVE, changes: CHANGES, invocations };
  const executionId = await world.ci.runs({ ...planned, ...run });
  await world.settles();
  return { pull, executionId };
}

describe("an execution of the embedded platform", () => {
  let ada: Visitor;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY });
    ada = await world.signsIn("ada");
  });
  afterAll(() => world.ends());

  test("has a page with its cost, changes, notes and origin, to which comment and pull request lead", async () => {
    const { pull, executionId } = await plans({ bind: "audit" });
    const path = pathOf(executionId);
    const [comment] = world.github.comments(pull);
    expect(comment?.body).toContain(`](${world.settings.publicUrl}${path}`);
    const pullPage = `/r/${REPOSITORY}/pull/${pull.number}`;
    for (const view of ["overview", "facts"])
      expect(await ada.reads(`${pullPage}?view=${view}`)).toContain(
        `href="${world.settings.publicUrl}${path}"`,
      );
    const html = await ada.reads(path);
    for (const text of ["+$500.00", "aws_iam_role.gone", "action.aws_lambda_invoke.run", executionId])
      expect(html).toContain(text);
    expect(html).toContain(`href="${world.github.url}/${REPOSITORY}/commit/${pull.headSha}"`);
    expect(html).toContain(`href="${pullPage}">#${pull.number} Double the database</a>`);
    const resources = await ada.reads(`${path}?view=resources`);
    const [, link = ""] = /href="([^"]*resource=aws_db_instance[^"]*)"/.exec(resources) ?? [];
    expect(await ada.reads(link.replaceAll("&amp;", "&"))).toContain("<code>db.m7g.xlarge</code>");
  });

  test("keeps the pull requests that used it after a push", async () => {
    const { pull, executionId } = await plans();
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/main.tf": "#2\n" } });
    await world.plans(world.github.pullRequest(pull));
    expect(await ada.reads(pathOf(executionId))).toContain(`>#${pull.number} Double`);
  });

  test("is where the URL of its status leads to", async () => {
    const { executionId } = await plans();
    const { pathname } = new URL(world.ci.executionUrl(executionId));
    const answer = await ada.opens(`${pathname}?stage=plan`);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, pathOf(executionId)]);
    for (const other of ["/ng/account/acc", pathname.replace("/acc/", "/other/")])
      expect((await ada.opens(other)).status).toBe(404);
  });

  test("has files of its tables, and the page of one stage", async () => {
    const { executionId } = await plans();
    const path = pathOf(executionId);
    const stages = await ada.opens(`${path}/${executionId}-plan?format=json`);
    const costs = { before: "10", after: "510", change: "500", currency: "USD" };
    expect(await stages.json()).toEqual([expect.objectContaining({ workspace: "production", ...costs })]);
    const resources = await ada.reads(`${path}?view=resources&format=csv`);
    expect(resources).toContain("aws_iam_role.gone");
    expect((await ada.opens(`${path}/other-plan`)).status).toBe(404);
  });

  test("is read, and nothing is stored of it by that", async () => {
    const executionId = await world.ci.runs({ sha: "d".repeat(40), cost: EXPENSIVE, changes: CHANGES });
    const { db } = world.bot.session.store;
    const stored = () =>
      db.selectFrom("facts").selectAll().where("pipeline_execution_id", "=", executionId).execute();
    const answer = await ada.opens(pathOf(executionId));
    expect([answer.status, await stored()]).toEqual([200, []]);
    const html = await answer.text();
    expect(html).toContain("<dt>Pull requests</dt><dd>none</dd>");
    expect(html).toContain("<dt>Recorded by</dt><dd>a token without a name</dd>");
  });

  test("shows what is known of it now: nothing while it runs, its changes later, and its cost when it has ended", async () => {
    const sha = world.opensPullRequest().headSha;
    const begun = { sha, bind: "none", status: null } as const;
    const executionId = await world.ci.runs(begun);
    const runs = await ada.reads(pathOf(executionId));
    expect([runs.includes("Still running"), runs.includes("$")]).toEqual([true, false]);
    const same = { ...begun, executionId, status: "success", cost: EXPENSIVE } as const;
    await world.ci.runs(same);
    const ended = await ada.reads(pathOf(executionId));
    expect([ended.includes("Succeeded"), ended.includes("+$500.00")]).toEqual([true, true]);
    expect(ended).not.toContain("aws_db_instance.main");
    await world.ci.runs({ ...same, changes: CHANGES });
    expect(await ada.reads(pathOf(executionId))).toContain("aws_db_instance.main");
  });

  test("that states that there is nothing to plan says who stated it", async () => {
    const sha = world.opensPullRequest().headSha;
    const executionId = await world.ci.runs({ sha, nothingToPlan: true });
    await world.settles();
    expect(await ada.reads(pathOf(executionId))).toMatch(
      /<dt>Nothing to plan<\/dt><dd>production, stated by token/,
    );
  });

  test("is nothing to those who cannot read its repository, as one that does not exist", async () => {
    const { executionId } = await plans();
    const stranger = await world.signsIn("mallory", "stranger");
    const missing = await stranger.opens(pathOf("nothing"));
    const hidden = await stranger.opens(pathOf(executionId));
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(await hidden.text()).toBe(await missing.text());
    expect((await world.visits().opens(pathOf(executionId))).status).toBe(302);
  });

  test.each([
    pathOf("..%2f..%2fr"),
    pathOf("a b"),
    pathOf("x".repeat(129)),
    pathOf("none", { org: "%2e%2e" }),
    pathOf("%ff"),
    "/executions",
    "/executions/acme/shop",
  ])("%s does not exist", async (path) => {
    expect((await ada.opens(path)).status).toBe(404);
  });

  test("of a project that its repository may not see is shown to nobody", async () => {
    const sha = world.opensPullRequest().headSha;
    const executionId = await world.ci.runs({ sha, cost: EXPENSIVE, changes: CHANGES, project: "payroll" });
    expect((await ada.opens(pathOf(executionId, { project: "payroll" }))).status).toBe(404);
  });

  test("that another repository's record claims belongs to that repository, and is hidden where it may not see the project", async () => {
    world.github.createOwner({ login: "rival", type: "organisation" });
    const made = {
      owner: "rival",
      name: NAME,
      visibility: "private" as const,
      files: { "README.md": "#\n" },
    };
    world.github.createRepository(made);
    world.github.installApp({ appId: world.appId, owner: "rival" });
    world.github.addMember({ organisation: "rival", login: "eve" });
    await world.settles();
    const { executionId } = await plans();
    const eve = await world.signsIn("eve", "stranger").catch(() => world.visits());
    await eve.signsIn("eve");
    expect((await eve.opens(pathOf(executionId))).status).toBe(404);
  });
});

test("an execution of a public repository shows no amount and no value, on no view and in no file", async () => {
  world = await createSimulatedWorld({ policy: POLICY, visibility: "public" });
  const { executionId } = await plans();
  const ada = await world.signsIn("ada");
  const path = pathOf(executionId);
  const resources = await ada.reads(`${path}?view=resources`);
  const [, link = ""] = /href="([^"]*resource=aws_db_instance[^"]*)"/.exec(resources) ?? [];
  const files = [`${path}?format=csv`, `${path}/${executionId}-plan?view=resources&format=json`];
  const views = [path, `${path}?view=resources`, `${path}?view=modules`, link.replaceAll("&amp;", "&")];
  for (const rest of [...views, ...files]) {
    const answer = await ada.opens(rest);
    expect([rest, answer.status]).toEqual([rest, 200]);
    const text = await answer.text();
    expect(text).not.toMatch(AMOUNT);
    expect(text).not.toContain("db.m7g");
  }
  await world.ends();
});

test("an execution of a granted project that only a status names has a page, to which the comment leads", async () => {
  world = await createSimulatedWorld({
    policy: POLICY,
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: OWNER, project: NAME }] }),
  });
  const { pull, executionId } = await plans({ bind: "status" });
  expect(world.github.comments(pull)[0]?.body).toContain(pathOf(executionId));
  const ada = await world.signsIn("ada");
  const html = await ada.reads(pathOf(executionId));
  for (const text of ["+$500.00", `/commit/${pull.headSha}`, `>#${pull.number} Double`])
    expect(html).toContain(text);
  const stranger = await world.signsIn("mallory", "stranger");
  expect((await stranger.opens(pathOf(executionId))).status).toBe(404);
  await world.ends();
});
