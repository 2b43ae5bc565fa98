import { describe, expect, test } from "vitest";
import type { EstimateStage } from "../../src/plan-files/estimate/estimate.ts";
import { breakdown, estimate, project, readEstimateOf } from "./estimate-builder.ts";

const tell = ({ cost }: EstimateStage) =>
  [cost.past_total_monthly_cost, cost.total_monthly_cost, cost.diff_total_monthly_cost].join(" ");
const made = (infracostCommand: string | null, type: string | null, amounts: readonly string[]) =>
  estimate([project("a", amounts, { metadata: { path: "a", type } })], amounts, {
    metadata: { infracostCommand },
  });

describe("an estimate of one project", () => {
  test.each<[string | null, string | null, string[], string, string]>([
    ["breakdown", "terraform_dir", ["5", "5", "0"], "no past", "as the CLI writes it"],
    ["breakdown", "terragrunt_dir", ["5", "5", "0"], "no past", "as the CLI writes it"],
    ["breakdown", "cloudformation", ["5", "5", "0"], "no past", "a template"],
    ["breakdown", "terraform_state_json", ["5", "5", "0"], "no past", "what exists"],
    ["breakdown", "terraform_dir", ["1", "5", "4"], "no past", "whatever its figures are"],
    ["breakdown", null, ["5", "5", "0"], "no past", "of an unknown input"],
    ["breakdown", "terraform_plan_json", ["1", "5", "4"], "compared", "the plan has the past"],
    ["breakdown", "terraform_plan_json", ["5", "5", "0"], "compared", "the plan changes no cost"],
    ["diff", "terraform_dir", ["1", "5", "4"], "compared", "with another estimate"],
    ["diff", "terraform_dir", ["5", "5", "0"], "compared", "both are equal"],
    ["output", "terraform_dir", ["1", "5", "4"], "compared", "the command says nothing of it"],
    ["output", "terraform_dir", ["5", "5", "0"], "no past", "two equal sides may be one"],
    ["output", "terraform_plan_json", ["5", "5", "0"], "compared", "the plan changes no cost"],
    [null, "terraform_dir", ["5", "5", "0"], "compared", "no command is stated"],
  ])("by %s of %s with %j: %s (%s)", async (command, type, amounts, expected) => {
    const { stages, whole } = await readEstimateOf(made(command, type, amounts));
    const isCompared = expected === "compared";
    const [before, after, change] = amounts.map((amount) => `${amount}.00`);
    const wanted = isCompared ? `${before} ${after} ${change}` : ` ${after} `;
    for (const stage of [...stages, whole]) {
      expect(tell(stage)).toBe(wanted);
      expect(stage.cost.estimate?.comparison).toBe(isCompared ? undefined : "nothing");
      expect(stage.cost.estimate?.completeness).toBe("complete");
    }
  });
});

test("a file with a compared project and another keeps what the first one states", async () => {
  const file = estimate(
    [
      project("a", ["1", "5", "4"], { metadata: { path: "a", type: "terraform_plan_json" } }),
      project("b", ["7", "7", "0"], { metadata: { path: "b", type: "terraform_dir" } }),
    ],
    ["8", "12", "4"],
    { metadata: { infracostCommand: "breakdown" } },
  );
  const { stages, whole } = await readEstimateOf(file);
  expect([...stages, whole].map(tell)).toEqual(["1.00 5.00 4.00", " 7.00 ", " 12.00 "]);
});

describe("a warning of the estimator", () => {
  const warned = async (warning: unknown) => {
    const metadata = { path: "a", type: "terraform_dir", warnings: [warning] };
    const file = estimate([project("a", ["1", "0", "-1"], { metadata })], ["1", "0", "-1"], {
      metadata: { infracostCommand: "diff" },
    });
    return (await readEstimateOf(file)).whole.cost.estimate;
  };

  test.each([
    [
      { code: 105, message: "Missing Terraform vars", data: ["variable.size", "variable.region"] },
      "no value for the variables size, region: give it to the estimate with --terraform-var-file or --terraform-var",
    ],
    [
      { code: 102, message: "Input values were not provided", data: ["variable.size"] },
      "no value for the variable size: give it to the estimate with --terraform-var-file or --terraform-var",
    ],
    [{ code: 301, message: "module not found", data: null }, "module not found"],
    [{ code: 999, message: "it failed", isError: true }, "it failed"],
  ])("makes the project partial, and says what to give: %j", async (warning, problem) => {
    expect(await warned(warning)).toMatchObject({ completeness: "partial", problems: [problem] });
  });

  test.each([
    [{ code: 401, message: "quota exceeded" }, "quota exceeded"],
    ["slow", "slow"],
    [{}, "a warning without a message"],
  ])("that is not known is shown, and takes nothing away: %j", async (warning, notice) => {
    expect(await warned(warning)).toMatchObject({
      completeness: "complete",
      problems: [],
      notices: [notice],
    });
  });
});

test("a price of a data source is said", async () => {
  const priced = breakdown("3", [{ name: "data.aws_instance.old", monthlyCost: "3" }]);
  const file = estimate(
    [{ name: "a", pastBreakdown: breakdown("3"), breakdown: priced, diff: breakdown("0") }],
    ["3", "3", "0"],
  );
  expect((await readEstimateOf(file)).whole.cost.estimate?.notices).toEqual([
    "data.aws_instance.old is a data source and has a price: it exists already",
  ]);
});
