import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { anomalyImport } from "../../src/platform-server/anomalies/import.ts";
import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import { evaluationImport, promptImport } from "../../src/platform-server/governance/handlers.ts";
import { recommendationsImport } from "../../src/platform-server/recommendations/import.ts";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { STRICT } from "../world/costs.ts";
import { decisions } from "../world/decisions.ts";
import { importRows } from "../world/import-rows.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const COST = { before: "100", after: "140", change: "40" };
const WEB = { address: "aws_instance.web", change: "changed", cloudId: "i-0a1b2c3d4e5f" } as const;

const POLICY = `version: 1
rules:
  - { id: no-waste, limit: { missed-savings: 20 USD } }
  - { id: quiet, limit: { anomalies: 0 }, enforce: warn }
  - { id: governed, limit: { governance-failures: 5 } }
`;

async function brings<Row>(
  world: SimulatedWorld,
  kind: ImportKind<Row>,
  lines: readonly object[],
): Promise<void> {
  const rows = lines.map((line) => kind.line.parse(line));
  await importRows(world.bot.session.store, kind, "acc", rows);
}

const saving = (id: string, monthlySaving: number) => ({
  id,
  resourceType: "EC2_INSTANCE",
  resourceId: WEB.cloudId,
  cloudAccountId: "111",
  monthlySaving,
});

async function change(world: SimulatedWorld) {
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [WEB] });
  await world.settles();
  return pull;
}

describe("the platform's facts for a change", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({
      policy: POLICY,
      operator: ({ ownerId: owner, repositoryId: repository }) => ({
        grants: [
          {
            owner,
            repository,
            org: OWNER,
            project: NAME,
            perspectives: ["shop"],
            cloud_accounts: ["111"],
            governed_clouds: ["CLOUD_1"],
          },
        ],
      }),
    });
    await brings(world, recommendationsImport, [saving("r-1", 40.5)]);
    await brings(world, anomalyImport, [
      {
        id: "a-1",
        time: Date.now() - 3_600_000,
        actualAmount: 150,
        expectedAmount: 100,
        anomalousSpend: 50,
        resourceName: "nat-gateway",
        perspectiveId: "shop",
        cloudProvider: "CLOUD_1",
      },
    ]);
    await brings(world, evaluationImport, [
      { id: "e-1", time: Date.now(), cloudProvider: "CLOUD_1", status: "SUCCESS" },
      { id: "e-2", time: Date.now(), cloudProvider: "CLOUD_1", status: "FAILED" },
    ]);
  });
  afterAll(() => world.ends());

  it("are evaluated and shown: savings block, anomalies warn, governance is within its limit", async () => {
    const pull = await change(world);
    expect(world.gate(pull)).toBe("failure");
    const [verdict] = (await decisions(world, pull, "verdict")).slice(-1);
    expect(verdict?.["findings"]).toMatchObject([
      { rule: "no-waste", outcome: "violated" },
      { rule: "quiet", outcome: "violated", holds: false },
      { rule: "governed", outcome: "passed" },
    ]);
    const words = world
      .comment(pull)
      .replaceAll(/\d{4}-\d\d-\d\d|\d{1,2} \w+ 20\d\d/g, "(day)")
      .replaceAll(pull.headSha.slice(0, 8), "(head)")
      .replaceAll(/(?<=execution `)[0-9a-f]{8}(?=`)/g, "(run)");
    expect(words).toMatchInlineSnapshot(`
      "### ⛔ Blocked: 1 blocking, 1 warning · +$40.00 per month (+40%)

      **To merge:** 1 rule is violated. Change this pull request to stay within it, or change the rule in \`.github/tollgate.yml\` on \`main\`. Every push is evaluated again.

      #### Why

      - ⛔ \`no-waste\`: **$40.50** per month could be saved on what this touches (limit **$20.00**) · \`production: aws_instance.web\`
      - ⚠️ \`quiet\`: **1** open cost anomaly (limit **0**) · \`nat-gateway (a-1)\`

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production\` | +$40.00 | $100.00 | $140.00 |

      #### What changes

      Resources: **1** changed.

      <details>
      <summary>1 changed</summary>

      - changed \`aws_instance.web\`

      </details>

      #### Savings on what this touches

      **$40.50** per month could be saved on resources that change here.

      - saves **$40.50**: \`aws_instance.web\`

      #### Context

      - ⚠️ **1** open cost anomaly, **$50.00** more than expected: \`nat-gateway\` ($50.00, since (day))
      - ⚠️ Governance, (day): **1** of 2 evaluations failed

      <sub>Commit \`(head)\` into \`main\` · Figures from execution \`(run)\` (recorded for this commit) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("let it pass once the waste is gone", async () => {
    await brings(world, recommendationsImport, [saving("r-1", 19.99)]);
    expect(world.gate(await change(world))).toBe("neutral");
  });
});

describe("governance and the bill of a change", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({
      policy: `version: 1
rules:
  - id: suggested
    when: 'governance_prompts.exists(p, p.type == "aws_instance")'
    enforce: warn
    message: "{{count}} rule of governance could watch this"
  - { id: dearer, limit: { unit-cost: { metric: spend, percent: 30% } } }
`,
      operator: ({ ownerId: owner, repositoryId: repository }) => ({
        grants: [
          {
            owner,
            repository,
            org: OWNER,
            project: NAME,
            perspectives: [{ id: "shop", workspaces: ["production"] }],
            governed_clouds: ["AWS"],
          },
        ],
      }),
    });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const startTime = `${yesterday}T00:00:00Z`;
    await brings(world, promptImport, [
      {
        id: "p-1",
        cloudProvider: "CLOUD_1",
        resourceType: "aws.ec2",
        description: "Stop idle instances",
        ruleYaml: "policies: []",
      },
    ]);
    const row = { startTime, currency: "USD", cloudProvider: "CLOUD_1" };
    await brings(world, billingImport, [
      { ...row, id: "b-1", account: "111", cost: "12" },
      { ...row, id: "b-2", account: "999", cost: "5000" },
    ]);
    const conditions = [{ field: { fieldId: "account" }, operator: "IN", values: ["111"] }];
    await brings(world, perspectivesImport, [{ id: "shop", name: "Shop", rules: [{ conditions }] }]);
    const metric = { metricIdentifier: "spend", metricName: "Spend", type: "DERIVED", fieldId: "cost" };
    const made = await world.fetch(`${world.bot.url}/gateway/ccm/api/unit-metric?accountIdentifier=acc`, {
      method: "POST",
      headers: {
        "x-api-key": await world.ci.token({ purpose: "api" }),
        "platform-account": "acc",
        "content-type": "application/json",
        "content-length": String(JSON.stringify(metric).length),
      },
      body: JSON.stringify(metric),
    });
    expect(made.status).toBe(200);
  });
  afterAll(() => world.ends());

  it("are evaluated and shown: a suggested rule warns, and the perspective's own bill blocks", async () => {
    const pull = await change(world);
    expect(world.gate(pull)).toBe("failure");
    const words = world.comment(pull).replaceAll(/\d{1,2} \w+ 20\d\d/g, "(day)");
    for (const line of [
      "- ⛔ `dearer`: one of `spend` changes by **+40%** (limit **+30%**)",
      "- ⚠️ `suggested`: 1 rule of governance could watch this · `Stop idle instances`",
      "- `Spend` of `shop`: $12.00 ((day)), and $16.80 after merging (+40%)",
      "- Governance suggests **1** rule for what this touches: `Stop idle instances` (`aws_instance`)",
    ])
      expect(words).toContain(line);
    expect(words).not.toContain("5,0");
  });
});

describe("a repository that the operator grants nothing beside its project", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY });
    await brings(world, recommendationsImport, [saving("r-1", 40.5)]);
  });
  afterAll(() => world.ends());

  it("is not evaluated by what it may not see, and does not pass for it", async () => {
    const pull = await change(world);
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull)).not.toContain("40.5");
    expect(world.comment(pull)).toContain("this repository may not see it");
  });

  it("loses sight of its project's figures to nobody who takes its name", async () => {
    const ours = await change(world);
    expect(world.comment(ours)).toContain("$140");
    world.github.renameRepository({ repository: REPOSITORY, name: "shop-old" });
    const files = { "README.md": "# shop\n", ".github/tollgate.yml": POLICY };
    world.github.createRepository({ owner: OWNER, name: NAME, visibility: "private", files });
    await world.settles();
    world.github.push({ repository: REPOSITORY, branch: "theirs", files: { "infra/a.tf": "# a\n" } });
    const theirs = world.github.openPullRequest({ repository: REPOSITORY, head: "theirs", title: "Theirs" });
    const executionId = await world.ci.runs({
      sha: theirs.headSha,
      cost: COST,
      changes: [WEB],
      bind: "none",
    });
    world.github.postStatus({
      repository: REPOSITORY,
      sha: theirs.headSha,
      context: "infra-plan",
      state: "success",
      targetUrl: world.ci.executionUrl(executionId),
      creator: "ci",
    });
    await world.settles();
    const [check] = world.github.checkRuns({
      repository: REPOSITORY,
      sha: theirs.headSha,
      appId: world.appId,
    });
    expect([check?.status, check?.conclusion]).toEqual(["in_progress", null]);
    expect(world.comments(theirs).join("")).not.toContain("$140");
  });
});

it("a new function without usage blocks the gate until its usage is stated, and is named", async () => {
  const world = await createSimulatedWorld({ policy: STRICT });
  onTestFinished(() => world.ends());
  const cost = { before: "10", after: "10", change: "0" };
  const changes = [{ address: "aws_lambda_function.worker", change: "added" }] as const;
  const pull = world.opensPullRequest();
  const usageBased = ["aws_lambda_function.worker"];
  await world.ci.runs({ sha: pull.headSha, cost, changes, usageBased });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("| `production` | $0.00 + usage | $10.00 | $10.00 + usage |");
  expect(world.comment(pull)).toContain("1 resource is paid by usage that is not given");
  expect(world.comment(pull)).toContain("--usage-file");

  await world.ci.runs({ sha: pull.headSha, cost: { before: "10", after: "12", change: "2" }, changes });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comment(pull)).not.toContain("usage");
});
