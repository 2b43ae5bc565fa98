import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import { createUnitMetric, updateUnitMetric } from "../../src/platform/contract/unit-metrics.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { NAME, OWNER } from "../world/places.ts";

const DAY = 86_400_000;
const POLICY = "version: 1\nrules:\n  - { id: much, limit: { increase: 5000 USD } }\n";
const COST = { before: "100", after: "150", change: "50" };

/** The first second of the day that is so many days after the world's first. */
const dayOf = (days: number): string => new Date(Date.UTC(2026, 2, 2 + days)).toISOString();

let world: SimulatedWorld;
let platform: PlatformClient;
beforeAll(async () => {
  world = await createSimulatedWorld({
    policy: POLICY,
    operator: ({ ownerId: owner, repositoryId: repository }) => ({
      cost_currency: "EUR",
      grants: [
        {
          owner,
          repository,
          org: OWNER,
          project: NAME,
          unit_metrics: [
            { metric: "per-order", workspaces: ["till"] },
            { metric: "per-visit", workspaces: ["site"] },
            { metric: "per-login" },
            { metric: "silent", workspaces: ["till"] },
          ],
        },
      ],
    }),
  });
  platform = createPlatformClient({
    url: world.bot.url,
    token: await world.ci.token({ purpose: "api" }),
    account: "acc",
    dialect: "neutral",
    clock: systemClock,
    random: () => 0.5,
    sleep: async () => {},
    transport: world.transport,
  });
  await metric("per-order", "Cost of an *order*");
  await metric("per-visit", "Cost of a visit");
  await metric("per-login", "Cost of a login");
  await metric("silent", "Not written since");
});
afterAll(async () => {
  await platform.close();
  await world.ends();
});

/** A metric that costs 0.30 a unit yesterday. */
async function metric(metricIdentifier: string, metricName: string) {
  const unitMetricRecords = [{ value: 0.3, usageTimeStamp: dayOf(-1) }];
  const body = { metricIdentifier, metricName, unitMetricRecords };
  expect((await platform.call(createUnitMetric, { body })).ok).toBe(true);
}

async function becomes(metricIdentifier: string, value: number, days: number) {
  const unitMetricRecords = [{ value, usageTimeStamp: dayOf(days) }];
  const body = { metricIdentifier, metricName: "Cost of an *order*", unitMetricRecords };
  expect((await platform.call(updateUnitMetric, { body })).ok).toBe(true);
}

async function merged(workspace: string, currency: string) {
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, workspace, cost: { ...COST, currency }, changes: [] });
  await world.settles();
  world.github.mergePullRequest(pull);
  await world.settles();
  return pull;
}

/** The comment's block about what came of the merge. */
const block = (pull: { repositoryId: number; number: number }): string | null =>
  /^.*after the merge:.*(?:\n+- .*)*/m.exec(world.comment(pull))?.[0] ?? null;

describe("seven days after a merge", () => {
  it("the unit cost that was estimated stands beside the actual one, each with its day; what is not known is left out", async () => {
    const pull = await merged("till", "EUR");
    const other = await merged("site", "USD");
    expect(world.comment(pull)).toContain("and €0.4500 after merging");
    await becomes("per-order", 0.42, 3);
    await becomes("per-order", 0.435, 5);
    await becomes("per-login", 0.5, 5);
    await becomes("per-visit", 0.5, 5);
    await world.timePasses(7 * DAY + 1_000);
    expect(block(pull)).toMatchInlineSnapshot(`
      "**7 days after the merge:**
      - \`Cost of an *order*\`: one cost €0.3000 (1 Mar 2026), estimated €0.4500 after the merge, actual €0.4350 on 7 Mar 2026 (−€0.0150)"
    `);
    expect(block(other)).toBeNull();
  });

  it("the costs of its workspaces and the unit cost stand together", async () => {
    const pull = await merged("till", "EUR");
    await world.timePasses(DAY);
    await world.ci.runs({
      sha: "c".repeat(40),
      workspace: "till",
      cost: { before: "145", after: "145", change: "0", currency: "EUR" },
      bind: "none",
    });
    await becomes("per-order", 0.44, 12);
    await world.timePasses(6 * DAY + 1_000);
    expect(block(pull)).toMatchInlineSnapshot(`
      "**7 days after the merge:** estimated €150.00 per month, actual €145.00 (−€5.00).
      - \`Cost of an *order*\`: one cost €0.4350 (7 Mar 2026), estimated €0.6525 after the merge, actual €0.4400 on 14 Mar 2026 (−€0.2125)"
    `);
  });
});
