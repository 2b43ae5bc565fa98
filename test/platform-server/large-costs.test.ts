import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlatformClient } from "../../src/platform/client.ts";
import { executions } from "../../src/platform/contract/registry.ts";
import { deleteStage } from "../../src/platform-server/changes/retention.ts";
import { lockCosts } from "../../src/platform-server/executions/store/costs.ts";
import type { ExecutionTables } from "../../src/platform-server/executions/store/tables.ts";
import { transact } from "../../src/store/database/one-connection.ts";
import type { Database } from "../../src/wiring/database/open-database.ts";
import { engines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { type PlatformWorld, servePlatform } from "./platform-world.ts";
import { cost, createStage, EXECUTIONS } from "./stories.ts";

const AMOUNTS = {
  ...{ current_monthly_cost: "12.345", previous_monthly_cost: "10", diff_monthly_cost: "2.345" },
  percentage_change_monthly_cost: 23.45,
};
/** Its characters are two code units each, so that a part may end within one. */
const NAME = "𝕏".repeat(20);

/** The costs of one stage, about 700,000 characters: they are stored in three parts. */
function createLargeCost(total: string, over: object = {}) {
  const diff = Array.from({ length: 4_000 }, (_, at) => ({ name: `${NAME}-${at}`, ...AMOUNTS }));
  return cost(total, { diff: { aws_instance: { ...AMOUNTS, diff } }, ...over });
}

describe.each(engines())("costs of a stage that are stored in parts on $name", (engine) => {
  let store: Database;
  let world: PlatformWorld;
  let accounts = 0;
  const account = () => `acc-${accounts}`;
  const ingest = (over: object) =>
    world.call("POST", "/tollgate/v1/ingest", {
      json: {
        ...{ org: "acme", project: "payments", pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" },
        ...{ status: "success", ...over },
      },
    });
  const read = (path: string) => world.call("GET", `${EXECUTIONS}/run-1/${path}`);
  const countParts = async () =>
    (
      await store.db
        .selectFrom("platform_cost_parts")
        .select("part")
        .where("account", "=", account())
        .execute()
    ).length;
  const countRows = async () =>
    (await store.db.selectFrom("platform_costs").select("cost").where("account", "=", account()).execute())
      .length;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    accounts += 1;
    world = await servePlatform(store, account());
    await createStage(world);
  });
  afterEach(() => world.close());
  afterAll(() => store.close());

  it("are answered as they were sent, alone, in a list with small ones, and per module", async () => {
    const large = createLargeCost("1.10");
    const modules = { root: createLargeCost("0.5"), network: cost("0.6") };
    expect((await ingest({ cost: large, modules })).status).toBe(200);
    expect(await countParts()).toBe(8);
    world.clock.ms += 1_000;
    await createStage(world, { pipeline_stage_id: "stage-2" });
    const small = cost("2.20", { stage_execution_id: "stage-2" });
    expect((await ingest({ pipeline_stage_id: "stage-2", cost: small })).status).toBe(200);

    expect((await read("cost-changes?pipeline_stage_id=stage-1")).body).toEqual(large);
    expect((await read("cost-changes")).body).toEqual(small);
    const list = await read("cost-changes-all-stages");
    expect(list.headers.get("content-type")).toBe("application/json");
    expect(list.body).toEqual([large, small]);
    const about = { stage_execution_id: "stage-1", stage_id: "plan", workspace_id: "prod-network" };
    expect((await read("cost-changes-all-stages-by-modules")).body).toEqual([{ modules, ...about }]);
    const [{ modules: one }] = (await read("cost-changes-all-stages-by-modules?stack_path=network")).body;
    expect(one).toEqual({ network: cost("0.6") });
  });

  it("can be sent again, and other costs are refused", async () => {
    const large = createLargeCost("1.10");
    expect((await ingest({ cost: large })).status).toBe(200);
    expect((await ingest({ cost: large })).status).toBe(200);
    expect((await ingest({ cost: createLargeCost("1.11") })).status).toBe(409);
    expect((await ingest({ cost: cost("1.10") })).status).toBe(409);
    expect((await ingest({ cost: large, modules: { root: cost("1") } })).status).toBe(200);
    expect((await ingest({ modules: { root: createLargeCost("1") } })).status).toBe(409);
    expect((await read("cost-changes")).body).toEqual(large);
  });

  it("that an earlier version stored in one piece can be sent again and read", async () => {
    const large = createLargeCost("1.10");
    expect((await ingest({})).status).toBe(200);
    await store.db
      .updateTable("platform_costs")
      .set({ cost: JSON.stringify(large) })
      .where("account", "=", account())
      .execute();
    expect((await ingest({ cost: large })).status).toBe(200);
    expect((await ingest({ cost: createLargeCost("1.11") })).status).toBe(409);
    expect(await countParts()).toBe(0);
    expect((await read("cost-changes-all-stages")).body).toEqual([large]);
  });

  it("are YAML for those who ask for it", async () => {
    const large = createLargeCost("1.10");
    await ingest({ cost: large });
    const url = `${world.url}${EXECUTIONS}/run-1/cost-changes`;
    const headers = { "x-api-key": world.key, "platform-account": account(), accept: "application/yaml" };
    const answer = await fetch(url, { headers });
    expect(answer.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(JSON.parse(await answer.text())).toEqual(large); // what JSON writes is YAML
  });

  it("are read by the client, whichever names the platform speaks", async () => {
    await ingest({ cost: createLargeCost("1.10") });
    const params = { org: "acme", project: "payments", pipeline_execution_id: "run-1" };
    for (const dialect of ["neutral", "live"] as const) {
      const other = await servePlatform(store, account(), { dialect });
      const client = createPlatformClient({
        ...{ url: other.url, token: other.key, account: account(), dialect },
        ...{ clock: world.clock, random: () => 0, sleep: async () => {} },
      });
      const found = await client.call(executions.listStageCosts, { params });
      await client.close();
      await other.close();
      expect(found).toMatchObject({ ok: true, value: [{ currency: "USD" }] });
    }
  });

  it("are not answered when a part of them is lost or changed", async () => {
    await ingest({ cost: createLargeCost("1.10") });
    const damage = store.db.updateTable("platform_cost_parts").where("account", "=", account());
    await damage.where("part", "=", 1).set({ part: 9 }).execute();
    const answer = await read("cost-changes");
    expect(answer.status).toBe(500);
    await damage.where("part", "=", 9).set({ part: 1 }).execute();
    expect((await read("cost-changes")).status).toBe(200);
    await damage
      .where("part", "=", 1)
      .set(({ fn, val }) => ({ text: fn("replace", ["text", val("5"), val("6")]) }))
      .execute();
    expect((await read("cost-changes")).status).toBe(500);
    expect((await read("cost-changes-all-stages")).status).toBe(500);
    expect(world.errors).toMatchObject(Array(3).fill({ code: "stored_value_unreadable" }));
  });

  it("cannot be read by an earlier version, which would otherwise find no costs", async () => {
    await ingest({ cost: createLargeCost("1.10") });
    const rows = store.db.selectFrom("platform_costs").where("account", "=", account());
    const { cost: stored } = await rows.select("cost").executeTakeFirstOrThrow();
    expect(() => JSON.parse(stored ?? "null")).toThrow(SyntaxError);
  });

  it("leave nothing behind when they come while their stage is deleted, and can come again", async () => {
    const stage = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" };
    const key = { account: account(), org: "acme", project: "payments", ...stage };
    for (let round = 0; round < 8; round += 1) {
      const [answer] = await Promise.all([
        ingest({ cost: createLargeCost("1.10") }),
        sleep(round * 8).then(() => deleteStage(store.db, key)),
      ]);
      expect(world.errors).toEqual([]);
      expect([200, 404]).toContain(answer.status);
      expect([await countRows(), await countParts()]).toEqual([0, 0]);
      await createStage(world);
    }
    expect((await ingest({ cost: createLargeCost("1.11") })).status).toBe(200);
  });

  // The embedded database has one connection: nobody deletes a stage in the middle of a transaction there.
  it.runIf(engine.name === "postgres")("are not stored of a stage that is just being deleted", async () => {
    const stage = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" };
    const key = { account: account(), org: "acme", project: "payments", ...stage };
    const { locking } = await store.db.transaction().execute(async (deleting) => {
      await deleting.deleteFrom("platform_executions").where("account", "=", account()).execute();
      const locking = transact(store.db, (trx) => lockCosts(trx.$pickTables<keyof ExecutionTables>(), key));
      await eventually(async () => {
        const waiting = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
        expect(waiting.rows).toHaveLength(1);
      });
      return { locking };
    });
    expect(await locking).toBeNull();
    expect(await countRows()).toBe(0);
  });

  it("are deleted with their stage", async () => {
    await ingest({ cost: createLargeCost("1.10") });
    expect(await countParts()).toBe(3);
    const stage = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" };
    await deleteStage(store.db, { account: account(), org: "acme", project: "payments", ...stage });
    expect(await countParts()).toBe(0);
  });
});
