import { afterAll, describe, expect, it } from "vitest";
import { createPlatformClient } from "../../src/platform/client.ts";
import type { DialectName } from "../../src/platform/contract/wire/dialect.ts";
import { usualEngine } from "../world/engines.ts";
import { serverContract } from "./http-contract.ts";
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

  it.each<DialectName>(["neutral", "live"])(
    "and a client of the %s one understand each other",
    async (name) => {
      const client = createPlatformClient({
        url: world.url,
        token: world.key,
        account: ACCOUNT,
        dialect: name,
        clock: { now: () => 0, monotonicMs: () => 0 },
        random: () => 0,
        sleep: async () => {},
      });
      const outcome = await client.call(serverContract.askCost, {
        query: { cloudProvider: ["CLOUD_1"] },
        body: { ...NEUTRAL, cloud1Accounts: ["1"], clusters: [{ csClusterName: "a" }] },
      });
      expect(outcome).toMatchObject({
        ok: true,
        value: {
          status: "SUCCESS",
          data: {
            cloud1Accounts: ["1"],
            cloudProvider: "CLOUD_2",
            clusters: [{ csClusterName: "a" }],
            asked: ["CLOUD_1"],
          },
        },
      });
      await client.close();
    },
  );
});
