import { afterAll, describe, expect, it } from "vitest";
import { evaluationImport, promptImport } from "../../src/platform-server/governance/handlers.ts";
import { usualEngines } from "../world/engines.ts";
import { COST_API } from "./anomalies-verbs.ts";
import { ACCOUNT, bring, DAY_MS, openPlatform } from "./platform-world.ts";

describe.each(usualEngines())("governance on $name", async (engine) => {
  const world = await openPlatform(engine);
  afterAll(() => world.close());

  const path = (name: string, query: readonly (readonly [string, string])[]) => {
    const parameters = new URLSearchParams([["accountIdentifier", ACCOUNT]]);
    for (const [key, value] of query) parameters.append(key, value);
    return `${COST_API}/governance/${name}?${parameters}`;
  };
  const clouds = (...names: string[]) => names.map((name) => ["cloudProvider", name] as const);
  const daily = (filters: unknown, ...names: string[]) =>
    world.call("POST", path("overview/dayWiseTotalEvaluations", clouds(...names)), { json: filters });
  const prompts = (name: string, cloud: string, resourceType?: string) =>
    world.call(
      "GET",
      path(name, [...clouds(cloud), ...(resourceType ? [["resourceType", resourceType] as const] : [])]),
    );

  it("counts evaluations by day and status, by time and cloud", async () => {
    const evaluation = (day: string, cloudProvider: string, status: string, index: number) => ({
      ...{ id: `ev-${index}`, time: Date.parse(day), cloudProvider, status },
    });
    const lines = [
      evaluation("2025-12-20T00:00:00.000Z", "CLOUD_1", "SUCCESS", 1),
      evaluation("2025-12-20T23:59:59.999Z", "CLOUD_2", "SUCCESS", 2),
      evaluation("2025-12-20T12:00:00.000Z", "CLOUD_3", "__proto__", 3),
      evaluation("2025-12-21T00:00:00.000Z", "CLOUD_1", "FAILED", 4),
    ];
    await bring(world, evaluationImport, { lines });
    await bring(world, evaluationImport, { lines, account: "acc-2" });
    const counted = async (...asked: Parameters<typeof daily>) =>
      JSON.stringify((await daily(...asked)).body.data);
    expect(await counted([])).toBe('{"2025-12-20":{"SUCCESS":2,"__proto__":1},"2025-12-21":{"FAILED":1}}');
    expect(await counted([], "CLOUD_1", "CLOUD_3")).toBe(
      '{"2025-12-20":{"SUCCESS":1,"__proto__":1},"2025-12-21":{"FAILED":1}}',
    );
    const after = [{ operator: "AFTER", timestamp: Date.UTC(2025, 11, 21) }];
    expect(await counted(after, "CLOUD_1")).toBe('{"2025-12-21":{"FAILED":1}}');
    expect(world.errors).toEqual([]);
  });

  it("counts an evaluation that is imported again once, as it is then", async () => {
    const line = { id: "again", time: 0, cloudProvider: "CLOUD_1", status: "FAILED" };
    await bring(world, evaluationImport, { lines: [line] });
    await bring(world, evaluationImport, { lines: [{ ...line, status: "SUCCESS" }] });
    const first = [{ operator: "LESS_THAN", timestamp: DAY_MS }];
    expect((await daily(first)).body.data).toEqual({ "1970-01-01": { SUCCESS: 1 } });
  });

  it("knows resources and sample rules of each cloud", async () => {
    const lines = [
      {
        id: "2",
        cloudProvider: "CLOUD_1",
        resourceType: "vm",
        description: "Stop idle ones",
        ruleYaml: "a: 1",
      },
      { id: "1", cloudProvider: "CLOUD_1", resourceType: "vm", description: "Tag them", ruleYaml: "b: 2" },
      {
        id: "3",
        cloudProvider: "CLOUD_1",
        resourceType: "disk",
        description: "Drop loose ones",
        ruleYaml: "c: 3",
      },
      { id: "4", cloudProvider: "CLOUD_1", resourceType: "queue" },
      { id: "5", cloudProvider: "CLOUD_2", resourceType: "vm", description: "Other", ruleYaml: "d: 4" },
    ];
    await bring(world, promptImport, { lines });
    await bring(world, promptImport, {
      lines: [{ id: "1", cloudProvider: "CLOUD_1", resourceType: "theirs" }],
      account: "acc-2",
    });
    expect((await prompts("promptResources", "CLOUD_1")).body.data).toEqual(["disk", "queue", "vm"]);
    const rules = async (cloud: string, type?: string) =>
      (await prompts("promptRules", cloud, type)).body.data.map(
        ({ ruleYaml }: { ruleYaml: string }) => ruleYaml,
      );
    expect(await rules("CLOUD_1")).toEqual(["c: 3", "b: 2", "a: 1"]);
    expect(await rules("CLOUD_1", "vm")).toEqual(["b: 2", "a: 1"]);
    expect(await rules("CLOUD_1", "queue")).toEqual([]);
    expect(await rules("CLOUD_2")).toEqual(["d: 4"]);
    expect(await rules("CLOUD_3")).toEqual([]);
  });

  it.each([
    [evaluationImport, { id: "x", time: -1, cloudProvider: "CLOUD_1", status: "FAILED" }],
    [evaluationImport, { id: "x", time: 1, cloudProvider: "CLUSTER", status: "FAILED" }],
    [evaluationImport, { id: "x", time: 1, cloudProvider: "CLOUD_1", status: "" }],
    [promptImport, { id: "x", cloudProvider: "CLOUD_1", resourceType: "vm", ruleYaml: "a: 1" }],
    [promptImport, { id: "", cloudProvider: "CLOUD_1", resourceType: "vm" }],
  ])("imports no line that says less or more than it should", (kind, line) => {
    expect(kind.line.safeParse(line).success).toBe(false);
  });
});
