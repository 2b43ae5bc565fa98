import { afterAll, describe, expect, test } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { asks, imports, recommendation } from "./recommendation-verbs.ts";

const AWS = "registry.terraform.io/hashicorp/aws";
const ARN = "arn:aws:ec2:us-east-1:123456789012:instance/i-0a1b2c3d4e5f";
const DB = (account: string, region: string) => `arn:aws:rds:${region}:${account}:db:orders`;
const VM = "/subscriptions/S-1/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/vm-1";
const POOL = "projects/p-1/locations/europe-west1/clusters/c/nodePools/pool-1";

const EC2 = { resourceType: "EC2_INSTANCE" };
const ORDERS = { resourceType: "RDS_DB_INSTANCE", resourceId: "orders", targetRegion: "us-east-1" };
const LINES = [
  recommendation("by-arn", { resourceType: "EC2_INSTANCE", resourceId: ARN, cloudProvider: "CLOUD_1" }),
  recommendation("rule", { resourceType: "GOVERNANCE", resourceId: "i-0a1b2c3d4e5f" }),
  recommendation("ignored", { ...EC2, resourceId: ARN, recommendationState: "IGNORED" }),
  recommendation("other-cloud", { ...EC2, resourceId: "i-0a1b2c3d4e5f", cloudProvider: "CLOUD_2" }),
  recommendation("db-1", { ...ORDERS, cloudAccountId: "111" }),
  recommendation("db-2", { ...ORDERS, cloudAccountId: "222" }),
  recommendation("service", { resourceType: "ECS_SERVICE", resourceId: "orders" }),
  recommendation("vm", { resourceType: "AZURE_VM", resourceId: VM.toUpperCase(), cloudProvider: "CLOUD_2" }),
  recommendation("pool", { resourceType: "NODE_POOL", resourceId: `//container.googleapis.com/${POOL}` }),
  recommendation("workload", { namespace: "shop", resourceName: "web", cloudProvider: "CLOUD_1" }),
  recommendation("elsewhere", { namespace: "other", resourceName: "web" }),
  recommendation("bucket", { resourceType: "GOVERNANCE", resourceId: "arn:aws:s3:::logs" }),
];

describe.each(usualEngines())("resources of infrastructure code on $name", async (engine) => {
  const world = await openPlatform(engine);
  await imports(world, LINES);
  await imports(
    world,
    [recommendation("stranger", { resourceType: "EC2_INSTANCE", resourceId: ARN })],
    "acc-2",
  );
  afterAll(() => world.close());

  const ask = async (
    resource: readonly [provider: string, type: string, resourceId: string],
    states?: string[],
  ) => {
    const [provider, type, resourceId] = resource;
    const json = { resources: [{ provider, type, resourceId }], ...(states ? { states } : {}) };
    const answer = await asks(world, "POST /overview/iacm", { json });
    const [one] = answer.body.data.resources;
    return [one.status, one.recommendations.map(({ id }: { id: string }) => id).join(" ")];
  };

  test.each([
    ["an ARN finds full and generated short ids of its cloud", [AWS, "aws_instance", ARN], "by-arn rule"],
    ["a short name of the provider is the same", ["aws", "aws_instance", ARN], "by-arn rule"],
    [
      "a generated short id finds the ARN",
      ["hashicorp/aws", "aws_instance", "i-0a1b2c3d4e5f"],
      "by-arn rule",
    ],
    ["account and region must agree", ["aws", "aws_db_instance", DB("111", "us-east-1")], "db-1"],
    ["a name that two accounts use finds both", ["aws", "aws_db_instance", "orders"], "db-1 db-2"],
    ["a name is only of its own kind", ["aws", "aws_ecs_service", "orders"], "service"],
    [
      "case does not matter where the cloud ignores it",
      ["azurerm", "azurerm_linux_virtual_machine", VM],
      "vm",
    ],
    ["a path is found behind a service's address", ["google", "google_container_node_pool", POOL], "pool"],
    [
      "namespace and name are one workload",
      ["kubernetes", "kubernetes_deployment_v1", "shop/web"],
      "workload",
    ],
    ["a full id needs no known type", ["aws", "aws_s3_bucket", "arn:aws:s3:::logs"], "bucket"],
  ] as const)("%s", async (_, resource, ids) => {
    expect(await ask(resource)).toEqual(["SUCCESS", ids]);
  });

  test.each([
    ["another region", ["aws", "aws_db_instance", DB("111", "eu-west-1")], "NO_RECOMMENDATIONS"],
    ["another account", ["aws", "aws_db_instance", DB("333", "us-east-1")], "NO_RECOMMENDATIONS"],
    [
      "another resource group",
      ["azurerm", "azurerm_linux_virtual_machine", VM.replace("/RG/", "/RG-2/")],
      "NO_RECOMMENDATIONS",
    ],
    ["a type that nobody knows", ["aws", "aws_s3_bucket", "arn:aws:s3:::other"], "UNKNOWN_TYPE"],
    [
      "a provider without a cloud",
      ["registry.terraform.io/datadog/datadog", "datadog_monitor", "1"],
      "UNKNOWN_TYPE",
    ],
    ["no provider", ["not a provider", "aws_instance", ARN], "PARSE_ERROR"],
    ["half an ARN", ["aws", "aws_instance", "arn:aws:ec2"], "PARSE_ERROR"],
    ["a blank in an id", ["aws", "aws_instance", "i-1 i-2"], "PARSE_ERROR"],
    ["a name where a path is the id", ["azurerm", "azurerm_linux_virtual_machine", "vm-1"], "PARSE_ERROR"],
    ["a path of another cloud", ["google", "google_container_node_pool", VM], "PARSE_ERROR"],
  ] as const)("%s finds nothing and says why", async (_, resource, status) => {
    expect(await ask(resource)).toEqual([status, ""]);
  });

  test("states narrow; ignored ones are there when asked for by name", async () => {
    expect(await ask([AWS, "aws_instance", ARN], ["IGNORED"])).toEqual(["SUCCESS", "ignored"]);
    expect(await ask([AWS, "aws_instance", ARN], ["APPLIED"])).toEqual(["NO_RECOMMENDATIONS", ""]);
    expect(await ask([AWS, "aws_instance", ARN], [])).toEqual(["SUCCESS", "by-arn rule"]);
  });

  test("every resource has its entry, in order and as often as it is named", async () => {
    const resources = [ARN, "?", ARN].map((resourceId) => ({
      provider: "aws",
      type: "aws_instance",
      resourceId,
    }));
    const answer = await asks(world, "POST /overview/iacm", { json: { resources } });
    expect(answer.body.data.resources).toMatchObject([
      { resourceId: ARN, status: "SUCCESS", message: null },
      { resourceId: "?", status: "NO_RECOMMENDATIONS", message: expect.any(String), recommendations: [] },
      { resourceId: ARN, status: "SUCCESS" },
    ]);
  });
});
