import { describe, expect, test } from "vitest";
import { checkAgainstPlan } from "../../src/plan-files/estimate/check-against-plan.ts";
import { breakdown, estimate, readEstimateOf } from "./estimate-builder.ts";
import { plan, readPlanOf, resourceChange } from "./plan-builder.ts";

const of = (type: string, actions: readonly string[]) => ({
  ...resourceChange({ address: `${type}.a`, actions }),
  type,
  name: "a",
});
const empty = (detected: number | null) => ({
  name: "web",
  pastBreakdown: breakdown("0"),
  breakdown: breakdown("0"),
  summary: { totalDetectedResources: detected, unsupportedResourceCounts: {} },
});

describe("an estimate of nothing, compared with a plan that", () => {
  test.each<[string, object[], number | null, string[]]>([
    [
      "creates what it counts",
      [of("aws_instance", ["create"])],
      0,
      ["the estimate saw no resources, and the plan changes 1"],
    ],
    [
      "deletes what it counts",
      [of("google_sql_database_instance", ["delete"])],
      0,
      ["the estimate saw no resources, and the plan changes 1"],
    ],
    ["changes nothing", [of("azurerm_redis_cache", ["no-op"])], 0, []],
    ["creates what it never counts", [of("kubernetes_deployment", ["create"])], 0, []],
    ["creates what is free, and was seen", [of("aws_iam_role", ["create"])], 1, []],
    ["creates something, of which it says nothing", [of("aws_instance", ["create"])], null, []],
  ])("%s", async (...[, changes, detected, problems]) => {
    const { whole } = await readEstimateOf(
      estimate([empty(detected)], ["0", "0", "0"], { summary: { totalDetectedResources: detected } }),
    );
    const held = checkAgainstPlan(whole, await readPlanOf(plan({ resource_changes: changes })));
    expect(held.cost.estimate).toMatchObject({
      completeness: problems.length === 0 ? "complete" : "partial",
      problems,
    });
  });
});
