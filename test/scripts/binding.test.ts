import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rememberDelivered } from "../../src/evaluate/facts/executions.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/store/tokens.ts";
import { listOwnUrls } from "../../src/wiring/github.ts";
import { buildOperatorRules } from "../../src/wiring/policy/operator-rules.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production], within: 2h }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "25", change: "15" };
const EXPENSIVE = { before: "10", after: "910", change: "900" };

describe("which executions belong to a pull request", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({
      policy: POLICY,
      operator: () => ({ other_pipelines: [{ org: OWNER, project: NAME, pipeline: "build-*" }] }),
    });
  });
  afterAll(() => world.ends());

  /** A pull request for which nothing is expected. */
  const opensDocuments = () => {
    documents += 1;
    return world.opensPullRequest({ files: { [`docs/${documents}.md`]: "# text\n" } });
  };
  let documents = 0;

  it("an execution that the platform does not list holds the check, and is named", async () => {
    const pull = opensDocuments();
    world.ci.posts({ sha: pull.headSha, executionId: "lost", state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    for (const seconds of [2, 4, 8, 16]) await world.timePasses(seconds * 1_000);
    expect(world.gate(pull)).toBe("failure");
    expect(world.checkOf(pull).output.title).toBe("Undecided: 1 execution could not be read");
    expect(world.comment(pull).split("####")[0]).toMatchInlineSnapshot(`
      "### ❓ Undecided: 1 execution could not be read

      **To merge:** the platform did not return the executions below after several requests, so it is unknown what merging changes. Press **Re-check** on the check to try again. If this persists, tell the operator of Tollgate. List a pipeline that provisions nothing in the operator's \`other_pipelines\`.

      - \`lost\`: the platform does not list this execution

      "
    `);
  });

  it("an execution of a pipeline that provisions nothing, as the operator says, is none", async () => {
    const pull = opensDocuments();
    const url = world.ci.executionUrl("build-1").replace("/pipelines/infra/", "/pipelines/build-docs/");
    world.ci.posts({ sha: pull.headSha, executionId: "build-1", state: "success", url });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("an execution that runs is waited for before the platform lists it", async () => {
    const pull = opensDocuments();
    const executionId = crypto.randomUUID();
    world.ci.posts({ sha: pull.headSha, executionId, state: "pending" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    await world.ci.runs({ sha: pull.headSha, executionId, cost: COST, changes: [], bind: "none" });
    world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("an execution that ended before it provisioned counts no longer when another took its status and minutes passed", async () => {
    const pull = opensDocuments();
    const again = await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none" });
    for (const executionId of ["aborted", again]) {
      world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
      await world.settles();
    }
    expect(world.gate(pull)).toBe("in_progress");
    await world.timePasses(6 * 60_000);
    world.ci.posts({ sha: pull.headSha, executionId: again, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("an execution whose delivery was lost and whose status is hidden counts, also when GitHub lists the statuses late", async () => {
    const pull = opensDocuments();
    const [hidden, shown] = [
      await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [], bind: "none" }),
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none", workspace: "staging" }),
    ];
    world.github.deliveries.drop({ event: "status" }, 1);
    world.github.faults.add({ kind: "status", status: 502, match: { path: /\/statuses/ }, times: 6 });
    for (const executionId of [hidden, shown])
      world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull)).toContain("+$915");
  });

  it("an execution that a trusted delivery named counts while GitHub's replica does not show its status yet", async () => {
    const pull = opensDocuments();
    const executionId = await world.ci.runs({
      sha: pull.headSha,
      cost: EXPENSIVE,
      changes: [],
      bind: "none",
    });
    const { store, clock } = world.bot.session;
    const operator = buildOperatorRules(world.settings, listOwnUrls(world.settings));
    const gateAfter = async (posterId: number) => {
      const named = { by: "status" as const, posterId, url: world.ci.executionUrl(executionId) };
      const at = { repositoryId: world.repositoryId, sha: pull.headSha };
      await rememberDelivered({ db: store.db, clock, operator }, at, named);
      world.github.addLabel(pull, { label: `told-by-${posterId}` });
      await world.settles();
      return world.gate(pull);
    };
    const [trusted = 0] = operator.trustedUsers;
    expect(await gateAfter(trusted + 1_000)).toBe("success");
    expect(await gateAfter(trusted)).toBe("failure");
  });

  it("a status by somebody who is not trusted is a claim: shown as unproven, never a pass", async () => {
    world.github.createOwner({ login: "stranger", type: "user" });
    const pull = world.opensPullRequest();
    const executionId = await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none" });
    world.ci.posts({ sha: pull.headSha, executionId, state: "success", creator: "stranger" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.comment(pull)).toMatch(/unproven|not proven/i);
    world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("an older execution that ends last does not hide the newer one of its status", async () => {
    const pull = world.opensPullRequest();
    const [older, newer] = [
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none" }),
      await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [], bind: "none" }),
    ];
    for (const executionId of [newer, older])
      world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
  });

  it("an execution that a hidden status named proves nothing once the operator does not trust its poster any more", async () => {
    const pull = world.opensPullRequest();
    const [hidden, shown] = [
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none" }),
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none", workspace: "staging" }),
    ];
    for (const executionId of [hidden, shown])
      world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    const { db } = world.bot.session.store;
    const former = { poster_id: 999 };
    await db.updateTable("bindings").set(former).where("pipeline_execution_id", "=", hidden).execute();
    world.ci.posts({ sha: pull.headSha, executionId: shown, state: "success" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.comment(pull)).toMatch(/unproven|not proven/i);
  });

  it("an execution of another project is refused without a figure", async () => {
    const pull = world.opensPullRequest();
    const executionId = await world.ci.runs({
      sha: pull.headSha,
      project: "payroll",
      cost: COST,
      changes: [],
      bind: "none",
    });
    world.ci.posts({
      sha: pull.headSha,
      executionId,
      state: "success",
      url: world.ci.executionUrl(executionId, { project: "payroll" }),
    });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.comments(pull).join("")).not.toContain("$15");
  });

  it("a URL of another account or host names nothing", async () => {
    const pull = world.opensPullRequest();
    const executionId = await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "none" });
    const url = world.ci.executionUrl(executionId);
    for (const wrong of [url.replace("/acc/", "/other/"), url.replace("127.0.0.1", "127.0.0.2")]) {
      world.ci.posts({ sha: pull.headSha, executionId, state: "success", url: wrong });
    }
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
  });

  describe("a notification", () => {
    const notify = async (body: object, token: string | null) => {
      const headers = {
        "content-type": "application/json",
        ...(token === null ? {} : { "x-api-key": token }),
      };
      const url = `${world.bot.url}/api/executions`;
      const response = await world.fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };

    it("binds an execution to the commit of a merge group, which it decides", async () => {
      const pull = world.opensPullRequest();
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [] });
      await world.settles();
      const group = world.github.addToMergeQueue([pull]);
      await world.settles();
      expect(world.gate(group)).toBe("success");
      const sha = group.headSha;
      const pipeline_execution_id = await world.ci.runs({
        sha,
        changes: [],
        status: "failure",
        bind: "none",
      });
      const execution = { repository: REPOSITORY, org: OWNER, project: NAME, pipeline_execution_id };
      const token = await world.ci.token({ purpose: "notify" });
      expect(await notify({ ...execution, sha }, token)).toEqual({
        status: 202,
        body: { accepted: true, pull_requests: [] },
      });
      await world.settles();
      expect(world.gate(group)).toBe("failure");
      world.github.destroyMergeGroup(group.id, "dequeued");
    });

    it("binds an execution to an open head", async () => {
      const pull = world.opensPullRequest();
      await world.settles();
      const pipeline_execution_id = await world.ci.runs({
        sha: pull.headSha,
        cost: COST,
        changes: [],
        bind: "none",
      });
      const token = await world.ci.token({ purpose: "notify" });
      const body = {
        repository: REPOSITORY,
        sha: pull.headSha,
        org: OWNER,
        project: NAME,
        pipeline_execution_id,
      };
      expect(await notify(body, token)).toEqual({
        status: 202,
        body: { accepted: true, pull_requests: [pull.number] },
      });
      await world.settles();
      expect(world.gate(pull)).toBe("success");
      expect(world.comment(pull)).toContain("+$15");
    });

    it("is refused without a token, with another's token, for another project, and for a commit that is no head", async () => {
      const token = await world.ci.token({ purpose: "notify" });
      const body = {
        repository: REPOSITORY,
        sha: "a".repeat(40),
        org: OWNER,
        project: NAME,
        pipeline_execution_id: "x",
      };
      expect(await notify(body, null)).toMatchObject({ status: 401 });
      expect(await notify(body, `${token}x`)).toMatchObject({ status: 401 });
      expect(await notify(body, await world.ci.token({ purpose: "import" }))).toMatchObject({ status: 403 });
      expect(await notify({ ...body, project: "payroll" }, token)).toMatchObject({ status: 403 });
      expect(await notify({ ...body, repository: "acme/other" }, token)).toMatchObject({ status: 403 });
      const lost = await notify(body, token);
      expect(lost.status).toBe(422);
      expect(lost.body["hint"]).toMatch(/head sha/);
      expect(await notify({ ...body, sha: "HEAD", extra: 1 }, token)).toMatchObject({ status: 400 });
    });
  });
});

describe("an execution that was bound to the wrong commit", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY });
  });
  afterAll(() => world.ends());

  const remove = async (
    execution: string,
    sha: string,
    { key = "", account = "acc", repository = REPOSITORY } = {},
  ) => {
    const own =
      key || (await createToken(world.bot.session.store.db, { purpose: "api", account }, systemClock)).secret;
    const place = `orgs/${OWNER}/projects/${NAME}/executions/${execution}/commits/${sha}`;
    const url = `${world.bot.url}/tollgate/v1/${place}?repository=${repository}`;
    const headers = { "x-api-key": own, "platform-account": account };
    return (await world.fetch(url, { method: "DELETE", headers })).status;
  };

  /** A pull request that an expensive execution of another workspace blocks. */
  async function opensBlocked() {
    const pull = world.opensPullRequest();
    await world.settles();
    await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [] });
    const merge = world.github.testMerge(pull) ?? "";
    const runs = (sha: string) => world.ci.runs({ sha, cost: EXPENSIVE, changes: [], workspace: "staging" });
    return { pull, merge, runs };
  }

  it("counts no longer once the operator removes its binding, and a token of a project removes none", async () => {
    const { pull, runs } = await opensBlocked();
    const wrong = await runs(pull.headSha);
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    const importer = await world.ci.token({ purpose: "import" });
    expect(await remove(wrong, pull.headSha, { key: importer })).toBe(403);
    expect(await remove(wrong, pull.headSha, { account: "second" })).toBe(404);
    expect(await remove(wrong, pull.headSha, { repository: `${OWNER}/old-name` })).toBe(404);
    expect(await remove(wrong, pull.headSha)).toBe(204);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).not.toContain("staging");
    expect(await remove(wrong, pull.headSha)).toBe(404);
  });

  it("counts no longer when the pull request was closed while the operator removed its binding", async () => {
    const { pull, runs } = await opensBlocked();
    const wrong = await runs(pull.headSha);
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    world.github.closePullRequest(pull);
    await world.settles();
    expect(await remove(wrong, pull.headSha)).toBe(204);
    world.github.reopenPullRequest(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it.each([
    "its test merge",
    "its test merge, whose base has moved since",
    "its head, of an execution for the test merge",
  ])("counts no longer once the operator removes its binding to %s", async (named) => {
    const { pull, merge, runs } = await opensBlocked();
    await world.settles();
    const wrong = await runs(merge);
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    if (named.includes("moved")) {
      world.github.push({ repository: REPOSITORY, branch: "main", files: { "docs/moved.md": "# text\n" } });
      await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], workspace: "later" });
      await world.settles();
      expect(world.gate(pull)).toBe("failure");
    }
    expect(await remove(wrong, named.startsWith("its head") ? pull.headSha : merge)).toBe(204);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });
});

describe("a public repository", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY, visibility: "public" });
  });
  afterAll(() => world.ends());

  it("shows verdict and counts, and no figures anywhere", async () => {
    const pull = world.opensPullRequest();
    const changes = [{ address: "aws_instance.web", change: "added" as const }];
    await world.ci.runs({
      sha: pull.headSha,
      cost: { before: "1111.11", after: "8888.88", change: "7777.77" },
      changes,
    });
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    const { output } = world.checkOf(pull);
    const shown = [world.comment(pull), output.title, output.summary, output.text].join("\n");
    expect(shown).not.toMatch(/\b(?:1,?111|8,?888|7,?777)\b|\$/);
    expect(shown).toContain("**1** created");
  });

  it("is served for a fork's pull request too", async () => {
    world.github.createOwner({ login: "forker", type: "user" });
    world.github.forkRepository({ repository: REPOSITORY, owner: "forker" });
    world.github.push({ repository: "forker/shop", branch: "idea", files: { "infra/f.tf": "# f\n" } });
    const pull = world.github.openPullRequest({
      repository: REPOSITORY,
      head: "forker:idea",
      title: "From a fork",
      author: "forker",
    });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "status" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).not.toContain("$15");
  });
});
