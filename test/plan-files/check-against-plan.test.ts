import fc from "fast-check";
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
    [
      "deletes all of it, though it had no price",
      [of("aws_iam_role", ["delete"])],
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

/** One resource of a stack, before and after one change; `null`: it is not there. */
interface Item {
  readonly address: string;
  readonly before: Kind | null;
  readonly after: Kind | null;
  readonly actions: readonly string[];
  readonly previous?: string;
}
type Kind = "priced" | "free" | "counted";

const TYPE = { priced: "aws_instance", free: "aws_iam_role", counted: "aws_sns_topic" } as const;
const side = (items: readonly Item[], when: "before" | "after") => {
  const names = (kind: Kind) =>
    items
      .filter((item) => item[when] === kind)
      .map((item) => (when === "before" ? (item.previous ?? item.address) : item.address));
  const resources = names("priced").map((name) => ({ name, monthlyCost: "5" }));
  return {
    ...breakdown(String(5 * resources.length), resources),
    // A past lists no free resources.
    ...(when === "after" && { freeResources: names("free").map((name) => ({ name })) }),
  };
};

/** The estimate and the plan of one stack; `drop`: an address that the estimate does not see afterwards. */
async function check(items: readonly Item[], drop: string | null = null, counts = true) {
  const seen = items.map((item) => (item.address === drop ? { ...item, after: null } : item));
  const noPriceResourceCounts = Object.fromEntries(
    (["free", "counted"] as const).map((kind) => [
      TYPE[kind],
      seen.filter(({ after }) => after === kind).length,
    ]),
  );
  const summary = {
    totalDetectedResources: seen.filter(({ after }) => after !== null).length,
    ...(counts && { unsupportedResourceCounts: {}, noPriceResourceCounts }),
  };
  const [before, after] = [side(seen, "before"), side(seen, "after")];
  const { whole } = await readEstimateOf(
    estimate(
      [
        {
          name: "a",
          metadata: { type: "terraform_dir" },
          pastBreakdown: before,
          breakdown: after,
          diff: null,
          summary,
        },
      ],
      [null, null, null],
      { metadata: { infracostCommand: "diff" }, summary },
    ),
  );
  const changes = items.map((item) => ({
    ...resourceChange({
      address: item.address,
      actions: item.actions,
      ...(item.previous === undefined ? {} : { previous_address: item.previous }),
    }),
    type: TYPE[item.after ?? item.before ?? "priced"],
  }));
  return checkAgainstPlan(whole, await readPlanOf(plan({ resource_changes: changes }))).cost.estimate;
}

const kind = fc.constantFrom<Kind>("priced", "free", "counted");
const stack = fc
  .array(
    fc.record({
      kind,
      fate: fc.constantFrom("create", "delete", "update", "no-op", "replace", "move", "import", "forget"),
      key: fc.constantFrom("", "[0]", '["a.b"]', '["0"]'),
      module: fc.constantFrom("", "module.web.", 'module.web["eu"].'),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ kind: what, fate, key, module }, at): Item => {
      const address = `${module}${TYPE[what]}.r${at}${key}`;
      const stays = { address, before: what, after: what };
      switch (fate) {
        case "create":
          return { address, before: null, after: what, actions: ["create"] };
        case "delete":
          return { address, before: what, after: null, actions: ["delete"] };
        case "forget":
          return { address, before: what, after: null, actions: ["forget"] };
        case "replace":
          return { ...stays, actions: ["delete", "create"] };
        case "move":
          return { ...stays, previous: `${TYPE[what]}.old${at}`, actions: ["no-op"] };
        case "update":
          return { ...stays, actions: ["update"] };
        default:
          return { ...stays, actions: ["no-op"] };
      }
    }),
  );

describe("an estimate and a plan of one commit", () => {
  test("never contradict each other", async () => {
    await fc.assert(
      fc.asyncProperty(stack, fc.boolean(), async (items, counts) => {
        // An empty estimate is right only where everything is deleted that had a price.
        const isEmpty = items.every(({ after }) => after === null);
        fc.pre(
          !isEmpty ||
            (items.length > 0 &&
              items.every(({ before, actions }) => before === "priced" && actions[0] === "delete")),
        );
        expect(await check(items, null, counts)).toMatchObject({ completeness: "complete", problems: [] });
      }),
      { numRuns: 200 },
    );
  });

  test("contradict each other when a priced resource that is created or changed is dropped", async () => {
    await fc.assert(
      fc.asyncProperty(stack, fc.boolean(), async (items, counts) => {
        const one = {
          address: "aws_instance.dropped",
          before: null,
          after: "priced",
          actions: ["create"],
        } as const;
        const other = {
          address: "aws_instance.other",
          before: "priced",
          after: "priced",
          actions: ["no-op"],
        } as const;
        const estimated = await check([...items, one, other], one.address, counts);
        expect(estimated?.completeness).toBe("partial");
        expect(estimated?.problems.join()).toContain(one.address);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a plan and an estimate contradict each other where", () => {
  const web = {
    address: "aws_instance.web[0]",
    before: "priced",
    after: "priced",
    actions: ["no-op"],
  } as const;
  test.each<[string, readonly Item[], string | null, string]>([
    [
      "the plan creates what had a price",
      [{ ...web, actions: ["create"] }],
      null,
      "the plan creates aws_instance.web[0] and the estimate has a price for it before",
    ],
    [
      "the plan deletes what has one afterwards",
      [{ ...web, actions: ["delete"] }],
      null,
      "the plan deletes aws_instance.web[0] and the estimate has a price for it afterwards",
    ],
    [
      "the plan keeps what had one",
      [web, { ...web, address: "aws_instance.b" }],
      web.address,
      "the plan has aws_instance.web[0] afterwards and the estimate does not",
    ],
  ])("%s", async (_, items, drop, problem) => {
    const estimated = await check(items, drop);
    expect(estimated?.problems).toEqual([
      `${problem}: the estimate may be of other code, another commit or other variables`,
    ]);
  });

  test.each<[string, string | null, string[]]>([
    ["the estimate has no past", null, ["aws_instance.big"]],
    ["its past does not have it", "5", ["aws_instance.big"]],
  ])("the plan forgets what has no price, which stays paid: %s", async (_, past, expected) => {
    const other = [{ name: "aws_instance.k", monthlyCost: "5" }];
    const file = estimate(
      [
        {
          name: "a",
          pastBreakdown: past === null ? null : breakdown(past, other),
          breakdown: breakdown("5", other),
          diff: past === null ? null : breakdown("0"),
        },
      ],
      [past, "5", past === null ? null : "0"],
    );
    const forgotten = {
      ...resourceChange({ address: "aws_instance.big", actions: ["forget"] }),
      type: "aws_instance",
    };
    const read = await readPlanOf(plan({ resource_changes: [forgotten] }));
    const { whole } = await readEstimateOf(file);
    const { completeness, problems } = checkAgainstPlan(whole.withPlan(read), read).cost.estimate ?? {};
    expect(completeness).toBe("partial");
    expect(problems).toEqual([
      expect.stringContaining(`the plan forgets ${expected.join()} which is still paid for`),
    ]);
  });

  test("more than three do, and the first three are named", async () => {
    const items = [1, 2, 3, 4, 5].map((at) => ({
      ...web,
      address: `aws_instance.r${at}`,
      actions: ["create"],
    }));
    expect((await check(items))?.problems[0]).toContain(
      "creates aws_instance.r1, aws_instance.r2, aws_instance.r3 and 2 more and",
    );
  });

  test("another spelling of a key is the same resource", async () => {
    const file = estimate(
      [
        {
          name: "a",
          pastBreakdown: breakdown("0"),
          breakdown: breakdown("5", [{ name: 'aws_instance.web["a"]', monthlyCost: "5" }]),
          diff: null,
        },
      ],
      ["0", "5", "5"],
    );
    const changes = [
      { ...resourceChange({ address: "aws_instance.web[a]", actions: ["create"] }), type: "aws_instance" },
    ];
    const { whole } = await readEstimateOf(file);
    expect(
      checkAgainstPlan(whole, await readPlanOf(plan({ resource_changes: changes }))).cost.estimate?.problems,
    ).toEqual([]);
  });
});
