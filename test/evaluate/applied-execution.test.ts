import { describe, expect, it } from "vitest";
import { type AppliedExecution, isCarriedOut } from "../../src/evaluate/after-merge/compare.ts";
import { decimal } from "../../src/kernel/money.ts";
import type { Saving } from "../../src/report/model/context.ts";
import type { StageCost } from "../../src/report/model/facts.ts";

const WEB = "aws_instance.web";
const SAVING: Saving = {
  recommendationId: "r",
  address: WEB,
  workspace: "prod",
  resourceType: "EC2_INSTANCE",
  change: "changed",
  monthly: { amount: decimal("40"), currency: "USD" },
};

function applied(
  changes: readonly string[],
  cost: readonly [string, string, string] | null = null,
): AppliedExecution {
  const [before, after, currency] = cost ?? ["0", "0", "USD"];
  const amounts = { before: decimal(before), after: decimal(after), change: null, percent: null };
  const resources = [{ address: WEB, components: [], ...amounts }];
  return {
    changes: new Map([[WEB, new Set(changes)]]),
    cost:
      cost === null
        ? null
        : ({ currency, groups: [{ type: "aws_instance", resources, ...amounts }] } as unknown as StageCost), // the rest is not looked at
  };
}

describe("a recommendation that an apply carried out", () => {
  it.each<[string, boolean, AppliedExecution]>([
    ["is one whose resource is gone", true, applied(["deleted"])],
    [
      "is one whose resource costs less by what was to be saved",
      true,
      applied(["changed"], ["100", "60", "USD"]),
    ],
    ["may have been carried out by a replacement", true, applied(["deleted", "added"], ["100", "50", "USD"])],
    ["is none whose resource was made again at the same cost", false, applied(["deleted", "added"])],
    ["is none whose resource saves less", false, applied(["changed"], ["100", "60.01", "USD"])],
    ["is none whose resource got dearer", false, applied(["changed"], ["60", "100", "USD"])],
    ["is none whose cost is not known", false, applied(["changed"])],
    ["is none whose cost is in another currency", false, applied(["changed"], ["100", "60", "EUR"])],
    ["is none whose resource stayed as it was", false, applied(["unchanged"], ["100", "60", "USD"])],
    ["is none whose resource the run does not name", false, { changes: new Map(), cost: null }],
  ])("%s", (_, expected, run) => {
    expect(isCarriedOut(SAVING, run)).toBe(expected);
  });
});
