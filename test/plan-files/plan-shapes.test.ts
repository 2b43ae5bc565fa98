import { describe, expect, it, test } from "vitest";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { counts } from "../report/facts.ts";
import { inPieces, utf8 } from "./bytes.ts";
import { everythingIn, plan, readPlanOf, readPlanText, resourceChange, textOf } from "./plan-builder.ts";

const CHANGES = [
  resourceChange({ address: "cloud_disk.new", after: { size: 10 } }),
  resourceChange({
    address: "cloud_disk.old",
    actions: ["delete", "create"],
    before: { size: 10, password: null },
    after: { size: 20, password: null },
    before_sensitive: { password: true },
    after_sensitive: { password: true },
  }),
  resourceChange({ address: "cloud_disk.same", actions: ["no-op"] }),
  resourceChange({ address: "data.cloud_zone.main", mode: "data", actions: ["read"] }),
];
const DRIFT = [resourceChange({ address: "cloud_disk.same", actions: ["update"], before: { a: 1 } })];

/** As HCP Terraform and OpenTofu's cloud backend hand a plan out with its secrets taken away. */
const redacted = (members: Readonly<Record<string, unknown>> = {}): object => ({
  plan_format_version: "1.2",
  output_changes: { url: { actions: ["create"], before: null, after: "x", after_sensitive: false } },
  resource_changes: CHANGES,
  resource_drift: DRIFT,
  relevant_attributes: [{ resource: "cloud_disk.same", attribute: ["a"] }],
  provider_format_version: "1.0",
  provider_schemas: { "registry.example.org/acme/cloud": { resource_schemas: {} } },
  ...members,
});

const { replaced: _, ...COUNTS } = counts({ added: 2, deleted: 1, unchanged: 1, drifted: 1 });

describe("a redacted plan of HCP Terraform", () => {
  it("has the changes, the drift and the outputs of the same plan as `show -json` prints it", async () => {
    const read = await readPlanOf(redacted());
    const shown = await readPlanOf(plan({ resource_changes: CHANGES, resource_drift: DRIFT }));
    expect(read.counts).toEqual(COUNTS);
    expect(read.counts).toEqual(shown.counts);
    expect(read.rows.planned_changes.map(textOf)).toEqual(shown.rows.planned_changes.map(textOf));
    expect(read.rows.outputs.map(({ name, change }) => [name, change])).toEqual([["url", "added"]]);
    expect(read.notes).toEqual([]);
  });

  it("may change nothing at all", async () => {
    const nothing = { plan_format_version: "1.2", provider_format_version: "1.0" };
    expect((await readPlanOf(nothing)).counts).toMatchObject({ added: 0, deleted: 0, unchanged: 0 });
  });

  it.each(["2.0", "1", 1, null, "x"])("is refused in format version %j", async (version) => {
    await expect(readPlanOf(redacted({ plan_format_version: version }))).rejects.toThrow(
      "plan format version that is not known",
    );
  });

  it("is distinguished from an estimate", async () => {
    const estimate = { file: "f", bytes: inPieces(utf8(JSON.stringify(redacted()))), fallback: "f" };
    await expect(readEstimate(estimate)).rejects.toThrow("seems to be a Terraform plan JSON");
  });
});

describe("the list of changes alone", () => {
  it("is read, and a note says what it leaves out", async () => {
    const read = await readPlanOf({ resource_changes: CHANGES });
    expect(read.counts).toEqual({ ...COUNTS, drifted: 0 });
    expect(read.notes).toMatchInlineSnapshot(`
      [
        "the file has \`resource_changes\` without a format version: it is read as a part of a plan, and drift, outputs and failures that it leaves out are not counted",
      ]
    `);
  });

  it("masks what a name promises to be secret, for nothing says which tool marked it", async () => {
    const change = resourceChange({ after: { password: "canary-9f31", size: 1 }, after_sensitive: {} });
    const read = await readPlanOf({ resource_changes: [change] });
    expect(everythingIn(read)).not.toContain("canary-9f31");
  });
});

test.each([
  ["a change that is nothing", { resource_changes: [null] }],
  ["changes that are a text", { resource_changes: "none" }],
  ["a drift that is nothing", { resource_changes: [], resource_drift: [null] }],
  ["a planned module that is a text", { resource_changes: [], planned_values: { root_module: "none" } }],
  [
    "a state with modules that are a text",
    { resource_changes: [], prior_state: { values: { root_module: { child_modules: ["none"] } } } },
  ],
])("%s is refused, in every shape of a plan", async (_, parts) => {
  for (const shape of [plan(parts), redacted(parts), parts])
    await expect(readPlanOf(shape)).rejects.toThrow("is not what a plan has there");
});

test.each([
  ["{}"],
  ['{"resource_changes":null}'],
  ['{"resource_drift":[]}'],
  ['{"plan_format_version":"1.2"}'],
  ['{"output_changes":{}}'],
])("%s is no plan", async (text) => {
  await expect(readPlanText(text)).rejects.toThrow(/none of the parts of a plan|seems to be/);
});
