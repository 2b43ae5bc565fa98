import { afterAll, expect, it } from "vitest";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import { executions } from "../../src/platform/contract/executions.ts";
import { usualEngine } from "../world/engines.ts";
import { ACCOUNT, openPlatform } from "./platform-world.ts";

let client: PlatformClient;
const world = await openPlatform(usualEngine());
const { url, key: token, clock } = world;
const sleep = async () => {};
client = createPlatformClient({
  ...{ url, token, clock, sleep, account: ACCOUNT },
  ...{ dialect: "live", random: () => 0 },
});
afterAll(async () => {
  await client.close();
  await world.close();
});

it.each(["shop floor", "a/b", "../..", "%2e%2e", "ünï 雲", "a?b#c&d=e", "+", "a".repeat(128)])(
  "our client reads back what it wrote into org and project %j",
  async (name) => {
    const params = { org: name, project: name };
    const ids = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" };
    const body = { pipeline: "deploy", ...ids, workspace: "w" };
    const created = await client.call(executions.createExecution, { params, body });
    expect(created).toMatchObject({ ok: true, value: params });
    const listed = await client.call(executions.listExecutions, { params });
    expect(listed).toMatchObject({ ok: true, value: [params] });
  },
);
