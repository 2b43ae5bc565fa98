import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/store/tokens.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const RIVAL = `rival/${NAME}`;
const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 500 USD } }\n";
const OURS = { before: "4141.41", after: "4343.43", change: "202.02" };
const FIGURES = /\b(4,?141|4,?343|202\.02)\b/;
const changes = [{ address: "aws_secret_project.web", change: "added" as const }];

describe("two organisations with a repository and a project of one name", () => {
  let world: SimulatedWorld;
  let rivalId = 0;
  let execution = "";
  const sha = { ours: "", theirs: "" };

  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY });
    world.github.createOwner({ login: "rival", type: "organisation" });
    const files = { "README.md": "# shop\n", ".github/tollgate.yml": POLICY };
    rivalId = world.github.createRepository({ owner: "rival", name: NAME, visibility: "private", files }).id;
    world.github.installApp({ appId: world.appId, owner: "rival" });
    await world.settles();
    const pull = world.opensPullRequest();
    sha.ours = pull.headSha;
    execution = await world.ci.runs({ sha: pull.headSha, cost: OURS, changes });
    await world.settles();
    expect(world.comment(pull)).toMatch(FIGURES);
  });
  afterAll(() => world.ends());

  let number = 0;
  function theirPull() {
    number += 1;
    const branch = `theirs-${number}`;
    world.github.push({ repository: RIVAL, branch, files: { [`infra/${branch}.tf`]: `# ${branch}\n` } });
    const pull = world.github.openPullRequest({ repository: RIVAL, head: branch, title: "Theirs" });
    sha.theirs = pull.headSha;
    return pull;
  }

  /** Everything that their pull request shows. */
  function shown(pull: ReturnType<typeof theirPull>): string {
    const checks = world.github.checkRuns({ repository: RIVAL, sha: pull.headSha, appId: world.appId });
    expect(checks).toHaveLength(1);
    expect(checks[0]?.conclusion).not.toBe("success");
    return `${world.comments(pull).join("\n")}${JSON.stringify(checks)}`;
  }

  const token = async (purpose: "import" | "notify") => {
    const grant = { purpose, account: "acc", repositoryId: rivalId, org: "rival", project: NAME };
    return (await createToken(world.bot.session.store.db, grant, systemClock)).secret;
  };

  const call = (path: string, key: string, body?: object) =>
    world.fetch(`${world.bot.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": key, "platform-account": "acc", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const silent = async (pull: ReturnType<typeof theirPull>) => {
    await world.settles();
    expect(shown(pull)).not.toMatch(FIGURES);
    expect(shown(pull)).not.toContain("aws_secret_project");
  };

  it("a trusted status that points at the other's execution shows nothing of it", async () => {
    const pull = theirPull();
    const status = {
      repository: RIVAL,
      sha: pull.headSha,
      context: "infra-plan",
      state: "success" as const,
      creator: "ci",
    };
    world.github.postStatus({ ...status, targetUrl: world.ci.executionUrl(execution) });
    await silent(pull);
  });

  it("a notification of theirs cannot name the other's project, and naming the execution alone shows nothing", async () => {
    const pull = theirPull();
    await world.settles();
    const key = await token("notify");
    const body = {
      repository: RIVAL,
      sha: pull.headSha,
      org: OWNER,
      project: NAME,
      pipeline_execution_id: execution,
    };
    expect((await call("/api/executions", key, body)).status).toBe(403);
    expect((await call("/api/executions", key, { ...body, repository: REPOSITORY })).status).toBe(403);
    expect((await call("/api/executions", key, { ...body, org: "rival" })).status).toBe(202);
    await silent(pull);
  });

  it("an import token of theirs neither reads nor writes the other's project", async () => {
    const key = await token("import");
    const other = `/api/orgs/${OWNER}/projects/${NAME}/executions`;
    for (const path of [other, `${other}/${execution}/resource-changes`]) {
      const answer = await call(path, key);
      expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringMatching(FIGURES)]);
    }
    const stage = { pipeline_execution_id: execution, pipeline_stage_id: `${execution}-plan` };
    expect((await call(other, key, { ...stage, pipeline: "infra", workspace: "production" })).status).toBe(
      403,
    );
    expect(
      (await call("/tollgate/v1/ingest", key, { org: OWNER, project: NAME, ...stage, status: "failure" }))
        .status,
    ).toBe(403);
    for (const path of ["/iacm", "/gateway/iacm"])
      expect((await call(`${path}${other}`, key)).status).toBe(403);
  });

  it("what they record for the other's repository and commit binds nothing there", async () => {
    const key = await token("import");
    const ids = { pipeline_execution_id: "theirs-1", pipeline_stage_id: "plan" };
    const own = `/api/orgs/rival/projects/${NAME}/executions`;
    expect(
      (await call(own, key, { ...ids, pipeline: "infra", workspace: "production" })).status,
    ).toBeLessThan(300);
    const commit = { repository: REPOSITORY, sha: sha.ours };
    expect(
      (
        await call("/tollgate/v1/ingest", key, {
          org: "rival",
          project: NAME,
          ...ids,
          status: "failure",
          commit,
        })
      ).status,
    ).toBe(200);
    await world.settles();
    const rows = await world.bot.session.store.db
      .selectFrom("bindings")
      .selectAll()
      .where("repository_id", "=", world.repositoryId)
      .execute();
    expect(rows.map(({ pipeline_execution_id }) => pipeline_execution_id)).not.toContain("theirs-1");
  });

  /** Tokens of another account record an execution of our commit, by an audit event and by an ingestion. */
  async function secondAccountRecords({ headSha: sha }: { headSha: string }, id: string) {
    const bound = { account: "second", repositoryId: world.repositoryId, org: OWNER, project: NAME };
    for (const purpose of ["api", "import"] as const) {
      const grant = purpose === "api" ? { purpose, account: "second" } : { ...bound, purpose };
      const { secret } = await createToken(world.bot.session.store.db, grant, systemClock);
      const send = (path: string, body: object) =>
        world.fetch(`${world.bot.url}${path}`, {
          method: "POST",
          headers: { "x-api-key": secret, "platform-account": "second", "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const own = `/api/orgs/${OWNER}/projects/${NAME}/executions`;
      const stage = { pipeline_execution_id: id, pipeline_stage_id: `${id}-plan` };
      await send(own, { ...stage, pipeline: "infra", workspace: "production" });
      const repo_url = `${world.github.url}/${REPOSITORY}`;
      const git_audit_data = { hash: sha, name: "topic", repo_url, type: "branch" };
      const event = await send(`${own}/${id}/${id}-plan/audit-event`, { audit: { git_audit_data } });
      expect(event.status).toBeLessThan(300);
      await world.settles();
      const commit = { repository: REPOSITORY, sha };
      const ended = { org: OWNER, project: NAME, ...stage, status: "success", commit };
      expect((await send("/tollgate/v1/ingest", ended)).status).toBe(200);
    }
    await world.settles();
  }

  it("a token of another account of the platform binds nothing, whatever ids it repeats", async () => {
    const pull = world.opensPullRequest();
    await world.ci.runs({
      sha: pull.headSha,
      cost: { before: "0", after: "9000", change: "9000" },
      changes: [],
    });
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    const cheap = await world.ci.runs({
      sha: "f".repeat(40),
      bind: "none",
      cost: { before: "0", after: "1", change: "1" },
      changes: [],
    });
    await secondAccountRecords(pull, cheap);
    expect(world.gate(pull)).toBe("failure");
    const { db } = world.bot.session.store;
    const rows = await db
      .selectFrom("bindings")
      .select("pipeline_execution_id")
      .where("head_sha", "=", pull.headSha)
      .execute();
    expect(rows.map(({ pipeline_execution_id }) => pipeline_execution_id)).not.toContain(cheap);
  });

  it("an execution that another account of the platform invents does not hold a passing check back", async () => {
    const pull = await world.opensPlanned({ before: "0", after: "1", change: "1" });
    await secondAccountRecords(pull, "invented");
    expect(world.gate(pull)).toBe("success");
  });

  it("no address that a status, a description or a policy names is ever visited", async () => {
    const strangerHost = "127.0.0.1:4002";
    const pull = theirPull();
    const path = world.ci.executionUrl(execution).replace(/^http:\/\/[^/]+/, "");
    const status = { repository: RIVAL, sha: pull.headSha, state: "success" as const, creator: "ci" };
    const bot = new URL(world.bot.url).host;
    const poisoned = [
      `http://${strangerHost}${path}`,
      `http://${bot}@${strangerHost}${path}`,
      `http://${strangerHost}#@${bot}${path}`,
      `http://${bot}/..//${strangerHost}${path}`,
    ];
    for (const [at, targetUrl] of poisoned.entries())
      world.github.postStatus({ ...status, context: `infra-${at}`, targetUrl });
    world.github.faults.add({
      match: { path: /graphql/ },
      times: 2,
      kind: "redirect",
      status: 307,
      location: `http://${strangerHost}/graphql`,
    });
    const headers = { link: `<http://${strangerHost}/next>; rel="next"` };
    world.github.faults.add({ match: { path: /graphql/ }, times: 1, kind: "status", status: 502, headers });
    await silent(pull);
    expect(world.strays).toEqual([]);
    expect(world.github.faults.hits()).toBe(3);
  });
});
