import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../world/eventually.ts";
import { createWorld } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "25", change: "15" };

it("a status that only GitHub can place is handled after an outage of GitHub that outlasted many attempts", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
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
  await eventually(async () => expect((await tries()).map(({ state }) => state)).toEqual(["retry", "retry"]));
  world.github.faults.clear();
  await sql`update queue.job set start_after = now() where name = 'delivery' and state = 'retry'`.execute(db);
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});

interface PlatformAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A platform on loopback that answers each path like this. */
async function startPlatform(answer: (path: string) => PlatformAnswer): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? "");
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = text.startsWith("<") ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

const STAGE = {
  org: "o",
  project: "p",
  pipeline_execution_id: "e1",
  pipeline_stage_id: "s1",
  workspace: "production",
};
const MONEY = {
  currency: "USD",
  diff: {},
  total_monthly_cost: "20",
  past_total_monthly_cost: "10",
  diff_total_monthly_cost: "10",
  percentage_change_total_monthly_cost: 100,
  stage_execution_id: "s1",
  stage_id: "s",
  workspace_id: "production",
};
const NOT_FOUND = {
  name: "not_found",
  id: "1",
  message: "no",
  temporary: false,
  timeout: false,
  fault: false,
};

it("a remote platform that is down, answers pages of HTML or knows no costs is waited for, never taken for no cost", async () => {
  let answer: (path: string) => PlatformAnswer = () => ({ status: 503, body: "down" });
  const url = await startPlatform((path) => answer(path));
  const remote = { kind: "remote", url, token: "t", account: "acc", dialect: "neutral", prefix: "" } as const;
  const world = await createWorld({
    policy: POLICY,
    settings: { platform: remote },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
  onTestFinished(() => world.ends());
  const judges = async () => {
    const pull = world.opensPullRequest();
    const execution = `${url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url: execution });
    await world.settles();
    return pull;
  };
  const knows =
    (costs: PlatformAnswer) =>
    (path: string): PlatformAnswer => {
      if (/\/executions\?/.test(path))
        return { status: 200, body: [{ ...STAGE, status: "success", created: 1 }] };
      if (path.includes("all-stages-by-modules")) return { status: 200, body: [] };
      return path.includes("cost-changes-all-stages") ? costs : { status: 404, body: NOT_FOUND };
    };
  for (const troubled of [
    answer,
    () => ({ status: 200, body: "<html>sign in</html>" }),
    knows({ status: 404, body: NOT_FOUND }),
    knows({ status: 200, body: [{ ...MONEY, diff_total_monthly_cost: null }] }),
    knows({ status: 200, body: [{ ...MONEY, diff_total_monthly_cost: "-500" }] }),
  ]) {
    answer = troubled;
    expect(["in_progress", "failure"]).toContain(world.gate(await judges()));
  }
  answer = knows({ status: 200, body: [MONEY] });
  const pull = await judges();
  expect(world.gate(pull)).toBe("success");
  expect(world.comment(pull)).toContain("+$10");
});
