import { describe, expect, test } from "vitest";
import { SENSITIVE } from "../../src/kernel/redact-credentials.ts";
import type { StatedTags } from "../../src/kernel/resource-tags.ts";
import type { EstimateFile } from "../../src/plan-files/estimate/estimate.ts";
import { maskStage } from "../../src/plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { inPieces, utf8 } from "./bytes.ts";
import {
  breakdown,
  estimate,
  type ResourceGiven,
  readEstimateOf,
  scan,
  scanProject,
  scanResource,
} from "./estimate-builder.ts";
import { type ChangeGiven, everythingIn, plan, planOf, readPlanOf, resourceChange } from "./plan-builder.ts";

type Given = ChangeGiven & { readonly type: string };

const change = ({ type, ...given }: Given): object => ({ ...resourceChange(given), type });

/** The tags of the first planned row. */
async function tagsOf(given: Given): Promise<StatedTags | undefined> {
  const { rows } = await readPlanOf(plan({ resource_changes: [change(given)] }));
  const element = rows.planned_changes[0]?.element;
  return element !== undefined && "tags" in element ? element.tags : undefined;
}

const LATER = { unknown: "later" };
const MASKED = { unknown: "sensitive" };
/** A resource that is created with these tags, as they are read. */
const created = (values: object, complete = true) => ({ before: null, after: { values, complete } });
const team = created({ team: "payments" });

describe("the tags of a plan are read", () => {
  const KEY_VALUE = [{ key: "team", value: "payments" }];
  test.each<[string, string, object, object | string]>([
    ["a map", "aws_instance", { tags: { team: "payments" } }, team],
    [
      "with the provider's own ones",
      "aws_instance",
      { tags: { team: "payments" }, tags_all: { team: "payments", env: "test" } },
      created({ team: "payments", env: "test" }),
    ],
    [
      "blocks that the machines inherit",
      "aws_autoscaling_group",
      {
        tag: [
          { key: "team", value: "payments", propagate_at_launch: true },
          { key: "own", value: "x", propagate_at_launch: false },
        ],
        tags: null,
      },
      team,
    ],
    ["a list of maps", "aws_autoscaling_group", { tag: [], tags: KEY_VALUE }, team],
    ["keys and values", "awscc_s3_bucket", { tags: KEY_VALUE }, team],
    ["a map", "azurerm_subnet", { tags: { team: "payments" } }, team],
    ["a map", "azapi_resource", { tags: { team: "payments" } }, team],
    [
      "labels and no network tags",
      "google_compute_instance",
      { labels: null, effective_labels: { team: "payments" }, tags: ["web"] },
      team,
    ],
    ["network tags alone", "google_compute_firewall", { tags: ["web"], annotations: {} }, "unsupported"],
    [
      "labels in a block",
      "google_sql_database_instance",
      { settings: [{ user_labels: { team: "payments" } }] },
      team,
    ],
    [
      "both kinds",
      "oci_core_instance",
      { freeform_tags: { team: "payments" }, defined_tags: { "cost.centre": "42" } },
      created({ team: "payments", "cost.centre": "42" }),
    ],
    ["a list of texts", "digitalocean_droplet", { tags: ["team:payments"] }, team],
    ["no tags", "aws_instance", { tags: null, tags_all: {} }, created({})],
    [
      "numbers and booleans, and nothing for null",
      "aws_instance",
      { tags: { a: 1, b: false, c: null } },
      created({ a: "1", b: "false" }),
    ],
    [
      "keys in two cases",
      "azurerm_subnet",
      { tags: { Team: "search", team: "payments" } },
      created({ Team: "search", team: "payments" }),
    ],
    ["no attribute for tags", "aws_iam_policy_attachment", { name: "x" }, "unsupported"],
    ["another provider", "cloud_disk", { tags: { team: "payments" } }, "unsupported"],
    ["a name of an object's member", "constructor_x", { tags: {} }, "unsupported"],
  ])("%s: %s", async (_, type, after, expected) => {
    expect(await tagsOf({ type, after })).toEqual(expected);
  });

  test.each<[string, Partial<Given>, object | string | undefined]>([
    [
      "the provider's tags are known later",
      { after: { tags: { team: "payments" } }, after_unknown: { tags_all: true } },
      created({ team: "payments" }, false),
    ],
    [
      "one value is known later",
      { after: { tags: { env: "test" } }, after_unknown: { tags: { team: true } } },
      created({ env: "test", team: LATER }),
    ],
    [
      "without tags of its own and of the provider, the provider computes none",
      { after: { tags: null }, after_unknown: { tags_all: true } },
      created({}),
    ],
    ["all tags are known later", { after: {}, after_unknown: { tags: true } }, created({}, false)],
    [
      "one value is marked",
      { after: { tags: { team: "payments", env: "test" } }, after_sensitive: { tags: { team: true } } },
      created({ team: MASKED, env: "test" }),
    ],
    [
      "all tags are marked",
      { after: { tags: { team: "payments" } }, after_sensitive: { tags: true } },
      created({}, false),
    ],
    [
      "one is marked in one of two attributes",
      {
        after: { tags_all: { a: "xy", b: "z" }, tags: { a: "xy" } },
        after_sensitive: { tags: { a: true } },
      },
      created({ a: MASKED, b: "z" }),
    ],
    [
      "a value and a key are secret elsewhere",
      {
        after: { tags: { team: "of s3cret-one", "s3cret-one": "x", env: "test" }, password: "s3cret-one" },
        after_sensitive: { password: true },
      },
      created({ team: MASKED, env: "test" }, false),
    ],
    [
      "more tags than any cloud takes",
      { after: { tags: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`t${at}`, "x"])) } },
      created(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, "x"])), false),
    ],
    [
      "a key and a value are too long",
      { after: { tags: { ["k".repeat(300)]: "v".repeat(2000) } } },
      created({ ["k".repeat(256)]: "v".repeat(1024) }),
    ],
    ["the plan has no attribute", { after: {} }, undefined],
    ["a deletion", { before: { tags: { team: "payments" } } }, { ...team, before: team.after, after: null }],
    [
      "they stay",
      { before: { tags: { team: "payments" } }, after: { tags: { team: "payments" } } },
      { after: team.after },
    ],
    [
      "they change",
      { before: { tags: null }, after: { tags: { team: "payments" } } },
      { ...team, before: { values: {}, complete: true } },
    ],
  ])("where %s", async (_, given, expected) => {
    expect(await tagsOf({ type: "aws_instance", ...given })).toEqual(expected);
  });

  test("and no masked one is in a snapshot, also of an old tool that marks nothing", async () => {
    const marked = await readPlanOf(
      planOf({ after: { tags: { a: "canary-1" } }, after_sensitive: { tags: { a: true } } }),
    );
    const old = await readPlanOf({
      ...plan({
        resource_changes: [change({ type: "aws_instance", after: { tags: { api_token: "canary-1" } } })],
      }),
      format_version: "0.1",
    });
    for (const read of [marked, old]) expect(everythingIn(read)).not.toContain("canary-1");
    expect(everythingIn(old)).toContain(SENSITIVE);
  });
});

const listOf = ({ whole }: EstimateFile) => whole.cost.estimate?.resources;

describe("the resources of an estimate are listed", () => {
  const total = (side: readonly ResourceGiven[]) =>
    String(side.reduce((sum, { monthlyCost }) => sum + Number(monthlyCost), 0));
  const difference = (
    past: readonly ResourceGiven[],
    present: readonly ResourceGiven[],
    isListed = false,
  ) => {
    const amount = String(Number(total(present)) - Number(total(past)));
    const diff = breakdown(amount, isListed ? [{ name: "t.a", monthlyCost: amount }] : []);
    const sides = {
      pastBreakdown: breakdown(total(past), past),
      breakdown: breakdown(total(present), present),
    };
    return readEstimateOf(
      estimate([{ name: "web", ...sides, diff }], [total(past), total(present), amount], {
        metadata: { infracostCommand: "diff" },
      }),
    );
  };
  const one = (name: string, monthlyCost: string | null, tags?: object | null): ResourceGiven => ({
    ...{ name, resourceType: "t", monthlyCost },
    ...(tags !== undefined && { tags }),
  });
  const values = (own: object) => ({ values: own, complete: true });

  test.each<[string, readonly (ResourceGiven | null)[], boolean, object]>([
    [
      "stays",
      [one("t.a", "1", { k: "v" }), one("t.a", "1", { k: "v" })],
      false,
      { cost: "1.00", tags: { after: values({ k: "v" }) } },
    ],
    ["changes", [one("t.a", "1", {}), one("t.a", "2", {})], true, { tags: { after: values({}) } }],
    ["is new", [null, one("t.a", "2", {})], true, { tags: { before: null, after: values({}) } }],
    ["is gone", [one("t.a", "2", {}), null], true, { tags: { before: values({}), after: null } }],
    [
      "gets another value",
      [one("t.a", "1", { k: "v" }), one("t.a", "1", { k: "w" })],
      false,
      { cost: "1.00", tags: { before: values({ k: "v" }), after: values({ k: "w" }) } },
    ],
    [
      "costs what its usage decides",
      [one("t.a", null, {}), one("t.a", null, {})],
      false,
      { cost: null, tags: { after: values({}) } },
    ],
    [
      "is new and costs what its usage decides",
      [null, one("t.a", null, {})],
      false,
      { cost: null, tags: { before: null, after: values({}) } },
    ],
    ["has no stated tags", [one("t.a", "1", null), one("t.a", "1")], false, { cost: "1.00" }],
    [
      "has tags of its disks",
      [one("t.a", "1", { k: 1, "volume_tags.x": "y" }), one("t.a", "1", { k: 1 })],
      false,
      { cost: "1.00", tags: { after: values({ k: "1" }) } },
    ],
  ])("of 0.10 that %s", async (_, [past, present], isListed, expected) => {
    const file = await difference(past ? [past] : [], present ? [present] : [], isListed);
    expect(listOf(file)).toEqual([{ address: "t.a", type: "t", ...expected }]);
  });

  const scanned = (...resources: readonly object[]) => scan([scanProject(resources)]);
  const readScans = (after: object, before?: object) => {
    const input = (document: object) => ({ file: "s.json", bytes: inPieces(utf8(JSON.stringify(document))) });
    return readEstimate({ ...input(after), ...(before && { base: input(before) }), fallback: "s" });
  };

  test("of two scans, with those that carry no tags where a scan says so", async () => {
    const state = (team: string) =>
      scanned(
        scanResource("aws_instance.a", { cost: 5, supports_tags: true, tags: { team } }),
        scanResource("aws_instance.b", { cost: 5, supports_tags: true }),
        scanResource("aws_nat.c", { cost: 5 }),
      );
    const listed = listOf(await readScans(state("payments"), state("search")));
    expect(listed?.map(({ address, cost, tags }) => [address, cost, tags])).toEqual([
      ["aws_instance.a", "5.00", { before: values({ team: "search" }), after: values({ team: "payments" }) }],
      ["aws_instance.b", "5.00", { after: values({}) }],
      ["aws_nat.c", "5.00", "unsupported"],
    ]);
    const old = scanned(scanResource("aws_instance.b", { cost: 5 }));
    expect(listOf(await readScans(old, old))?.[0]).not.toHaveProperty("tags");
  });

  test("of one scan, without a cost that could be taken for one that stays", async () => {
    const alone = scanned(scanResource("aws_instance.a", { cost: 5, tags: { team: "search" } }));
    expect(listOf(await readScans(alone))).toEqual([
      {
        address: "aws_instance.a",
        type: "aws_instance",
        cost: null,
        tags: { after: values({ team: "search" }) },
      },
    ]);
  });

  test("without what a plan marks", async () => {
    const own = one('t.a["canary-1"]', "1", { k: "of canary-1", "canary-1": "x" });
    const { whole } = await difference([own], [own]);
    const marked = await readPlanOf(planOf({ after: { k: "canary-1" }, after_sensitive: { k: true } }));
    expect(maskStage(whole, marked).cost.estimate?.resources).toEqual([
      {
        ...{ address: `t.a["${SENSITIVE}"]`, type: "t", cost: "1.00" },
        tags: { after: { values: { k: MASKED }, complete: false } },
      },
    ]);
  });

  test("with unknown tags where several projects have their address", async () => {
    const side = (team: string) => breakdown("1", [one("t.a", "1", { team })]);
    const part = (name: string) => ({
      name,
      pastBreakdown: side(name),
      breakdown: side(name),
      diff: breakdown("0"),
    });
    const file = await readEstimateOf(estimate([part("a"), part("b")], ["2", "2", "0"]));
    expect(listOf(file)).toEqual([1, 2].map(() => ({ address: "t.a", type: "t", cost: "1.00" })));
    expect(file.stages[0]?.cost.estimate?.resources?.[0]).toHaveProperty("tags");
  });
});
