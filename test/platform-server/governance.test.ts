import { afterAll, describe, expect, it } from "vitest";
import { evaluationImport, promptImport } from "../../src/platform-server/governance/import.ts";
import { usualEngines } from "../world/engines.ts";
import { COST_API } from "./anomalies-verbs.ts";
import { ACCOUNT, bring, DAY_MS, openPlatform, START_MS } from "./platform-world.ts";

const DAY_ONE = START_MS - 18 * DAY_MS;
const CLOUDS = ["CLOUD_1", "CLOUD_2", "CLOUD_3"];

interface Evaluation {
  readonly id: string;
  readonly time: number;
  readonly cloudProvider: string;
  readonly status: string;
}

/** Around the times that the time filters ask for. */
const EVALUATIONS: readonly Evaluation[] = Array.from({ length: 60 }, (_, index) => ({
  id: `ev-${index}`,
  time: DAY_ONE + Math.floor(index / 10) * DAY_MS + ([0, 1, 5_000, DAY_MS / 2, DAY_MS - 1][index % 5] ?? 0),
  cloudProvider: CLOUDS[index % 3],
  status: ["SUCCESS", "FAILED", "__proto__", "PARTIAL_SUCCESS"][index % 4],
})) as readonly Evaluation[]; // each index is within its list

function naive(all: readonly Evaluation[]) {
  const days = new Map<string, Map<string, number>>();
  for (const { time, status } of all) {
    const day = new Date(time).toISOString().slice(0, 10);
    const ofDay = days.get(day) ?? new Map<string, number>();
    days.set(day, ofDay.set(status, (ofDay.get(status) ?? 0) + 1));
  }
  return [...days].map(([day, ofDay]) => [day, [...ofDay].toSorted()]).toSorted();
}

const entries = (data: Record<string, Record<string, number>>) =>
  Object.entries(data).map(([day, ofDay]) => [day, Object.entries(ofDay).toSorted()]);

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

  it("counts evaluations by day and status, as a naive reader would, by time and cloud", async () => {
    await bring(world, evaluationImport, { lines: EVALUATIONS });
    await bring(world, evaluationImport, { lines: EVALUATIONS.slice(0, 9), account: "acc-2" });
    const middle = DAY_ONE + 2 * DAY_MS;
    for (const names of [[], ["CLOUD_1"], ["CLOUD_1", "CLOUD_3"]])
      for (const filters of [[], [{ operator: "AFTER", timestamp: middle }]]) {
        const expected = EVALUATIONS.filter(
          ({ time, cloudProvider }) =>
            (filters.length === 0 || time >= middle) && (names.length === 0 || names.includes(cloudProvider)),
        );
        const answer = await daily(filters, ...names);
        expect(entries(answer.body.data)).toEqual(naive(expected));
      }
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
