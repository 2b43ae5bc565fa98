import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "25", change: "15" };

describe("when GitHub stumbles", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ policy: POLICY });
  });
  afterAll(() => world.ends());
  afterEach(() => world.github.faults.clear());

  const runs = (pull: { headSha: string }, cost = COST) =>
    world.ci.runs({ sha: pull.headSha, cost, changes: [] });

  it("an answer lost after the write makes no second comment and no second check", async () => {
    const pull = world.opensPullRequest();
    await world.settles();
    for (const path of [/\/comments$/, /\/check-runs/]) {
      world.github.faults.add({
        match: { method: "POST", path },
        times: 1,
        kind: "lost-response-after-write",
      });
    }
    await runs(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.comments(pull)).toHaveLength(1);
  });

  it("errors, resets and pages of HTML are overcome", async () => {
    const pull = world.opensPullRequest();
    await world.settles();
    world.github.faults.add({ match: { path: /graphql/ }, times: 2, kind: "status", status: 502 });
    world.github.faults.add({ match: { method: "POST", path: /comments$/ }, times: 1, kind: "html" });
    await runs(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.comments(pull)).toHaveLength(1);
  });

  it("a comment that somebody deleted is written again, once; nobody else's is touched", async () => {
    const pull = world.opensPullRequest();
    await runs(pull);
    await world.settles();
    const [own] = world.github.comments(pull);
    const theirs = world.github.addComment(pull, { body: own?.body ?? "", by: "ci" });
    world.github.deleteComment(own?.id ?? 0, "ci");
    await runs(pull, { ...COST, after: "30", change: "20" });
    await world.settles();
    expect(world.comments(pull)).toHaveLength(1);
    expect(world.comment(pull)).toContain("+$20");
    expect(world.github.comments(pull).find(({ id }) => id === theirs.id)?.body).toBe(theirs.body);
  });

  it("a locked conversation gets no comment and leaves the gate as it is", async () => {
    const pull = world.opensPullRequest();
    await world.settles();
    world.github.lockConversation(pull);
    await runs(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.comments(pull)).toEqual([]);
  });

  it("deliveries that never came are made up for by the sweep", async () => {
    world.github.deliveries.drop({ event: "pull_request" });
    const pull = world.opensPullRequest();
    await world.github.deliveries.settled();
    world.github.deliveries.clearFaults();
    expect(world.gate(pull)).toBeNull();
    await world.bot.session.store.db.updateTable("repositories").set({ listed_at: null }).execute();
    await world.bot.sweep();
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
  });

  it("a status that only GitHub can place is handled after an outage of GitHub that outlasted many attempts", async () => {
    const { db } = world.bot.session.store;
    const tries = async () => {
      const { rows } = await sql<{ state: string; tries: number }>`
        select state, retry_count as tries from queue.job where name = 'delivery' and state <> 'completed'`.execute(
        db,
      );
      return rows;
    };
    world.github.deliveries.drop({ event: "pull_request" });
    const pull = world.opensPullRequest();
    await world.github.deliveries.settled();
    world.github.deliveries.clearFaults();
    world.github.faults.add({ kind: "status", status: 503, times: Number.POSITIVE_INFINITY });
    await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "status" });
    await eventually(async () => {
      // One that is tried just now is changed the next time.
      await sql`update queue.job set retry_count = 20, start_after = now()
        where name = 'delivery' and state = 'retry' and retry_count < 20`.execute(db);
      expect((await tries()).map((one) => one.tries > 20)).toEqual([true, true]);
    });
    await eventually(async () =>
      expect((await tries()).map(({ state }) => state)).toEqual(["retry", "retry"]),
    );
    world.github.faults.clear();
    await sql`update queue.job set start_after = now() where name = 'delivery' and state = 'retry'`.execute(
      db,
    );
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("the sweep finds the repositories of an installation although GitHub refuses another one", async () => {
    const { db } = world.bot.session.store;
    const { installation_id: refusing } = await db
      .selectFrom("installations")
      .select("installation_id")
      .executeTakeFirstOrThrow();
    world.github.createOwner({ login: "umbrella", type: "organisation" });
    const { id } = world.github.createRepository({
      owner: "umbrella",
      name: "wiki",
      files: { "README.md": "#" },
    });
    world.github.deliveries.drop({ event: "installation" });
    const installed = world.github.installApp({ appId: world.appId, owner: "umbrella" });
    await world.github.deliveries.settled();
    world.github.deliveries.clearFaults();
    const match = { path: /^\/installation\/repositories/, installationId: refusing };
    world.github.faults.add({ match, kind: "status", status: 403, message: "Forbidden" });
    await world.bot.sweep();
    expect(world.github.faults.hits()).toBe(1);
    const known = await db
      .selectFrom("repositories")
      .select("repository_id")
      .where("installation_id", "=", installed.id)
      .execute();
    expect(known).toEqual([{ repository_id: id }]);
  });
});

describe("when the platform stumbles", () => {
  let world: World;
  let platform: Server;
  let platformUrl = "";
  let answers: (path: string) => { status: number; body: string; type?: string } = () => ({
    status: 404,
    body: "{}",
  });
  const STAGE = { pipeline_stage_id: "s1", workspace: "production", status: "success", created: 1 };

  beforeAll(async () => {
    platform = createServer((request, response) => {
      const { status, body, type = "application/json" } = answers(request.url ?? "");
      response.writeHead(status, { "content-type": type }).end(body);
    });
    await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
    platformUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`; // it listens on TCP
    const remote = {
      kind: "remote",
      url: platformUrl,
      token: "t",
      account: "acc",
      dialect: "neutral",
      prefix: "",
    } as const;
    const operator = ({ ownerId: owner }: { ownerId: number }) => ({
      grants: [{ owner, org: "o", project: "p" }],
    });
    world = await createWorld({ policy: POLICY, settings: { platform: remote }, operator });
  });
  afterAll(async () => {
    await world.ends();
    platform.close();
  });

  const stageAnd =
    (rest: (path: string) => { status: number; body: string; type?: string }) => (path: string) =>
      /\/executions\?/.test(path)
        ? {
            status: 200,
            body: JSON.stringify([{ org: "o", project: "p", pipeline_execution_id: "e1", ...STAGE }]),
          }
        : rest(path);

  async function judged() {
    const pull = world.opensPullRequest();
    const url = `${platformUrl}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url });
    await world.settles();
    return pull;
  }

  it.each([
    ["is down", () => ({ status: 503, body: "down" })],
    ["answers pages of HTML", () => ({ status: 200, body: "<html>sign in</html>", type: "text/html" })],
    [
      "knows no costs",
      stageAnd(() => ({
        status: 404,
        body: JSON.stringify({
          name: "not_found",
          id: "1",
          message: "no",
          temporary: false,
          timeout: false,
          fault: false,
        }),
      })),
    ],
  ])("a platform that %s is waited for, never taken for no cost", async (_, answer) => {
    answers = answer;
    const pull = await judged();
    expect(["in_progress", "failure"]).toContain(world.gate(pull));
  });

  const money = (changes: object) => ({
    status: 200,
    body: JSON.stringify([
      {
        currency: "USD",
        diff: {},
        total_monthly_cost: "20",
        past_total_monthly_cost: "10",
        diff_total_monthly_cost: "10",
        percentage_change_total_monthly_cost: 100,
        stage_execution_id: "s1",
        stage_id: "s",
        workspace_id: "production",
        ...changes,
      },
    ]),
  });

  it.each([
    ["null amounts", { diff_total_monthly_cost: null }],
    ["empty amounts", { diff_total_monthly_cost: "" }],
    ["another currency", { currency: "EUR" }],
    ["amounts that contradict each other", { diff_total_monthly_cost: "-500" }],
  ])("%s are not evaluated as zero", async (_, changes) => {
    answers = stageAnd((path) =>
      path.includes("all-stages-by-modules")
        ? { status: 200, body: "[]" }
        : path.includes("cost-changes-all-stages")
          ? money(changes)
          : { status: 404, body: "{}" },
    );
    const pull = await judged();
    expect(world.gate(pull)).toBe("failure");
  });

  it("amounts that are all there pass", async () => {
    answers = stageAnd((path) =>
      path.includes("all-stages-by-modules")
        ? { status: 200, body: "[]" }
        : path.includes("cost-changes-all-stages")
          ? money({})
          : { status: 404, body: "{}" },
    );
    const pull = await judged();
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).toContain("+$10");
  });
});
