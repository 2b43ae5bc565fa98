import { describe, expect, test } from "vitest";
import { maskStage } from "../../src/plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { inPieces, utf8 } from "./bytes.ts";
import { estimate, project, scan, scanProject, scanResource } from "./estimate-builder.ts";
import { plan, readPlanOf, resourceChange } from "./plan-builder.ts";

const input = (file: string, document: object) => ({ file, bytes: inPieces(utf8(JSON.stringify(document))) });
const readScan = (head: object, base?: object) =>
  readEstimate({
    ...input("head.json", head),
    ...(base && { base: input("base.json", base) }),
    fallback: "costs",
  });
const one = (resource: object) => scan([scanProject([resource])]);
const component = (more: object) => ({ name: "Requests", unit: "1M requests", ...more });
const withComponent = (more: object) =>
  one(scanResource("aws_lambda_function.hook", { cost_components: [component(more)] }));

describe("a scan of Infracost 2", () => {
  test("without a base knows the cost afterwards and no change", async () => {
    const { whole } = await readScan(one(scanResource("aws_instance.web", { cost: 60.736 })));
    expect(whole.cost).toMatchObject({
      total_monthly_cost: "60.736",
      past_total_monthly_cost: null,
      diff_total_monthly_cost: null,
      estimate: { comparison: "nothing", completeness: "complete" },
    });
  });

  test.each([
    ["a price and no quantity", { price: "0.2", quantity: "0", total_monthly_cost: "0" }, "unstated"],
    ["a price and no cost", { price: "0.2", quantity: "7", total_monthly_cost: null }, "unstated"],
    ["a price and a quantity", { price: "0.2", quantity: "7", total_monthly_cost: "1.4" }, null],
    ["a cost and no quantity", { price: "0.2", quantity: "0", total_monthly_cost: "1.4" }, null],
    ["a price of zero", { price: "0", quantity: "7", total_monthly_cost: "0" }, null],
  ])("has the usage of a component with %s", async (_, figures, usage) => {
    const { whole } = await readScan(withComponent(figures));
    expect(whole.cost.estimate?.usage?.resources.map(({ change }) => change)).toEqual(
      usage === null ? [] : [usage],
    );
    expect(whole.cost.estimate?.unpriced).toEqual({});
  });

  test.each([
    ["is not supported", scanResource("azapi_resource.one", { is_supported: false }), { azapi_resource: 1 }],
    [
      "has a component without a price",
      scanResource("aws_lambda_function.hook", { cost_components: [component({ price: null })] }),
      { aws_lambda_function: 1 },
    ],
    [
      "has a component whose price was not found",
      scanResource("aws_lambda_function.hook", {
        cost_components: [component({ price: "0", quantity: "0", total_monthly_cost: "0" })],
      }),
      { aws_lambda_function: 1 },
    ],
    ["is free", scanResource("aws_iam_role.one", { is_free: true, cost_components: null }), {}],
  ])("counts a resource that %s", async (_, resource, unpriced) => {
    const { whole } = await readScan(one(resource));
    expect(whole.cost.estimate?.unpriced).toEqual(unpriced);
    expect(whole.cost.estimate?.usage?.resources).toEqual([]);
    expect(whole.seen.present?.size).toBe(1);
  });

  test("sums parts of parts exactly, and takes a resource that is called free and costs something for priced", async () => {
    const part = (name: string, cost: string, subresources: object[] = []) => ({
      ...{ name, subresources },
      cost_components: [component({ price: "1", quantity: cost, total_monthly_cost: cost })],
    });
    const resource = scanResource("aws_instance.web", {
      is_free: true,
      subresources: [part("root_block_device", "0.1", [part("snapshot", "0.2")])],
    });
    const { whole } = await readScan(one(resource), one(scanResource("aws_instance.web", { cost: 0 })));
    expect(whole.cost.total_monthly_cost).toBe("0.30");
    expect(whole.cost.diff["aws_instance"]?.diff).toMatchObject([
      { subresources: { root_block_device: {} } },
    ]);
  });

  test.each([
    ["without any component", { cost_components: [] }],
    [
      "called free, with a price for usage",
      { is_free: true, cost_components: [component({ price: "1", quantity: "0" })] },
    ],
  ])("has an unknown cost of a resource %s", async (_, more) => {
    const { estimate: note } = (await readScan(one(scanResource("aws_instance.web", more)))).whole.cost;
    expect(note?.usage?.resources).toMatchObject([{ address: "aws_instance.web" }]);
  });

  test("adds up though each amount was rounded to a float of its own", async () => {
    const third = (name: string) => scanResource(name, { cost: 1 / 3 });
    const resources = ["aws_instance.a", "aws_instance.b", "aws_instance.c"].map(third);
    const { stages } = await readScan(
      scan([scanProject(resources)], { summary: { total_monthly_cost: "1" } }),
    );
    expect(stages.map(({ label }) => label)).toEqual(["stack"]);
  });

  test.each(["error", "critical", "fatal"])("is partial by a diagnostic of severity %s", async (severity) => {
    const diagnostics = [{ message: "no credentials\nfor the module", severity }];
    const { whole } = await readScan(scan([scanProject([], { diagnostics })]));
    expect(whole.cost.estimate).toMatchObject({
      completeness: "partial",
      problems: ["no credentials for the module"],
    });
  });

  test("is complete with a diagnostic of severity warning, which is said, and with one of severity info", async () => {
    const diagnostics = ["warning", "info"].map((severity) => ({ message: severity, severity }));
    const { whole } = await readScan(scan([scanProject([], { diagnostics })]));
    expect(whole.cost.estimate).toMatchObject({ completeness: "complete", notices: ["warning"] });
  });

  test.each([
    ["1.00", false],
    ["1.01", false],
    ["1.02", true],
    ["much", true],
  ])("with a total of %s in its summary contradicts its resources: %s", async (total, contradicts) => {
    const summary = { total_monthly_cost: total };
    const file = scan([scanProject([scanResource("aws_instance.web", { cost: 1 })])], { summary });
    const { estimate: note } = (await readScan(file)).whole.cost;
    expect(note?.parts === "all" || note?.completeness === "partial").toBe(contradicts);
  });
});

describe("what the estimator's own policies say", () => {
  const issue = (address: string, attribute: string, monthly_savings: string | null) => ({
    ...{
      name: address,
      issues: [{ description: `change ${attribute}`, monthly_savings, address, attribute }],
    },
  });
  const finops = (...failing_resources: readonly object[]) => ({
    finops_results: [{ policy_name: "Newer types", failing_resources }],
  });
  const web = scanResource("aws_instance.web", { cost: 9, metadata: { filename: "main.tf", start_line: 3 } });
  const head = scan(
    [
      scanProject([web], {
        ...finops(issue("aws_instance.web", "type", "1.5"), issue("aws_instance.web", "disk", "4")),
        tagging_results: [
          {
            policy_name: "Owners",
            failing_resources: [
              {
                address: "aws_instance.web",
                path: "main.tf",
                line: 3,
                missing_mandatory_tags: ["team"],
                invalid_tags: [],
              },
            ],
          },
        ],
      }),
    ],
    {
      guardrail_results: [
        { guardrail_name: "Too much", triggered: true },
        { guardrail_name: "Far too much", triggered: false },
      ],
      budget_results: [
        { budget_name: "Shop", over_budget: true, custom_overrun_message: "ask first" },
        { budget_name: "Search", over_budget: false },
      ],
    },
  );
  const base = scan([scanProject([web], finops(issue("aws_instance.web", "type", "1.5")))]);

  test("is counted where the base does not have it, and listed with its place, the largest saving first", async () => {
    const { whole, stages } = await readScan(head, base);
    const place = { address: "aws_instance.web", file: "main.tf", line: 3 };
    const findings = {
      issues: 1,
      policies: 3,
      more: 0,
      listed: [
        {
          kind: "finops",
          policy: "Newer types",
          attribute: "disk",
          message: "change disk",
          saving: "4",
          ...place,
        },
        { kind: "tagging", policy: "Owners", message: "missing team", ...place },
        { kind: "guardrail", policy: "Too much", address: null },
        { kind: "budget", policy: "Shop", message: "ask first" },
      ],
    };
    expect([whole, ...stages].map(({ cost }) => cost.estimate?.findings)).toMatchObject([findings, findings]);
  });

  test("is counted by policies though the base has the same", async () => {
    const { findings } = (await readScan(head, head)).whole.cost.estimate ?? {};
    expect(findings).toMatchObject({ issues: 0, policies: 3 });
  });

  test("has the plan's secrets masked", async () => {
    const secret = scan([
      scanProject([web], finops(issue('aws_instance.web["canary"]', "tags.canary", null))),
    ]);
    const mask = (text: string) => text.replaceAll("canary", "hidden");
    const { whole } = await readScan(secret);
    const { cost } = maskStage(whole, { mask, maskKeys: mask });
    expect(cost.estimate?.findings?.listed).toMatchObject([
      { address: 'aws_instance.web["hidden"]', attribute: "tags.hidden", message: "change tags.hidden" },
    ]);
  });

  test("is new where the base has fewer of the same resource and attribute", async () => {
    const twice = scan([
      scanProject(
        [web],
        finops(issue("aws_instance.web", "type", "1.5"), issue("aws_instance.web", "type", "2")),
      ),
    ]);
    expect((await readScan(twice, base)).whole.cost.estimate?.findings?.issues).toBe(1);
  });

  test("without a base leaves unknown how many issues are new", async () => {
    const { findings } = (await readScan(head)).whole.cost.estimate ?? {};
    expect(findings).toMatchObject({ issues: null, policies: 3 });
    expect(findings?.listed).toHaveLength(5);
  });

  test("is unknown of a scan that states none", async () => {
    const without = scan([scanProject([web], { finops_results: null })]);
    for (const pair of [[without, base] as const, [base, without] as const])
      expect((await readScan(...pair)).whole.cost.estimate?.findings?.issues ?? null).toBeNull();
  });

  test("is not stated by Infracost 0.10", async () => {
    const { whole } = await readScan(state("a", "9"), state("a", "5"));
    expect(whole.cost.estimate?.findings).toBeUndefined();
  });

  test("of a resource that moves is not new", async () => {
    const moved = scan([
      scanProject(
        [scanResource("aws_instance.new", { cost: 9 })],
        finops(issue("aws_instance.new", "type", "1")),
      ),
    ]);
    const { whole } = await readScan(moved, base);
    const change = {
      ...resourceChange({
        address: "aws_instance.new",
        actions: ["no-op"],
        previous_address: "aws_instance.web",
      }),
      type: "aws_instance",
    };
    const snapshot = await readPlanOf(plan({ resource_changes: [change] }));
    expect(whole.cost.estimate?.findings?.issues).toBe(1);
    expect(whole.withPlan(snapshot).cost.estimate?.findings?.issues).toBe(0);
  });
});

const state = (name: string, cost: string, more: object = {}) =>
  estimate([project(name, [cost, cost, "0"], { metadata: { path: name } })], [cost, cost, "0"], {
    metadata: { infracostCommand: "breakdown" },
    ...more,
  });

test("a scan of nothing is an estimate that names no project", async () => {
  const { whole } = await readScan(scan([]));
  expect(whole.cost.estimate?.problems).toEqual(["the estimate names no project, so nothing was estimated"]);
});

describe("an estimate with the one of the state before", () => {
  test.each([
    [
      "two scans",
      scan([scanProject([scanResource("aws_instance.web", { cost: 9 })], { project_name: "pr" })]),
      scan([scanProject([scanResource("aws_instance.web", { cost: 5 })], { project_name: "base" })]),
    ],
    ["two breakdowns", state("pr", "9"), state("base", "5")],
  ])(
    "is their difference by %s, whose only projects are one, whatever their folders are called",
    async (_, head, base) => {
      const { stages, whole } = await readScan(head, base);
      expect(stages.map(({ label }) => label)).toEqual(["pr"]);
      for (const { cost } of [...stages, whole]) {
        expect(cost).toMatchObject({ past_total_monthly_cost: "5.00", total_monthly_cost: "9.00" });
        expect(cost).toMatchObject({
          diff_total_monthly_cost: "4.00",
          estimate: { completeness: "complete" },
        });
        expect(cost.estimate?.comparison).toBeUndefined();
      }
    },
  );

  test("has a project that is only on one side as created or gone", async () => {
    const named = (project_name: string, cost: number) =>
      scanProject([scanResource("aws_instance.web", { cost })], { project_name });
    const left = scanResource("azapi_resource.one", { is_supported: false });
    const { stages } = await readScan(
      scan([named("stays", 1), named("comes", 2)]),
      scan([
        scanProject([left, scanResource("aws_instance.web", { cost: 4 })], { project_name: "goes" }),
        named("stays", 1),
      ]),
    );
    expect(stages.map(({ cost }) => cost.estimate?.unpriced)).toEqual([{}, {}, {}]);
    const told = stages.map(
      ({ label, cost }) => `${label} ${cost.past_total_monthly_cost} > ${cost.total_monthly_cost}`,
    );
    expect(told).toEqual(["stays 1.00 > 1.00", "comes 0.00 > 2.00", "goes 4.00 > 0.00"]);
  });

  test("has the only project of the head as the one of its name in the base", async () => {
    const { stages } = await readScan(two("a"), two("b", "a"));
    expect(stages.map(({ label }) => label)).toEqual(["a", "b"]);
  });

  const diagnosed = scan([scanProject([], { diagnostics: [{ message: "no module", severity: "error" }] })]);
  const warned = estimate(
    [project("a", ["5", "5", "0"], { metadata: { warnings: [{ code: 105, message: "no module" }] } })],
    ["5", "5", "0"],
    { metadata: { infracostCommand: "breakdown" } },
  );
  const unclear = scan([scanProject([])], { summary: { total_monthly_cost: "much" } });
  test.each([
    ["an error", scan([scanProject([])]), diagnosed, "no module"],
    ["a warning about code", state("a", "5"), warned, "no module"],
    [
      "a total that is no amount",
      scan([scanProject([])]),
      unclear,
      "summary.total_monthly_cost of the base is stated and is no amount",
    ],
  ])("is partial where the state before has %s", async (_, head, base, problem) => {
    const { whole } = await readScan(head, base);
    expect(whole.cost.estimate?.problems).toEqual([problem]);
  });

  test("has the total that the base states", async () => {
    const file = (total: string) => scan([scanProject([])], { summary: { total_monthly_cost: total } });
    const { whole } = await readScan(file("9"), file("7"));
    expect(whole.cost).toMatchObject({ past_total_monthly_cost: "7.00", diff_total_monthly_cost: "2.00" });
  });

  test("is partial where it names no project, though the base has some", async () => {
    const { stages, whole } = await readScan(scan([]), scan([scanProject([])]));
    for (const { cost } of [...stages, whole])
      expect(cost.estimate?.problems).toEqual(["the estimate names no project, so nothing was estimated"]);
  });

  const compared = estimate([project("a", ["1", "2", "1"])], ["1", "2", "1"], {
    metadata: { infracostCommand: "diff" },
  });
  const two = (...names: readonly string[]) =>
    scan(names.map((project_name) => scanProject([], { project_name })));
  test.each([
    [
      "of another version",
      state("a", "1"),
      scan([scanProject([])]),
      "are of different versions of Infracost",
    ],
    [
      "in another currency",
      two("a"),
      { ...two("a"), currency: "EUR" },
      "head.json is in USD and base.json in EUR",
    ],
    ["of other projects", two("a", "b"), two("c"), "head.json and base.json have no project in common"],
    ["that compares already", state("a", "1"), compared, "base.json compares two states already"],
    [
      "for an estimate that compares already",
      compared,
      state("a", "1"),
      "head.json compares two states already",
    ],
  ])("is refused with one %s", async (_, head, base, message) => {
    await expect(readScan(head, base)).rejects.toThrow(message);
  });
});
