import { describe, expect, it } from "vitest";
import { type ContextFacts, NO_CONTEXT } from "../../src/report/model/context.ts";
import type { Fact } from "../../src/report/model/facts.ts";
import type { ReportedRow } from "../../src/report/model/report.ts";
import { evaluation, money, report, row, saving, stage, unitCost } from "./evaluation-builder.ts";
import { renderer } from "./renderer.ts";

const PROD = stage("prod", ["1", "2"]);

/** The lines about what is known around the change, and the sentences about savings. */
function around(context: Partial<ContextFacts>, rows: readonly ReportedRow[] = []): readonly string[] {
  const text = renderer.comment(
    evaluation({ report: report([PROD], { context: { ...NO_CONTEXT, ...context }, rows }) }),
    { details: null, recheckHint: false },
  );
  const [, told = ""] = /\n(#### (?:Savings|Context)[\s\S]*?)\n\n<sub>Commit/.exec(text) ?? [];
  return told.split("\n").filter((line) => line.startsWith("- ") || line.startsWith("**"));
}

const HOUR = 3_600_000;
const VALUES: { readonly [name in keyof ContextFacts]: ContextFacts[name] } = {
  schedules: {
    state: "known",
    value: [
      {
        org: "default",
        project: "payments",
        provisioner: "x",
        driftEveryMs: 6 * HOUR,
        lifetime: { ms: null, onDate: "2026-12-01" },
      },
    ],
  },
  savings: {
    state: "known",
    value: {
      totals: [money("3")],
      items: [saving("aws_vm.web", "3")],
      unmatched: 0,
    },
  },
  anomalies: { state: "known", value: { count: 0, impact: null, items: [] } },
  governance: { state: "known", value: { day: "2026-11-20", failed: 1, total: 2, statuses: {} } },
  unitCosts: {
    state: "known",
    value: [
      unitCost("orders", "1", "1.5", { asOf: "2026-11-20T00:00:00Z" }),
      unitCost("spend", "12", null, { perspective: "shop" }),
    ],
  },
  prompts: {
    state: "known",
    value: ["Stop idle instances", "Tag instances", "Delete old images", "Fourth"].map((description) => ({
      description,
      resource: "aws.ec2",
      types: ["aws_instance"],
    })),
  },
};

const WORDS: { readonly [name in keyof ContextFacts]: readonly string[] } = {
  schedules: [
    "- In `default/payments` drift is checked every 6 hours, and what is built is destroyed on 1 Dec 2026",
  ],
  savings: ["**$3.00** per month could be saved on resources that change here."],
  anomalies: ["- No open cost anomalies"],
  governance: ["- ⚠️ Governance, 20 Nov 2026: **1** of 2 evaluations failed"],
  unitCosts: [
    "- `orders`: one costs $1.0000 (20 Nov 2026), and $1.5000 after merging (+50%)",
    "- `spend` of `shop`: $12.00; after merging is not known",
  ],
  prompts: [
    "- Governance suggests **4** rules for what this touches: `Stop idle instances` (`aws_instance`); " +
      "`Tag instances` (`aws_instance`); `Delete old images` (`aws_instance`); and 1 more",
  ],
};

describe.each(Object.keys(VALUES) as (keyof ContextFacts)[])("%s", (name) => {
  const told = (fact: Fact<unknown>) =>
    around({ [name]: fact } as Partial<ContextFacts>).filter((line) => !line.startsWith("- saves"));
  const known = VALUES[name];
  const value = known.state === "known" ? known.value : null;

  it("are shown where they are known, and where they are old with their age", () => {
    expect(told(known)).toEqual(WORDS[name]);
    const age = / \(as of 3 hours ago\)/;
    const old = told({ state: "stale", value, ageMs: 3 * HOUR });
    for (const line of old) expect(line).toMatch(age);
    expect(old.map((line) => line.replace(age, ""))).toEqual(WORDS[name]);
  });

  it("are not spoken of where there are none, nobody asked or nothing is granted", () => {
    expect(told({ state: "absent" })).toEqual([]);
    expect(told({ state: "unknown", reason: "not_read" })).toEqual([]);
    expect(told({ state: "unknown", reason: "not_granted" })).toEqual([]);
  });

  it("say why they are not known", () => {
    const [line, ...more] = told({ state: "unknown", reason: "timed_out" });
    expect(line).toMatch(/^- .* (is|are) not known: the platform did not answer in time$/);
    expect(more).toEqual([]);
  });
});

it("a saving says what to do and links to its recommendation, as far as that is stated", () => {
  const advice = { current: "m5.2xlarge", recommended: ["m5.large", "t3.large"], terminate: false };
  const page = "https://platform.example/r/1?a=(b)";
  const items = [
    saving("aws_vm.a", "4", { advice, page }),
    saving("aws_vm.b", "3", { advice: { current: null, recommended: ["m5.large"], terminate: false } }),
    saving("aws_vm.c", "2", { advice: { current: "m5.large", recommended: [], terminate: true } }),
    saving("aws_vm.d", "1", { page: "https://u:p@platform.example/r/1" }),
  ];
  const value = { totals: [money("10")], items, unmatched: 0 };
  expect(around({ savings: { state: "known", value } }).slice(1)).toMatchInlineSnapshot(`
    [
      "- saves **$4.00**: \`aws_vm.a\`: \`m5.2xlarge\` → \`m5.large\` or \`t3.large\` ([recommendation](https://platform.example/r/1?a=%28b%29))",
      "- saves **$3.00**: \`aws_vm.b\`: \`m5.large\`",
      "- saves **$2.00**: \`aws_vm.c\`: not needed (\`m5.large\`)",
      "- saves **$1.00**: \`aws_vm.d\`",
    ]
  `);
});

it("an open anomaly says since when, how critical it is and where the platform shows it", () => {
  const items = ["CRITICAL", "[x](y)"].map((criticality, at) => ({
    ...{ id: `${at}`, resource: `nat-${at}`, perspective: "Shop", spend: money(`${at + 1}`) },
    ...(at === 0 && { sinceMs: Date.UTC(2026, 10, 20) }),
    criticality,
  }));
  const page = "https://platform.example/ng/account/a/ce/anomaly-detection";
  const value = { count: 9, impact: money("12"), items, page };
  expect(around({ anomalies: { state: "known", value } })).toMatchInlineSnapshot(`
    [
      "- ⚠️ **9** [open cost anomalies](https://platform.example/ng/account/a/ce/anomaly-detection), **$12.00** more than expected: \`nat-0\` in \`Shop\` ($1.00, critical, since 20 Nov 2026); \`nat-1\` in \`Shop\` ($2.00, \`[x](y)\`); and 7 more",
    ]
  `);
});

it("a platform that suggests no rule adds nothing to the comment", () => {
  expect(around({ prompts: { state: "known", value: [] } })).toEqual([]);
});

describe("attributes that change", () => {
  const told = (rows: readonly ReportedRow[]) =>
    renderer
      .comment(evaluation({ report: report([PROD], { rows }) }), { details: null, recheckHint: false })
      .split("\n")
      .filter((line) => line.includes("ttributes"));

  it("that are not known say of how many resources, and why", () => {
    const gone = { attributesBecause: "past_retention" } as const;
    expect(
      told([
        { ...row("changed", "a.a"), ...gone },
        { ...row("replaced", "a.b"), ...gone },
        { ...row("drifted", "a.c"), attributesBecause: "timed_out" },
        { ...row("changed", "a.d"), changedAttributes: ["size"] },
        row("changed", "a.e"),
      ]),
    ).toEqual([
      "<sub>The changed attributes of 2 resources are not known: the platform no longer stores it.</sub>",
      "<sub>The changed attributes of 1 resource are not known: the platform did not answer in time.</sub>",
    ]);
  });

  it("that are known, or were not asked for, need no word", () => {
    expect(told([row("changed", "a.e"), { ...row("changed", "a.d"), changedAttributes: [] }])).toEqual([]);
  });
});
