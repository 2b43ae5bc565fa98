import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteStage } from "../../src/platform-server/changes/retention.ts";
import { findExecutionsByCommit } from "../../src/platform-server/executions/commits.ts";
import { lockCosts } from "../../src/platform-server/executions/costs.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { usualEngines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { type PlatformWorld, servePlatform } from "./platform-world.ts";
import { change, cost, createStage, EXECUTIONS, STAGE, upload } from "./stories.ts";

const SHA = "a".repeat(40);
const COMMIT = { repository: "Acme/Payments", sha: SHA };

describe.each(usualEngines())("ingestion on $name", async (engine) => {
  let world: PlatformWorld;
  let account = "acc-0";
  const ingest = (over: object = {}, key = world.key) =>
    world.call("POST", "/tollgate/v1/ingest", {
      key,
      json: {
        org: "acme",
        project: "payments",
        pipeline_execution_id: "run-1",
        pipeline_stage_id: "stage-1",
        status: "success",
        ...over,
      },
    });
  const get = (path: string) => world.call("GET", `${EXECUTIONS}/run-1/${path}`);
  const importToken = (repositoryId: number) =>
    world.token({ purpose: "import", account, repositoryId, org: "acme", project: "payments" });
  const bound = (repositoryId: number, repository = "acme/payments", sha = SHA) =>
    findExecutionsByCommit(store.db, { account, repositoryId, repository, sha });
  const audit = (data: object, key = world.key) =>
    world.call("POST", `${STAGE}/audit-event`, {
      key,
      json: { audit: { git_audit_data: { hash: SHA, name: "main", repo_url: "", type: "branch", ...data } } },
    });
  const store = await engine.open();
  beforeEach(async () => {
    account = `acc-${Number(account.slice(4)) + 1}`;
    world = await servePlatform(store, account);
    await createStage(world);
  });
  afterEach(() => world.close());
  afterAll(() => store.close());

  it("ends a stage once and for all", async () => {
    expect(await ingest()).toMatchObject({ status: 200, body: { accepted: true } });
    expect((await get("stage-1")).body.status).toBe("success");
    expect((await ingest()).status).toBe(200);
    expect(await ingest({ status: "failure" })).toMatchObject({ status: 409, body: { name: "conflict" } });
    expect((await get("stage-1")).body.status).toBe("success");
    expect((await world.call("GET", `${EXECUTIONS}?status=success`)).body).toHaveLength(1);
  });

  it("takes no statement that nothing is to be planned beside plan data, nor plan data beside the statement", async () => {
    const sends = () => upload(world, "planned_changes/1", [change("deleted", "web")]);
    const states = (stage: string) => ingest({ pipeline_stage_id: stage, no_changes: true });
    expect((await sends()).status).toBe(200);
    expect(await states("stage-1")).toMatchObject({ status: 409 });
    expect((await get("stage-1")).body.status).toBe("none");
    await createStage(world, { pipeline_stage_id: "stage-2" });
    expect((await states("stage-2")).status).toBe(200);
    const late = await world.call("POST", `${EXECUTIONS}/run-1/stage-2/resource-changes/planned_changes/1`, {
      bytes: JSON.stringify([change("deleted", "web")]),
    });
    expect(late).toMatchObject({ status: 409 });
  });

  it("gives costs back to the digit, and distinguishes a missing estimate from zero", async () => {
    expect((await get("cost-changes")).status).toBe(404);
    expect(await get("cost-changes-all-stages")).toMatchObject({ status: 200, body: [] });
    expect(await get("cost-changes-all-stages-by-modules")).toMatchObject({ status: 200, body: [] });
    const sent = cost("123456789012345678901234.5678901234567", {
      estimate: { completeness: "partial", problems: ["x"], unpriced: { aws_vpc: 2 }, parts: "all" },
      diff: {
        aws_instance: {
          current_monthly_cost: "1.10",
          previous_monthly_cost: null,
          diff_monthly_cost: "",
          percentage_change_monthly_cost: null,
          diff: [],
        },
      },
    });
    const modules = { root: cost("1.50"), "web.db": cost("-0.001") };
    expect((await ingest({ cost: sent, modules })).status).toBe(200);
    expect((await get("cost-changes")).body).toEqual(sent);
    expect((await get("cost-changes?pipeline_stage_id=stage-1")).body).toEqual(sent);
    expect((await get("cost-changes?pipeline_stage_id=stage-2")).status).toBe(404);
    expect((await get("cost-changes-all-stages")).body).toEqual([sent]);
    const about = { stage_execution_id: "stage-1", stage_id: "plan", workspace_id: "prod-network" };
    expect((await get("cost-changes-all-stages-by-modules")).body).toEqual([{ modules, ...about }]);
    const { body } = await get("cost-changes-all-stages-by-modules?stack_path=web.db");
    expect(body).toEqual([{ modules: { "web.db": modules["web.db"] }, ...about }]);
  });

  it.each([
    ["a number", -3.5, -3.5],
    ["a text", "20.01", 20.01],
    ["null", null, null],
  ])(
    "answers a percentage that was sent as %s with a JSON number, or null where there is none",
    async (_, share, answered) => {
      const shares = { percentage_change_monthly_cost: share };
      const money = { current_monthly_cost: "1", previous_monthly_cost: "0", diff_monthly_cost: "1" };
      const diff = { aws_instance: { ...money, ...shares, diff: [{ name: "a", ...money, ...shares }] } };
      const sent = cost("1.50", { percentage_change_total_monthly_cost: share, diff });
      expect((await ingest({ cost: sent, modules: { root: sent } })).status).toBe(200);
      const answers = await Promise.all([get("cost-changes"), get("cost-changes-all-stages-by-modules")]);
      const found: unknown[] = [];
      JSON.stringify(answers, (key, value) => {
        if (key.startsWith("percentage_")) found.push(value);
        return value;
      });
      expect(found).toEqual(Array(6).fill(answered));
    },
  );

  it("stores which usage-based resources have no stated usage", async () => {
    const usage = {
      resources: [{ address: "aws_lambda_function.a", type: "aws_lambda_function", change: "added" }],
      unnamed: 2,
      unnamed_unchanged: 0,
    };
    const estimate = { completeness: "complete", problems: [], unpriced: {}, usage, parts: "changed" };
    expect((await ingest({ cost: cost("1.00", { estimate }) })).status).toBe(200);
    expect((await get("cost-changes")).body.estimate.usage).toEqual(usage);
    const strange = { ...estimate, usage: { ...usage, unnamed: -1 } };
    expect((await ingest({ cost: cost("1.00", { estimate: strange }) })).status).toBe(400);
  });

  it("answers all stages, oldest first; one stage is the newest unless it is named", async () => {
    world.clock.ms += 1000;
    await createStage(world, { pipeline_stage_id: "stage-0", workspace: "prod-db" });
    const second = cost("7.00", { stage_execution_id: "stage-0", workspace_id: "prod-db" });
    await ingest({ pipeline_stage_id: "stage-0", cost: second });
    await ingest({ cost: cost("1.00") });
    expect((await get("cost-changes-all-stages")).body).toEqual([cost("1.00"), second]);
    expect((await get("cost-changes")).body).toEqual(second);
    expect((await get("cost-changes?pipeline_stage_id=stage-1")).body).toEqual(cost("1.00"));
    expect((await world.call("GET", `${EXECUTIONS}/run-9/cost-changes-all-stages`)).status).toBe(404);
    expect((await world.call("GET", `${EXECUTIONS}/run-9/cost-changes-all-stages-by-modules`)).status).toBe(
      404,
    );
  });

  it("may add costs later but never change them", async () => {
    await ingest();
    expect((await ingest({ cost: cost("1.00") })).status).toBe(200);
    expect((await ingest({ cost: cost("1.00") })).status).toBe(200);
    expect((await ingest({ cost: cost("1.01") })).status).toBe(409);
    expect((await ingest({ modules: { root: cost("1.00") } })).status).toBe(200);
    expect((await ingest({ modules: {} })).status).toBe(409);
    expect((await get("cost-changes")).body.total_monthly_cost).toBe("1.00");
  });

  const countCosts = async () =>
    (await store.db.selectFrom("platform_costs").select("cost").where("account", "=", account).execute())
      .length;
  const stageKey = () => ({
    ...{ account, org: "acme", project: "payments" },
    ...{ pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" },
  });

  it("deletes costs with their stage", async () => {
    await ingest({ cost: cost("1.00") });
    expect(await countCosts()).toBe(1);
    await deleteStage(store.db, stageKey());
    expect(await countCosts()).toBe(0);
  });

  // The embedded database has one connection: nobody deletes a stage in the middle of a transaction there.
  it.runIf(engine.name === "postgres")("stores no costs of a stage that is just being deleted", async () => {
    const { locking } = await store.db.transaction().execute(async (deleting) => {
      await deleting.deleteFrom("platform_executions").where("account", "=", account).execute();
      const locking = transact(store.db, (trx: Database["db"]) => lockCosts(trx, stageKey()));
      await eventually(async () => {
        const waiting = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
        expect(waiting.rows).toHaveLength(1);
      });
      return { locking };
    });
    expect(await locking).toBeNull();
    expect(await countCosts()).toBe(0);
  });

  it.each([
    ["costs of another stage", { cost: cost("1", { stage_execution_id: "stage-2" }) }, 400],
    ["costs of another workspace", { modules: { root: cost("1", { workspace_id: "dev" }) } }, 400],
    ["money with an exponent", { cost: cost("1e3") }, 400],
    ["money as a number", { cost: cost("1", { total_monthly_cost: 12.5 }) }, 400],
  ])("refuses %s and stores nothing", async (_, over, status) => {
    expect((await ingest(over)).status).toBe(status);
    expect((await get("stage-1")).body.status).toBe("none");
    expect((await get("cost-changes-all-stages")).body).toEqual([]);
    expect(world.ingested).toEqual([]);
  });

  it("notifies the bot of the commit, at once and when a bound stage ends", async () => {
    const told = {
      account,
      repository: "acme/payments",
      sha: SHA,
      org: "acme",
      project: "payments",
      executionId: "run-1",
    };
    await ingest({ commit: COMMIT });
    expect(world.ingested).toEqual([{ ...told, repositoryId: null }]);
    await audit({ repo_url: "https://github.com/acme/payments" }, await importToken(7));
    expect(world.ingested.slice(1)).toEqual([{ ...told, repositoryId: 7 }]);
    await ingest();
    expect(world.ingested.slice(2)).toHaveLength(2);
  });

  it("binds by the repository that the token is bound to, by name only for tokens of the account", async () => {
    const run = { org: "acme", project: "payments", executionId: "run-1" };
    await ingest({ commit: COMMIT }, await importToken(7));
    expect(await bound(7)).toEqual([run]);
    expect(await bound(7, "acme/renamed")).toEqual([run]);
    expect(await bound(8)).toEqual([]);
    expect(await bound(7, "acme/payments", "b".repeat(40))).toEqual([]);
    await ingest({ commit: { ...COMMIT, repository: "acme/other" } });
    expect(await bound(8, "ACME/Other")).toEqual([run]);
    expect(await bound(8, "acme/payments")).toEqual([]);
    expect(
      await findExecutionsByCommit(store.db, {
        account: "x",
        repositoryId: 7,
        repository: "acme/other",
        sha: SHA,
      }),
    ).toEqual([]);
  });

  it.each([
    "https://github.com/Acme/Payments",
    "https://github.com/acme/payments.git",
    "https://user:pass@git.example.com:8443/acme/payments/",
    "git@github.com:acme/payments.git",
    "ssh://git@github.com/acme/payments",
    "ssh://git@github.com:22/acme/payments.git/",
  ])("reads an audit event's repository from %s", async (repo_url) => {
    expect(await audit({ repo_url, hash: SHA.toUpperCase() })).toMatchObject({ status: 200, body: null });
    expect(await bound(1)).toHaveLength(1);
  });

  it.each([
    "",
    "acme/payments",
    "https://github.com/acme",
    "https://github.com/a/b/c",
    "https://github.com/",
    "::",
    "https://x/../..",
  ])("records an audit event about %j that binds nothing", async (repo_url) => {
    expect((await audit({ repo_url })).status).toBe(200);
    expect(world.ingested).toEqual([]);
    const events = store.db.selectFrom("platform_audit_events").where("account", "=", account);
    expect(await events.select("repo_url").execute()).toEqual([{ repo_url }]);
  });

  it("ignores further members of an audit event", async () => {
    const git = { hash: SHA, name: "m", repo_url: "", type: "tag", more: 1 };
    const json = { audit: { git_audit_data: git, extra: 1 } };
    expect((await world.call("POST", `${STAGE}/audit-event`, { json })).status).toBe(200);
  });
});
