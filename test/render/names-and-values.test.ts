import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { shortenId } from "../../src/render/format.ts";
import type { AttributeValue, ComponentCost } from "../../src/report/model/facts.ts";
import type { Report } from "../../src/report/model/report.ts";
import { changes, evaluation, report, resource, row, stage } from "./evaluation-builder.ts";
import { comment } from "./renderer.ts";

const value = (text: string): AttributeValue => ({ kind: "text", text });
const component = (
  name: string,
  [before, after]: readonly [string, string],
  quantity?: readonly [string, string],
) =>
  ({
    name,
    before: decimal(before),
    after: decimal(after),
    change: decimal((Number(after) - Number(before)).toFixed(2)),
    percent: null,
    ...(quantity && { quantity: { unit: "GB", before: decimal(quantity[0]), after: decimal(quantity[1]) } }),
  }) satisfies ComponentCost;

const told = (rest: Partial<Report>, figures = true) =>
  comment(
    evaluation({
      pull: { figures },
      report: report([stage("s", ["0", "9"]), stage("t", ["0", "9"])], {
        changes: changes({ added: 2, changed: 1, deleted: 1 }),
        changesAreComplete: true,
        ...rest,
      }),
    }),
  );
const section = (text: string) => text.slice(text.indexOf("#### What changes"), text.indexOf("<sub>Commit"));

describe("what changes", () => {
  const rows: Report["rows"] = [
    { ...row("deleted", "aws_s3_bucket.gone", "s"), reason: "delete_because_no_resource_config" },
    { ...row("moved", "module.b.aws_instance.a", "s"), previousAddress: "aws_instance.a" },
    row("added", "aws_instance.one", "s"),
    row("added", "aws_instance.two", "t"),
    {
      ...row("changed", "aws_db_instance.main", "t"),
      changedAttributes: ["instance_class", "password", "policy", "arn", "tags"],
      attributeChanges: [
        { name: "instance_class", before: value("db.t3.medium"), after: value("db.t3.large") },
        { name: "password", before: { kind: "sensitive" }, after: { kind: "sensitive" } },
        { name: "policy", before: { kind: "none" }, after: { kind: "document", count: 2 } },
        { name: "arn", before: value("@here"), after: { kind: "later" } },
      ],
    },
  ];

  it("names every resource, folded by stage, with what changes in each", () => {
    expect(section(told({ rows }))).toMatchInlineSnapshot(`
      "#### What changes

      Resources: **2** created, **1** changed, **1** deleted, **1** moved.

      - **deleted** \`aws_s3_bucket.gone\` in \`s\`, because the code does not have it

      In \`s\`:

      <details>
      <summary>1 moved, 1 created</summary>

      - moved \`module.b.aws_instance.a\` (was \`aws_instance.a\`)
      - created \`aws_instance.one\`

      </details>

      In \`t\`:

      <details>
      <summary>1 created, 1 changed</summary>

      - created \`aws_instance.two\`
      - changed \`aws_db_instance.main\`: \`instance_class\` \`db.t3.medium\` → \`db.t3.large\`, \`password\` (sensitive) → (sensitive), \`policy\` none → JSON with 2 members, \`arn\` \`@here\` → known after apply and 1 more

      </details>

      "
    `);
  });

  it("shows no value where a repository's readers may see no figures", () => {
    const text = told({ rows }, false);
    expect(text).toContain(
      "`aws_db_instance.main`: `instance_class`, `password`, `policy`, `arn` and 1 more",
    );
    expect(text).not.toContain("db.t3.medium");
  });
});

describe("what a resource is priced by", () => {
  const priced = (components: readonly ComponentCost[], change = "30.37") => {
    const own = resource("aws_instance.a", change, {
      before: decimal("30.37"),
      after: decimal("60.74"),
      workspace: "s",
      components,
    });
    return told({ resources: [own] })
      .split("\n")
      .find((line) => line.includes("aws_instance.a"));
  };

  it("is shown before and after, and in one line where a component takes the place of another", () => {
    const usage = "Instance usage (Linux/UNIX, on-demand, ";
    expect(
      priced([
        component(`${usage}t3.medium)`, ["30.37", "0"]),
        component(`${usage}t3.large)`, ["0", "60.74"]),
        component("Storage (general purpose SSD, gp3)", ["8", "16"], ["100", "200"]),
        component("CPU credits", ["1", "1"]),
      ]),
    ).toMatchInlineSnapshot(
      `"| +$30.37 | \`aws_instance.a\` in \`s\`: $30.37 → $60.74<br>↳ Instance usage \`t3.medium\` → \`t3.large\`: $30.37 → $60.74<br>↳ Storage \`general purpose SSD, gp3\`, 100 → 200 GB: $8.00 → $16.00 |"`,
    );
  });

  it("is shown where its parts shift and leave the sum as it is, and only there", () => {
    const shifted = [component("Instance", ["60", "90"]), component("Storage", ["40", "10"])];
    expect(priced(shifted, "0")).toContain("↳ Instance: $60.00 → $90.00<br>↳ Storage: $40.00 → $10.00");
    expect(priced([component("Instance", ["60", "60"])], "0")).toBeUndefined();
  });

  it("is two lines where it is not plain which takes the place of which", () => {
    expect(
      priced([
        component("Usage (a)", ["1", "0"]),
        component("Usage (b)", ["0", "2"]),
        component("Usage (c)", ["0", "3"]),
      ]),
    ).toMatchInlineSnapshot(
      `"| +$30.37 | \`aws_instance.a\` in \`s\`: $30.37 → $60.74<br>↳ Usage (a): −$1.00<br>↳ Usage (b): +$2.00<br>↳ Usage (c): +$3.00 |"`,
    );
  });

  it("is counted where there is much of it, and does nothing as Markdown", () => {
    const many = Array.from({ length: 6 }, (_, at) => component(`**a** | @b ${at}`, ["0", "1"]));
    expect(priced(many)).toMatchInlineSnapshot(
      `"| +$30.37 | \`aws_instance.a\` in \`s\`: $30.37 → $60.74<br>↳ \`**a** \\| @b 0\`: +$1.00<br>↳ \`**a** \\| @b 1\`: +$1.00<br>↳ \`**a** \\| @b 2\`: +$1.00<br>↳ \`**a** \\| @b 3\`: +$1.00<br>↳ and 2 more |"`,
    );
  });
});

it.each([
  ["944ca7b5-01ef-4aa8-b1ed-016d1103da42", "944ca7b5"],
  ["3f2c9a41".repeat(5), "3f2c9a41"],
  ["kX7pQ2mVTzW9", "kX7pQ2mVTzW9"],
  ["deadbeef-production", "deadbeef-production"],
  ["20261129", "20261129"],
])("the id %s is shown as %s: only long hexadecimal ids lose digits", (id, shown) => {
  expect(shortenId(id)).toBe(shown);
});
