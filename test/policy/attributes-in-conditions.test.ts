import { describe, expect, test } from "vitest";
import type { StatedTags } from "../../src/kernel/resource-tags.ts";
import { readCases } from "../../src/policy/cases/case-schema.ts";
import { evaluateCase } from "../../src/policy/cases/evaluate-case.ts";
import { compileCondition } from "../../src/policy/when/compile.ts";
import type { ResourceChange } from "../../src/report/model/facts.ts";
import {
  type AttributesByRow,
  buildResourceAttributes,
  buildRowId,
  createUnknownAttributes,
  type ResourceAttributes,
} from "../../src/report/model/resource-attributes.ts";
import { cost, counts, group, known, listed, resource, row, stage } from "../report/facts.ts";
import { describeFindings, tell } from "./evaluate-facts.ts";
import { policy } from "./policies.ts";

const CANARY = "hunter2-canary";
const DATABASE: ResourceChange = row("aws_db_instance.main", "changed");

/** The outcome of a condition on one row, which costs something, with these tags and attributes. */
function says(
  expression: string,
  {
    tags,
    attributes = buildResourceAttributes(CHANGES, { change: "changed" }),
  }: { readonly tags?: StatedTags; readonly attributes?: ResourceAttributes } = {},
) {
  const own = stage({
    cost: known(
      cost("10 > 20", {
        groups: [
          group("aws_db_instance", "5 > 15", [resource(DATABASE.address, "5 > 15")]),
          group("aws_instance", "5 > 5", [resource("aws_instance.kept", "5 > 5")]),
        ],
      }),
    ),
    counts: known(counts({ changed: 1 })),
    rows: listed({ ...DATABASE, ...(tags !== undefined && { tags }) }),
  });
  const byRow: AttributesByRow = { [buildRowId(own, DATABASE)]: attributes };
  const rule = policy(`rules:\n  - id: r\n    when: ${JSON.stringify(expression)}\n`);
  return describeFindings(rule, { stages: [own], attributes: known(byRow) });
}

const CHANGES = {
  class: { old: "db.t3.small", new: "db.t3.large" },
  size: { old: 20, new: 40 },
  ratio: { old: 0.5, new: 1.5 },
  public: { old: null, new: true },
  zones: { old: ["a"], new: ["a", "b"] },
  disk: { old: [{ type: "gp2", tags: { env: "x" } }], new: [{ type: "gp3", tags: { env: null } }] },
  arn: { old: "arn", new: "(known after apply)" },
  nested: { old: null, new: { id: "(known after apply)", name: "n", list: ["(known after apply)"] } },
  master: { old: CANARY, new: `${CANARY}!`, sensitive: true },
  db_password: { old: CANARY, new: `${CANARY}!` },
  url: { old: null, new: `postgres://me:${CANARY}@db/x` },
  withheld: { change: "added", sensitive: true },
  masked: { old: null, new: "before (sensitive value) after" },
  env: { old: null, new: [{ name: "API_TOKEN", value: CANARY }] },
  deep: { old: null, new: { a: { b: { c: { d: { e: { f: { g: { h: CANARY } } } } } } } } },
};
const row1 = (condition: string) => `changes.rows.exists(r, ${condition})`;
const unknown = (path: string, why: string) => [
  `undecided ${path} of aws_db_instance.main in production: ${why}`,
];

describe("a condition on attributes", () => {
  test.each<[string, string]>([
    ['r.after.class == "db.t3.large" && r.before.class == "db.t3.small"', "violated 1"],
    ["r.after.size > r.before.size && r.after.size == 40", "violated 1"],
    ["r.after.size > 40", "passed"],
    ["r.after.ratio > 1 && r.before.ratio < 0.6", "violated 1"],
    ["r.after.public", "violated 1"],
    ["has(r.before.public)", "passed"], // not set before
    ["has(r.before.withheld)", "passed"],
    ["has(r.after.engine)", "passed"], // it does not change
    ["has(r.after.arn) && has(r.after.db_password)", "violated 1"],
    ['"b" in r.after.zones && !("b" in r.before.zones)', "violated 1"],
    ['r.after.zones == ["a", "b"]', "violated 1"],
    ['r.after.disk[0].type == "gp3" && r.after.disk.exists(d, d.type == "gp3")', "violated 1"],
    ['"env" in r.after.disk[0].tags', "passed"], // null is no value
    ['r.after["class"].startsWith("db.t3")', "violated 1"],
    ['r.after.nested.name == "n"', "violated 1"],
    ["r.after.exists(k, k == 'zones')", "violated 1"],
    // What is unknown decides nothing where the rest does.
    ['r.after.arn == "x" || r.after.size == 40', "violated 1"],
    ['r.after.size == 1 && r.after.arn == "x"', "passed"],
  ])("%s: %s", (condition, expected) => {
    expect(says(row1(condition))).toEqual([expected]);
  });

  test.each([
    ['r.after.arn == "x"', "after.arn", "known only after the apply"],
    ['r.after.arn != "x"', "after.arn", "known only after the apply"],
    ['!(r.after.arn == "x")', "after.arn", "known only after the apply"],
    ['r.after.arn in ["x"]', "after.arn", "known only after the apply"],
    ['string(r.after.arn) == "x"', "after.arn", "known only after the apply"],
    ['"x" in r.after.nested.list', "after.nested.list.0", "known only after the apply"],
    ['r.after.nested.list == ["x"]', "after.nested.list.0", "known only after the apply"],
    ['["x"] != r.after.nested.list', "after.nested.list.0", "known only after the apply"],
    ['r.after.nested.list.all(x, x != "x")', "after.nested.list.0", "known only after the apply"],
    ['r.after.nested.list.join(",") == "x"', "after.nested.list.0", "known only after the apply"],
    ['r.after.nested == {"name": "n"}', "after.nested.list.0", "known only after the apply"],
    ["has(r.after.arn.part)", "after.arn", "known only after the apply"],
    ['r.after.master == "x"', "after.master", "sensitive"],
    ['r.after.withheld == "x"', "after.withheld", "sensitive"],
    ['r.before.db_password == "x"', "before.db_password", "sensitive"],
    ['r.after.url.contains("me")', "after.url", "sensitive"],
    ['r.after.masked.contains("after")', "after.masked", "sensitive"],
    ['r.after.env[0].value == "x"', "after.env.0.value", "sensitive"],
    ['r.after.deep.a.b.c.d.e.f.g.h == "x"', "after.deep.a.b.c.d.e.f.g.h", "too large to be read"],
  ])("%s is undecided, because %s is %s", (condition, path, why) => {
    const [told] = says(row1(condition));
    expect([told]).toEqual(unknown(path, why));
    expect(told).not.toContain(CANARY);
    expect(says(`!${row1(condition)}`)).toEqual([told]);
  });

  test.each<[string, ResourceAttributes, string]>([
    ["no longer kept", createUnknownAttributes("past_retention"), "no longer kept by the platform"],
    [
      "of a half of a replacement",
      buildResourceAttributes({ size: { old: 1 } }, { change: "replaced" }),
      "not stated",
    ],
  ])("that are %s is undecided whatever it asks for", (_, attributes, why) => {
    for (const condition of [
      "r.after.size > 1",
      "has(r.after.size)",
      '"size" in r.after',
      "r.after.size() > 0",
    ])
      expect(says(row1(condition), { attributes })).toEqual(unknown("after", why));
    expect(says(row1("r.action == 'deleted' && r.after.size > 1"), { attributes })).toEqual(["passed"]);
  });

  test("of a resource with a cost reads the same attributes, and none of one that does not change", () => {
    expect(
      says("resources.exists(r, has(r.attributes_after.size) && r.attributes_after.size == 40)"),
    ).toEqual(["violated 1"]);
    expect(says("resources.exists(r, r.type == 'aws_instance' && has(r.attributes_after.size))")).toEqual([
      "passed",
    ]);
  });

  test("that reads a key which may be missing is undecided, and says how to ask for it", () => {
    expect(says(row1('r.after.engine == "x"'))).toEqual([
      'undecided No such key: engine; ask first whether it is there, as in has(r.tags.team) && r.tags.team == "web"',
    ]);
  });

  test("lists no values of attributes among what it found", () => {
    expect(says('changes.rows.map(r, r.after.class).exists(x, x == "db.t3.large")')).toEqual(["violated"]);
    expect(says('changes.rows.map(r, r.after.class).filter(x, x != "").size() > 0')).toEqual(["violated"]);
  });

  test("needs them only where it reads them", () => {
    const needs = (expression: string) => {
      const compiled = compileCondition(expression);
      return compiled.ok ? compiled.condition.needs : [];
    };
    expect(needs("cost.after > 1 && changes.deleted > 1")).not.toContain("attributes");
    expect(needs(row1("r.after.size > 1"))).toEqual(["attributes", "rows"]);
    expect(needs(row1("r[pull.base].size() > 1"))).toContain("attributes");
    expect(needs("resources.exists(r, has(r.tags.team))")).toContain("tags");
  });
});

describe("a condition on tags", () => {
  const team = (values: Extract<StatedTags, object>["after"]): StatedTags => ({ after: values });
  const TAGGED = team({ values: { team: "web" }, complete: true });
  const PARTLY = team({ values: { team: "web", owner: { unknown: "sensitive" } }, complete: false });
  test.each<[string, StatedTags | undefined, readonly string[]]>([
    ['r.tags.team == "web"', TAGGED, ["violated 1"]],
    ['"team" in r.tags && !("owner" in r.tags) && !has(r.tags.owner)', TAGGED, ["violated 1"]],
    ["r.tags.size() == 0", "unsupported", ["violated 1"]],
    ["has(r.tags.team)", "unsupported", ["passed"]],
    ["has(r.tags.team)", team(null), ["passed"]],
    [
      'r.tags.team == "web" && "team" in r.tags && has(r.tags.team) && has(r.tags.owner)',
      PARTLY,
      ["violated 1"],
    ],
    ['r.tags.owner == "x"', PARTLY, unknown("tags.owner", "sensitive")],
    ['r.tags["owner"] == "x"', PARTLY, unknown("tags.owner", "sensitive")],
    ["has(r.tags.cost)", PARTLY, unknown("tags", "known only after the apply")],
    ['"cost" in r.tags', PARTLY, unknown("tags", "known only after the apply")],
    ["r.tags.all(k, k == 'team')", PARTLY, unknown("tags", "known only after the apply")],
    ["has(r.tags.team)", undefined, unknown("tags", "not read")],
    ["r.type == 'x' && has(r.tags.team)", undefined, ["passed"]],
    [
      'r.tags.team == "web"',
      { before: { values: { team: "web" }, complete: true }, after: null },
      ["violated 1"],
    ],
  ])("%s of %j: %j", (condition, tags, expected) => {
    expect(says(row1(condition), tags === undefined ? {} : { tags })).toEqual(expected);
  });
});

test("a case states attributes, and those that are unknown", () => {
  const rule = policy(`rules:\n  - id: r\n    when: ${JSON.stringify(row1("r.after.size > 20"))}\n`);
  const outcome = (stated: string) => {
    const text = `cases:\n  - case: c\n    stages: [{ workspace: w, rows: { added: [aws_ebs_volume.a] }, ${stated} }]\n    expect: {}\n`;
    const read = readCases(text);
    if (read.state === "invalid") throw new Error(read.flaws.map(({ message }) => message).join("; "));
    return read.file.cases.map((one) => evaluateCase(one, rule).verdict.findings.map(tell));
  };
  const of = (size: string) => outcome(`attributes: { aws_ebs_volume.a: { after: { size: ${size} } } }`);
  expect([of("21"), of("20")]).toEqual([[["violated 1"]], [["passed"]]]);
  expect(of('"(known after apply)"')).toEqual([
    ["undecided after.size of aws_ebs_volume.a in w: known only after the apply"],
  ]);
  expect(outcome("unknown: { attributes: too_large }")).toEqual([["undecided too_large"]]);
});
