import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createTokenSchema,
  list,
  map,
  openTokens,
  orNull,
} from "../../src/platform/contract/shapes/fields.ts";
import {
  DIALECTS,
  toDialectName,
  translate,
  translateField,
  translateWord,
} from "../../src/platform/contract/wire/translate.ts";

const Cloud = createTokenSchema("cloud", ["CLOUD_1", "CLOUD_2", "CLOUD_3"]);
type Tree = { cloud1: string; below?: Tree[] | undefined };
const Tree: z.ZodType<Tree> = z.object({ cloud1: Cloud, below: z.lazy(() => z.array(Tree)).optional() });

describe("names of members", () => {
  test.each([
    ["cloud1RecommendationFilterPropertiesDTO", "awsRecommendationFilterPropertiesDTO"],
    ["cloud2RecommendationFilterProperties", "azureRecommendationFilterProperties"],
    ["cloud1Accounts", "awsAccounts"],
    ["cloud1UsageTypes", "awsUsageTypes"],
    ["cloud2SubscriptionGuids", "azureSubscriptionGuids"],
    ["cloud3Projects", "gcpProjects"],
    ["cloud3SKUDescriptions", "gcpSKUDescriptions"],
    ["aiVendor1ProjectIds", "openaiProjectIds"],
    ["aiVendor2Models", "anthropicModels"],
    ["csClusterName", "ecsClusterName"],
    ["csLaunchType", "ecsLaunchType"],
    ["clusterName", "clusterName"],
    ["cloudProvider", "cloudProvider"],
    ["cloudAccountId", "cloudAccountId"],
    ["cloud10Accounts", "cloud10Accounts"],
    ["csv", "csv"],
    ["costCategories", "costCategories"],
    ["toString", "toString"],
    ["constructor", "constructor"],
    ["", ""],
  ])("%s is %s", (neutral, live) => {
    expect(toDialectName(neutral, DIALECTS.live)).toBe(live);
    expect(toDialectName(neutral, DIALECTS.neutral)).toBe(neutral);
  });

  test("along a path", () => {
    expect(translateField("filter.0.cloud1Accounts.2", DIALECTS.live)).toBe("filter.0.awsAccounts.2");
  });
});

describe("words of a vocabulary", () => {
  test.each([
    ["cloud", "CLOUD_1", "AWS"],
    ["cloud", "CLOUD_2", "AZURE"],
    ["cloud", "CLOUD_3", "GCP"],
    ["cloud", "CLUSTER", "CLUSTER"],
    ["provisioner", "iac_tool_1", "terraform"],
    ["provisioner", "iac_tool_2", "opentofu"],
    ["provisioner", "iac_tool_3", "terragrunt"],
    ["provisioner", "iac_tool_4", "awscdk"],
    ["provisioner", "toString", "toString"],
  ] as const)("%s: %s is %s, read in either", (vocabulary, neutral, live) => {
    for (const one of [neutral, live]) {
      expect(translateWord(vocabulary, one, "live")).toBe(live);
      expect(translateWord(vocabulary, one, "neutral")).toBe(neutral);
    }
  });
});

describe("translating", () => {
  const schemas: readonly [string, z.ZodType, unknown, unknown][] = [
    ["a value", Cloud, "CLOUD_1", "AWS"],
    ["with words about it", Cloud.describe("x").meta({ id: "CloudWithWords" }), "CLOUD_1", "AWS"],
    ["that may be missing", Cloud.optional(), "CLOUD_1", "AWS"],
    ["with a default", Cloud.default("CLOUD_2"), "CLOUD_1", "AWS"],
    ["that may be null", orNull(Cloud), "CLOUD_1", "AWS"],
    ["that is null", orNull(Cloud), null, null],
    ["that is open", openTokens("cloud", ["CLOUD_1"]), "CLOUD_3", "GCP"],
    ["that is new", openTokens("cloud", ["CLOUD_1"]), "CLOUD_9", "CLOUD_9"],
    ["in a list", list(Cloud), ["CLOUD_1", "CLOUD_2"], ["AWS", "AZURE"]],
    ["in a map", map(Cloud), { cloud1: "CLOUD_1" }, { cloud1: "AWS" }],
    [
      "in a tree",
      Tree,
      { cloud1: "CLOUD_1", below: [{ cloud1: "CLOUD_2" }] },
      { aws: "AWS", below: [{ aws: "AZURE" }] },
    ],
    [
      "one of several",
      z.union([z.number(), z.object({ csName: Cloud })]),
      { csName: "CLOUD_1" },
      { ecsName: "AWS" },
    ],
    [
      "of two",
      z.intersection(z.object({ cloud1A: z.string() }), z.object({ cloud2B: Cloud })),
      { cloud1A: "CLOUD_1", cloud2B: "CLOUD_1" },
      { awsA: "CLOUD_1", azureB: "AWS" },
    ],
    ["a text", z.string(), "CLOUD_1", "CLOUD_1"],
    [
      "what nobody declared",
      z.looseObject({ cloud1A: z.string() }),
      { cloud1A: "x", cloud2B: "CLOUD_1" },
      { awsA: "x", cloud2B: "CLOUD_1" },
    ],
    ["of another shape", z.object({ cloud1A: Cloud }), [5, "CLOUD_1"], [5, "CLOUD_1"]],
  ];
  test.each(schemas)("%s", (...[, schema, neutral, live]) => {
    expect(translate(schema, neutral, "live")).toEqual(live);
    expect(translate(schema, live, "neutral")).toEqual(neutral);
    expect(translate(schema, neutral, "neutral")).toEqual(neutral);
    expect(translate(schema, live, "live")).toEqual(live);
  });

  test("returns both where a member comes under two names", () => {
    const schema = z.object({ cloud1A: z.string() });
    for (const both of [
      { cloud1A: "x", awsA: "y" },
      { awsA: "y", cloud1A: "x" },
    ])
      expect(translate(schema, both, "neutral")).toEqual(both);
  });

  test("reads nothing where nothing differs", () => {
    const value = { rows: [{ name: "CLOUD_1" }] };
    expect(translate(z.object({ rows: z.array(z.object({ name: z.string() })) }), value, "live")).toBe(value);
  });

  test("there and back is the same, whatever it is", () => {
    const schema = z.object({
      cloud1A: Cloud,
      csB: z.array(z.object({ aiVendor1C: z.unknown() })),
      d: z.record(z.string(), Cloud),
    });
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("CLOUD_1", "CLOUD_3", "x"), (any, cloud) => {
        const value = { cloud1A: cloud, csB: [{ aiVendor1C: any }, any], d: { [cloud]: cloud }, e: any };
        expect(translate(schema, translate(schema, value, "live"), "neutral")).toEqual(value);
      }),
    );
  });
});
