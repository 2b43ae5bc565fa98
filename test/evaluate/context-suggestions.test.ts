import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isGovernedAs } from "../../src/evaluate/facts/governance.ts";
import type { ContextGrant } from "../../src/evaluate/run/operator-rules.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import { promptImport } from "../../src/platform-server/governance/handlers.ts";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import type { StageFacts, UnknownReason } from "../../src/report/model/facts.ts";
import {
  bring,
  DAY_MS,
  openPlatform,
  type PlatformWorld,
  START_MS,
} from "../platform-server/platform-world.ts";
import { verbsOf } from "../platform-server/unit-metric-verbs.ts";
import { cost, known } from "../report/facts.ts";
import { usualEngine } from "../world/engines.ts";
import { clientOf, readFact, touching } from "./context-world.ts";

let world: PlatformWorld;
let platform: PlatformClient;
beforeAll(async () => {
  world = await openPlatform(usualEngine());
  platform = clientOf(world);
});
afterAll(async () => {
  await platform.close();
  await world.close();
});

describe("rules that governance suggests", () => {
  const read = (stages: readonly StageFacts[], clouds: ContextGrant["clouds"] = ["CLOUD_1", "CLOUD_2"]) =>
    readFact("prompts", platform, { grant: { clouds }, stages });
  const of = (...rows: readonly string[]) => read([touching(rows)]);

  beforeAll(async () => {
    const rule = (resourceType: string, description: string, cloudProvider = "CLOUD_1") => ({
      id: `${resourceType}/${description.length}`,
      cloudProvider,
      resourceType,
      description,
      ruleYaml: "policies: []",
    });
    await bring(world, promptImport, {
      lines: [
        rule("aws.ec2", "Stop idle instances"),
        rule("aws.ec2", "Find instances without an owner"),
        rule("ebs", "Delete volumes that nothing uses"),
        rule("azure.vm", "Stop idle machines", "CLOUD_2"),
        rule("gcp.instance", "Stop idle servers", "CLOUD_3"),
        { id: "6", cloudProvider: "CLOUD_1", resourceType: "s3" },
      ],
    });
  });

  const EC2 = [
    { description: "Stop idle instances", resource: "aws.ec2", types: ["aws_instance"] },
    { description: "Find instances without an owner", resource: "aws.ec2", types: ["aws_instance"] },
  ];
  it.each<[string, readonly string[], readonly object[]]>([
    ["of a kind that is created", ["added aws_instance.a"], EC2],
    [
      "of a kind that is changed or replaced, once",
      ["changed aws_instance.a", "replaced aws_instance.b"],
      EC2,
    ],
    ["not of what is deleted", ["deleted aws_instance.a"], []],
    ["not of drift alone", ["drifted aws_instance.a"], []],
    ["none for a kind without a sample", ["added aws_s3_bucket.a"], []],
    ["none for a kind that governance does not know", ["added aws_route53_record.a"], []],
    [
      "of another cloud's kinds as well",
      ["added azurerm_linux_virtual_machine.a", "added azurerm_windows_virtual_machine.b"],
      [
        {
          description: "Stop idle machines",
          resource: "azure.vm",
          types: ["azurerm_linux_virtual_machine", "azurerm_windows_virtual_machine"],
        },
      ],
    ],
    ["not of a cloud that nobody granted", ["added google_compute_instance.a"], []],
  ])("are those %s", async (_, rows, expected) => {
    expect(await of(...rows)).toEqual({ state: "known", value: expected });
  });

  it.each<[UnknownReason, readonly StageFacts[]]>([
    ["not_read", []],
    ["unproven", [touching([], { proven: false })]],
    ["execution_failed", [touching([], { status: "failed" })]],
    ["execution_pending", [touching([], { status: "pending" })]],
    ["not_indexed", [touching([], { rows: { state: "unknown", reason: "not_indexed" } })]],
    ["push_disabled", [touching([], { rows: { state: "unknown", reason: "push_disabled" } })]],
    ["not_stated", [touching([], { rows: { state: "absent" } })]],
    ["too_large", [touching([], { rows: known({ rows: [], omitted: 0, unread: 1 }) })]],
  ])("are unknown (%s) where it is not known what is touched", async (reason, stages) => {
    expect(await read(stages)).toEqual({ state: "unknown", reason });
  });

  it.each([
    ["aws_instance", "ec2", true],
    ["aws_instance", "aws.ec2", true],
    ["aws_instance", "aws_instance", true],
    ["aws_ebs_snapshot", "aws.ebs_snapshot", true],
    ["aws_route53_record", "AWS_ROUTE53_RECORD", true],
    ["aws_ebs_volume", "ebs-snapshot", false],
    ["aws_instance", "rds", false],
  ])("%s is what governance calls %s: %s", (type, resource, expected) => {
    expect(isGovernedAs(type, resource)).toBe(expected);
  });
});

describe("cost metrics of a perspective", () => {
  const verbs = verbsOf(() => world);
  const NOW = START_MS + 20 * DAY_MS;
  const day = (ago: number) => `${new Date(NOW - ago * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
  const SHOP = { perspective: "shop", org: "acme", project: "payments", workspaces: ["prod-network"] };
  const read = (
    measured: ContextGrant["measuredPerspectives"] = [SHOP],
    stages: readonly StageFacts[] = [touching([], { cost: known(cost("100 > 150")) })],
  ) => readFact("unitCosts", platform, { grant: { measuredPerspectives: measured }, stages, nowMs: NOW });
  const metric = (metricIdentifier: string, more: object) =>
    verbs.create({ metricIdentifier, metricName: `Name of ${metricIdentifier}`, ...more });
  const derived = (metricIdentifier: string, fieldId: string, columnAggregation: string) =>
    metric(metricIdentifier, { type: "DERIVED", fieldId, columnAggregation });

  beforeAll(async () => {
    const row = (id: string, account: string, more: object) => ({
      id,
      startTime: day(1),
      currency: "USD",
      cloudProvider: "CLOUD_1",
      account,
      ...more,
    });
    await bring(world, billingImport, {
      lines: [
        row("1", "111", { cost: "4.5" }),
        row("2", "111", { cost: "7.5" }),
        row("3", "999", { cost: "5000" }),
        row("4", "111", { cost: "1", startTime: day(0) }),
      ],
    });
    await bring(world, perspectivesImport, {
      lines: [
        {
          id: "shop",
          name: "Shop",
          rules: [{ conditions: [{ field: { fieldId: "account" }, operator: "IN", values: ["111"] }] }],
        },
      ],
    });
    await metric("uploaded", {});
    await derived("spend", "cost", "SUM");
    await derived("bills", "cost", "COUNT");
    await derived("usage", "usageAmount", "SUM");
  });

  it("use only the perspective's own bill, before and after, of the newest whole day", async () => {
    expect(await read()).toEqual({
      state: "known",
      value: [
        {
          metric: "spend",
          name: "Name of spend",
          perspective: "shop",
          before: "12",
          after: "18",
          asOf: day(1),
          currency: "USD",
        },
      ],
    });
  });

  it("do not change if merging touches none of its workspaces", async () => {
    const elsewhere = touching([], { workspace: "other", cost: known(cost("1 > 9")) });
    expect(await read([SHOP], [elsewhere])).toMatchObject({ value: [{ before: "12", after: "12" }] });
  });

  it("of a deleted perspective are absent", async () => {
    expect(await read([{ ...SHOP, perspective: "gone" }])).toEqual({ state: "absent" });
  });

  it("that are too many to read are unknown", async () => {
    const many = Array.from({ length: 21 }, () => SHOP);
    expect(await read(many)).toEqual({ state: "unknown", reason: "too_large" });
  });
});
