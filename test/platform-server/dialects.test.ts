import { afterAll, describe, expect, it } from "vitest";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import { usualEngine } from "../world/engines.ts";
import { openHttpWorld } from "./http-world.ts";
import { ACCOUNT } from "./platform-world.ts";

const NEUTRAL = {
  cloud1Accounts: ["CLOUD_1"],
  cloudProvider: "CLOUD_2",
  clusters: [{ csClusterName: "a", clusterName: "csB" }],
  tags: { cloud1Accounts: "CLOUD_1", AWS: "aws" },
} as const;
const LIVE = {
  awsAccounts: ["CLOUD_1"],
  cloudProvider: "AZURE",
  clusters: [{ ecsClusterName: "a", clusterName: "csB" }],
  tags: { cloud1Accounts: "CLOUD_1", AWS: "aws" },
} as const;

describe.each<[DialectName, typeof NEUTRAL | typeof LIVE, readonly string[]]>([
  ["neutral", NEUTRAL, ["CLOUD_1", "CLOUD_2"]],
  ["live", LIVE, ["CLOUD_1", "CLOUD_2"]],
])("a server that answers in the %s dialect", async (dialect, own, asked) => {
  const world = await openHttpWorld(usualEngine(), dialect);
  afterAll(() => world.close());
  const path = "/gateway/ccm/api/things";

  it.each([
    ["neutral", NEUTRAL, "CLOUD_1&cloudProvider=AZURE"],
    ["live", LIVE, "AWS&cloudProvider=CLOUD_2"],
  ])("reads the %s one, and names nothing that is free", async (_, body, query) => {
    const answer = await world.fetch(`${path}?accountIdentifier=${ACCOUNT}&cloudProvider=${query}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ data: { ...own, asked } });
  });

  it("names what is wrong as it names it", async () => {
    const answer = await world.fetch(`${path}?accountIdentifier=${ACCOUNT}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"cloud1Accounts":5,"clusters":[{}]}',
    });
    const { errors } = (await answer.json()) as { errors: { fieldId: string }[] };
    expect(errors.map(({ fieldId }) => fieldId)).toEqual(
      dialect === "live"
        ? ["awsAccounts", "clusters.0.ecsClusterName"]
        : ["cloud1Accounts", "clusters.0.csClusterName"],
    );
  });
});
