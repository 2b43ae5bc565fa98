import { describe, expect, test } from "vitest";
import { parseAddress } from "../../src/plan-files/address.ts";
import { checkAgainstPlan } from "../../src/plan-files/estimate/check-against-plan.ts";
import { maskStage } from "../../src/plan-files/estimate/project-stage.ts";
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
      ["the estimate saw no resources, and the plan has 1"],
    ],
    [
      "deletes what it counts",
      [of("google_sql_database_instance", ["delete"])],
      0,
      ["the estimate saw no resources, and the plan has 1"],
    ],
    [
      "deletes all of it, though it had no price",
      [of("aws_iam_role", ["delete"])],
      0,
      ["the estimate saw no resources, and the plan has 1"],
    ],
    [
      "keeps what it counts",
      [of("azurerm_redis_cache", ["no-op"])],
      0,
      ["the estimate saw no resources, and the plan has 1"],
    ],
    [
      "deletes what another object left behind, which no code has",
      [{ ...of("aws_instance", ["delete"]), deposed: "byebye" }],
      0,
      [],
    ],
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

describe("a plan and an estimate contradict each other where", () => {
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
    const read = await readPlanOf(
      plan({ resource_changes: [forgotten, change("aws_instance.k", ["no-op"])] }),
    );
    const { whole } = await readEstimateOf(file);
    const { completeness, problems } = checkAgainstPlan(whole.withPlan(read), read).cost.estimate ?? {};
    expect(completeness).toBe("partial");
    expect(problems).toEqual([
      expect.stringContaining(`the plan forgets ${expected.join()} which is still paid for`),
    ]);
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

/** An estimate of these projects, each with its costs before (null: no past) and after, by address. */
type Costs = Readonly<Record<string, number>>;
interface PlanAndEstimate {
  readonly projects: readonly (readonly [Costs | null, Costs])[];
  readonly free?: Readonly<Record<string, number>>;
  readonly changes: readonly object[];
  readonly members?: object;
  /** Command that made the estimate. */
  readonly command?: string | null;
  /** Members of its summaries, of its metadata and of its present side. */
  readonly summary?: object;
  readonly metadata?: object;
  readonly present?: object;
}

const change = (address: string, actions: readonly string[], more: object = {}) => ({
  ...resourceChange({ address, actions, ...more }),
  type: parseAddress(address)?.type,
});

/** The whole estimate as it is with the plan: its amounts, and what contradicts the plan. */
async function together({ projects, free, changes, members = {}, ...more }: PlanAndEstimate) {
  const side = (costs: Costs) =>
    breakdown(
      Object.values(costs).reduce((total, cost) => total + cost, 0),
      Object.entries(costs).map(([name, monthlyCost]) => ({ name, monthlyCost })),
    );
  const counts = { unsupportedResourceCounts: {}, noPriceResourceCounts: free, ...more.summary };
  const made = projects.some(([past]) => past === null) ? "breakdown" : "diff";
  const file = estimate(
    projects.map(([past, present], at) => ({
      name: `p${at}`,
      pastBreakdown: past && side(past),
      breakdown: { ...side(present), ...more.present },
      metadata: more.metadata,
      diff: null,
      summary: free && counts,
    })),
    [null, null, null],
    {
      metadata: { infracostCommand: more.command === undefined ? made : more.command },
      summary: more.summary,
    },
  );
  const read = await readPlanOf(plan({ resource_changes: changes, ...members }));
  const { whole } = await readEstimateOf(file);
  const { cost } = maskStage(checkAgainstPlan(whole.withPlan(read), read), read);
  return {
    paid: [cost.past_total_monthly_cost, cost.total_monthly_cost].map((amount) => amount && Number(amount)),
    texts: cost.estimate?.problems ?? [],
    problems: (cost.estimate?.problems ?? []).map((problem) => String(problem).split(":")[0]),
  };
}

test("a contradiction names three resources and what may be the cause", async () => {
  const names = [1, 2, 3, 4, 5].map((at) => `aws_instance.r${at}`);
  const costs = Object.fromEntries(names.map((name) => [name, 5]));
  const given = {
    projects: [[costs, costs]] as const,
    changes: names.map((name) => change(name, ["create"])),
  };
  expect((await together(given)).texts).toEqual([
    "the plan creates aws_instance.r1, aws_instance.r2, aws_instance.r3 and 2 more and the estimate has a price for it before: the estimate may be of other code, another commit or other variables",
  ]);
});

test("an estimate with an error that its plan contradicts has that error as the likely cause", async () => {
  const web = "aws_instance.web";
  const given = { projects: [[{ [web]: 5 }, { [web]: 5 }]] as const, changes: [change(web, ["create"])] };
  expect((await together({ ...given, metadata: { errors: ["no access to a module"] } })).texts).toEqual([
    "no access to a module",
    `the plan creates ${web} and the estimate has a price for it before: the estimate has errors or warnings, or is of other code, another commit or other variables`,
  ]);
});

test("an estimate of no stated command that its plan contradicts may compare with nothing, and that is said", async () => {
  const web = "aws_instance.web";
  const given = { projects: [[{ [web]: 5 }, { [web]: 5 }]] as const, changes: [change(web, ["create"])] };
  expect((await together({ ...given, command: null })).texts).toEqual([
    `the plan creates ${web} and the estimate has a price for it before: the estimate may compare with nothing, or be of other code: make it with \`infracost diff --compare-to\``,
  ]);
});

/** The estimator prices machines by the template of their group, and counts the template itself as free. */
const group = (templates: readonly string[]): PlanAndEstimate => ({
  projects: [[{}, {}]],
  free: { aws_launch_template: templates.length },
  present: {
    resources: templates.map((name) => ({
      ...{ name: "aws_autoscaling_group.web", monthlyCost: 5 },
      subresources: [{ name, monthlyCost: 5 }, { name: "root_block_device" }],
    })),
  },
  changes: ["aws_autoscaling_group.web", "aws_launch_template.a"].map((name) => change(name, ["create"])),
});
const destroyed = {
  projects: [[{ "aws_instance.web": 5 }, {}]],
  free: {},
  summary: { totalDetectedResources: 0 },
  changes: [change("aws_instance.web", ["delete"]), change("aws_iam_role.r", ["delete"])],
} as const;
const blind = ["the estimate saw no resources, and the plan has 2"];

describe("beside its plan, an estimate is partial", () => {
  const [web, big] = ["aws_instance.web", "aws_instance.big"];
  test.each<[string, PlanAndEstimate, string[]]>([
    [
      "where the plan creates what had a price",
      { projects: [[{ [web]: 5 }, { [web]: 5 }]], changes: [change(web, ["create"])] },
      [`the plan creates ${web} and the estimate has a price for it before`],
    ],
    [
      "where the plan deletes what has a price afterwards",
      { projects: [[{ [web]: 5 }, { [web]: 5 }]], changes: [change(web, ["delete"])] },
      [`the plan deletes ${web} and the estimate has a price for it afterwards`],
    ],
    [
      "where the plan keeps what had a price",
      {
        projects: [[{ [web]: 5, [big]: 5 }, { [web]: 5 }]],
        changes: [change(web, ["no-op"]), change(big, ["no-op"])],
      },
      [`the plan has ${big} afterwards and the estimate does not`],
    ],
    [
      "without a past, where what stays is not in it",
      { projects: [[null, { [web]: 5 }]], changes: [change(web, ["no-op"]), change(big, ["no-op"])] },
      [`the plan has ${big} afterwards and the estimate does not`],
    ],
    [
      "where what stays is neither named nor counted",
      {
        projects: [[{}, { [web]: 5 }]],
        free: {},
        changes: [change(web, ["create"]), change(big, ["no-op"])],
      },
      [`the plan has ${big} afterwards and the estimate does not`],
    ],
    [
      "where what replaces a forgotten object is not in it",
      { projects: [[{ [web]: 5 }, {}]], changes: [change(web, ["forget", "create"])] },
      [`the plan has ${web} afterwards and the estimate does not`],
    ],
    [
      "where it saves what the plan does not have",
      { projects: [[{ [big]: 500 }, { [web]: 100 }]], changes: [change(web, ["create"])] },
      [`the estimate has a price for ${big} and the plan has it neither in code nor in state`],
    ],
    [
      "where it adds what the plan does not have",
      { projects: [[{ [web]: 500 }, { [big]: 500 }]], changes: [change(web, ["delete"])] },
      [`the estimate has a price for ${big} and the plan has it neither in code nor in state`],
    ],
    [
      "where several of its projects have what the plan imports",
      {
        projects: [
          [{}, { [web]: 100 }],
          [{}, { [web]: 100 }],
        ],
        changes: [change(web, ["no-op"], { importing: { id: "x" } })],
      },
      [`the plan moves, imports or forgets ${web} which several projects of the estimate have`],
    ],
    [
      "of a type of another provider that it prices elsewhere",
      {
        projects: [[{}, { "azapi_resource.a": 5 }]],
        changes: ["a", "b"].map((name) => change(`azapi_resource.${name}`, ["create"])),
      },
      ["the plan has azapi_resource.b afterwards and the estimate does not"],
    ],
    [
      "where it counts one without a price and names that one, not the other",
      {
        projects: [[{}, {}]],
        free: { aws_iam_role: 1 },
        present: { freeResources: [{ name: "aws_iam_role.a" }] },
        changes: ["aws_iam_role.a", "aws_iam_role.b"].map((name) => change(name, ["create"])),
      },
      ["the plan has aws_iam_role.b afterwards and the estimate does not"],
    ],
    [
      "where it has one of two templates, as a part of what is made of it",
      {
        ...group(["aws_launch_template.a"]),
        changes: [...group([]).changes, change("aws_launch_template.b", ["create"])],
      },
      ["the plan has aws_launch_template.a, aws_launch_template.b afterwards and the estimate does not"],
    ],
    [
      "of nothing, where the plan does not delete all that had a price",
      { ...destroyed, projects: [[{ [web]: 5, [big]: 5 }, {}]] },
      [`the estimate has a price for ${big} and the plan has it neither in code nor in state`, ...blind],
    ],
    ["of nothing, where the plan failed", { ...destroyed, members: { errored: true } }, blind],
    [
      "of nothing, where the plan is of a part of the code",
      { ...destroyed, members: { complete: false } },
      blind,
    ],
    [
      "of nothing, where the estimator warned",
      { ...destroyed, metadata: { warnings: [{ code: 999, message: "odd" }] } },
      blind,
    ],
    [
      "of nothing, where the estimator failed",
      { ...destroyed, metadata: { errors: ["odd"] } },
      ["odd", ...blind],
    ],
  ])("%s", async (_, given, problems) => {
    expect((await together(given)).problems).toEqual(problems);
  });
});

describe("beside its plan, an estimate is complete", () => {
  const web = "aws_instance.web";
  const secret = (key: string) => `aws_instance.web["${key}"]`;
  test.each<[string, PlanAndEstimate, (number | null)[]]>([
    [
      "where a replacement is written as two changes",
      {
        projects: [[{ [web]: 5 }, { [web]: 7 }]],
        changes: [change(web, ["delete"]), change(web, ["create"])],
      },
      [5, 7],
    ],
    [
      "where different keys are masked",
      {
        projects: [
          [
            { [secret("s3cret-one")]: 5, [secret("s3cret-two")]: 7 },
            { [secret("s3cret-two")]: 7, [secret("s3cret-three")]: 11 },
          ],
        ],
        changes: [
          change(secret("s3cret-one"), ["delete"]),
          change(secret("s3cret-two"), ["no-op"]),
          change(secret("s3cret-three"), ["create"], {
            after: { keys: ["s3cret-one", "s3cret-two", "s3cret-three"] },
            after_sensitive: { keys: true },
          }),
        ],
      },
      [12, 18],
    ],
    [
      "where a key would begin a template",
      {
        projects: [[{}, { 'aws_instance.web["${a}-%{b}"]': 5 }]],
        changes: [change('aws_instance.web["$${a}-%%{b}"]', ["create"])],
      },
      [0, 5],
    ],
    [
      "where an estimate of code does not know the keys of what stays",
      {
        projects: [[{ 'aws_instance.web["unknown"]': 5 }, { 'aws_instance.web["unknown"]': 5 }]],
        free: {},
        changes: [change('aws_instance.web["a"]', ["no-op"]), change('aws_instance.web["b"]', ["no-op"])],
      },
      [5, 5],
    ],
    [
      "where another of its projects keeps what the plan creates",
      {
        projects: [
          [{}, { [web]: 5 }],
          [{ [web]: 3 }, { [web]: 3 }],
        ],
        changes: [change(web, ["create"])],
      },
      [3, 8],
    ],
    [
      "where only the state of the plan has what it prices",
      {
        projects: [[{ [web]: 5 }, { [web]: 5 }]],
        changes: [],
        members: {
          prior_state: {
            values: { root_module: { resources: [{ address: web, mode: "managed", type: "aws_instance" }] } },
          },
        },
      },
      [5, 5],
    ],
    [
      "where the plan is of a part of the code",
      { projects: [[{ [web]: 5 }, { [web]: 5 }]], changes: [], members: { complete: false } },
      [5, 5],
    ],
    [
      "where it names what has no price beside its counts",
      {
        projects: [[{}, {}]],
        free: {},
        present: { freeResources: [{ name: "aws_iam_role.a" }] },
        changes: [change("aws_iam_role.a", ["create"])],
      },
      [0, 0],
    ],
    [
      "where it counts what it does not support",
      {
        projects: [[{}, {}]],
        free: {},
        summary: { unsupportedResourceCounts: { aws_kendra_index: 1 } },
        changes: [change("aws_kendra_index.a", ["create"])],
      },
      [0, 0],
    ],
    ["where only a part of what is created has a price", group(["aws_launch_template.a"]), [0, 0]],
    ["where it sees nothing, and the plan deletes all that had a price", destroyed, [5, 0]],
  ])("%s", async (_, given, paid) => {
    expect(await together(given)).toMatchObject({ paid, texts: [] });
  });
});

describe("a resource of a provider that the estimator does not know is unpriced", () => {
  const of = (address: string, actions: readonly string[] = ["create"]) => change(address, actions);
  test.each<[string, object[], object | null, object | null]>([
    [
      "where it exists after the plan",
      [
        of("azapi_resource.a"),
        of("kubernetes_deployment.a", ["no-op"]),
        of("kubernetes_deployment.b", ["delete", "create"]),
        of("helm_release.gone", ["delete"]),
        of("awscc_s3_bucket.left", ["forget"]),
      ],
      {},
      { azapi_resource: 1, kubernetes_deployment: 2, aws_kendra_index: 1 },
    ],
    [
      "and one of the plan's own values and files costs nothing",
      ["random_id.a", "null_resource.a", "terraform_data.a", "local_file.a", "tls_private_key.a"].map(
        (address) => of(address),
      ),
      {},
      { aws_kendra_index: 1 },
    ],
    [
      "unless the estimate counts as many of its type",
      [of("azapi_resource.a"), of("helm_release.a"), of("helm_release.b")],
      { azapi_resource: 1, helm_release: 1 },
      { helm_release: 2, aws_kendra_index: 1 },
    ],
    ["and not known where the estimate states no counts", [of("azapi_resource.a")], null, null],
  ])("%s", async (...[, changes, noPriceResourceCounts, unpriced]) => {
    const summary = noPriceResourceCounts && {
      unsupportedResourceCounts: { aws_kendra_index: 1 },
      noPriceResourceCounts,
    };
    const project = { name: "a", pastBreakdown: breakdown("0"), breakdown: breakdown("0"), summary };
    const { whole } = await readEstimateOf(estimate([project], ["0", "0", "0"]));
    const read = await readPlanOf(plan({ resource_changes: changes }));
    expect(checkAgainstPlan(whole, read).cost.estimate).toMatchObject({ unpriced, problems: [] });
  });
});

test("keys that are masked stay as many as they are", async () => {
  const keys = ["s3cret-one", "s3cret-two"];
  const changes = keys.map((key) =>
    change(`aws_instance.web["${key}"]`, ["delete", "create"], {
      before: { keys },
      before_sensitive: { keys: true },
    }),
  );
  const { rows } = await readPlanOf(plan({ resource_changes: changes }));
  expect(new Set(rows.planned_changes.map(({ address }) => address))).toEqual(
    new Set(['aws_instance.web["(sensitive value)"]', 'aws_instance.web["(sensitive value) 2"]']),
  );
});
