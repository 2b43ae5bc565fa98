import { afterAll, describe, expect, it } from "vitest";
import { readIndex } from "../../src/platform-server/changes/snapshot-index.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { cost, createStage, EXECUTIONS } from "./stories.ts";
import { verbsOf } from "./unit-metric-verbs.ts";
import { REGISTRY, registryHook } from "./webhooks-world.ts";

const UNREADABLE = expect.objectContaining({ code: "stored_value_unreadable" });

describe.each(usualEngines())("a damaged value in the database ($name)", async (engine) => {
  const { create, list } = verbsOf(() => world);
  const readHooks = () => world.call("GET", REGISTRY);
  const writeHook = (column: "triggers" | "headers") => async (text: string) => {
    await world.store.db
      .updateTable("platform_hooks")
      .set({ triggers: "[]", headers: "[]", [column]: text })
      .execute();
  };
  const writeLabels = async (labels: string) => {
    await world.store.db.updateTable("platform_unit_metrics").set({ labels }).execute();
  };
  const writeCost = async (text: string) => {
    await world.store.db.updateTable("platform_costs").set({ cost: text }).execute();
  };
  const readCost = () => world.call("GET", `${EXECUTIONS}/run-1/cost-changes`);
  const world = await openPlatform(engine);
  await createStage(world);
  const stage = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1", status: "success" };
  const ingested = await world.call("POST", "/tollgate/v1/ingest", {
    json: { org: "acme", project: "payments", ...stage, cost: cost("1.00") },
  });
  expect(ingested.status).toBe(200);
  expect((await readCost()).status).toBe(200);
  expect((await create()).status).toBe(200);
  const hook = await world.call("POST", REGISTRY, { json: registryHook("https://hooks.example/") });
  expect(hook.status).toBe(201);
  afterAll(() => world.close());

  const columns: [
    column: string,
    write: (text: string) => Promise<void>,
    read: () => Promise<{ readonly status: number }>,
  ][] = [
    ["labels of a unit metric", writeLabels, list],
    ["cost change of a stage", writeCost, readCost],
    ["triggers of a webhook", writeHook("triggers"), readHooks],
    ["headers of a webhook", writeHook("headers"), readHooks],
  ];
  it.each(columns)(
    "in the %s is a coded error that does not contain the value",
    async (column, write, read) => {
      for (const text of ["{canary", "null", '{"canary":7}', "[7]"]) {
        await write(text);
        world.errors.length = 0;
        expect((await read()).status, text).toBe(500);
        expect(world.errors, text).toEqual([UNREADABLE]);
        expect(String(world.errors[0])).toContain(column);
        expect(String(world.errors[0])).not.toContain("canary");
      }
    },
  );
});

it.each(["[0,", "null", "[-1]", '{"pages":[-1],"positions":[0],"facets":[],"facetOf":[0],"moved":[]}'])(
  "places of an index that are %s are a coded error",
  (places) => {
    expect(() => readIndex({ category: "outputs", places, search: "a" })).toThrow(UNREADABLE);
  },
);
