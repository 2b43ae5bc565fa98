import { expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { ResourceTags, StatedTags } from "../../src/kernel/resource-tags.ts";
import { buildReport } from "../../src/report/build.ts";
import type { ListedResource } from "../../src/report/model/facts.ts";
import { buildTagReports, withTagCosts } from "../../src/report/tags.ts";
import { cost, facts, group, known, resource, stage } from "./facts.ts";

const side = (team: ResourceTags["values"][string] | null, complete = true): ResourceTags => ({
  values: team === null ? {} : { Name: "x", team },
  complete,
});
const stays = (team: string): StatedTags => ({ after: side(team) });

/** A stage with these changed resources and these that stay, by `TEAM` or their tags. */
function divide(
  total: string,
  changed: Readonly<Record<string, readonly [costs: string, tags: StatedTags | null]>>,
  unchanged: readonly (readonly [cost: string | null, tags: StatedTags | null])[] | null = [],
): readonly string[] {
  const tagged = (tags: StatedTags | null) => (tags === null ? {} : { tags });
  const listed: readonly ListedResource[] = [
    ...Object.entries(changed).map(([address, [, tags]]) => ({ address, type: "aws_x", ...tagged(tags) })),
    ...(unchanged ?? []).map(([amount, tags], at) => ({
      ...{ address: `aws_x.stays${at}`, type: "aws_x", ...tagged(tags) },
      cost: amount === null ? null : decimal(amount),
    })),
  ];
  const groups = [
    group(
      "aws_x",
      total,
      Object.entries(changed).map(([address, [costs]]) => resource(address, costs)),
    ),
  ];
  const one = stage({ cost: known(cost(total, { groups, ...(unchanged && { listed }) })) });
  return buildTagReports(buildReport(facts(one), { stages: [], tagKeys: ["team"] }), "team").map(
    ({ kind, value, before, after, change }) =>
      `${value === null ? kind : `team ${value}`}: ${before} > ${after} by ${change}`,
  );
}

test.each<[string, readonly string[], readonly string[]]>([
  [
    "teams whose resources change and stay have both in one line, the largest change first",
    divide(
      "100 > 160",
      {
        "aws_x.a": ["0 > 50", { before: null, after: side("payments") }],
        "aws_x.b": ["20 > 30", stays("search")],
      },
      [
        ["60", stays("payments")],
        ["20", stays("search")],
      ],
    ),
    ["team payments: 60 > 110 by 50", "team search: 40 > 50 by 10"],
  ],
  [
    "a resource that goes to another team leaves the former one and arrives at the new one",
    divide("100 > 120", { "aws_x.a": ["100 > 120", { before: side("payments"), after: side("search") }] }),
    ["team search: 0 > 120 by 120", "team payments: 100 > 0 by -100"],
  ],
  [
    "a deleted resource is its former team's",
    divide("70 > 0", { "aws_x.a": ["70 > 0", { before: side("payments"), after: null }] }),
    ["team payments: 70 > 0 by -70"],
  ],
  [
    "a resource without the tag and one that can carry none are without tag; an unread, a masked and a late tag are unknown",
    divide("0 > 31", {
      "aws_x.a": ["0 > 1", { before: null, after: side(null) }],
      "aws_x.b": ["0 > 2", "unsupported"],
      "aws_x.c": ["0 > 4", null],
      "aws_x.d": ["0 > 8", { before: null, after: side({ unknown: "sensitive" }) }],
      "aws_x.e": ["0 > 16", { before: null, after: side(null, false) }],
    }),
    ["unknown: 0 > 28 by 28", "untagged: 0 > 3 by 3"],
  ],
  [
    "where the source lists no resources that stay, their cost is beyond the listed ones",
    divide("100 > 110", { "aws_x.a": ["0 > 10", null] }, null),
    ["unknown: 0 > 10 by 10", "unattributed: 100 > 100 by 0"],
  ],
  [
    "the cost of a team with a resource of unknown cost is unknown",
    divide("100 > 110", { "aws_x.a": ["0 > 10", stays("search")] }, [[null, stays("search")]]),
    ["team search: null > null by 10", "unattributed: null > null by 0"],
  ],
  [
    "a value that reads like a line of another kind is a value",
    divide("0 > 3", {
      "aws_x.a": ["0 > 1", stays("unknown")],
      "aws_x.b": ["0 > 2", stays("untagged")],
    }),
    ["team untagged: 0 > 2 by 2", "team unknown: 0 > 1 by 1"],
  ],
])("%s", (_, lines, expected) => {
  expect(lines).toEqual(expected);
});

test("a report whose unchanged resources keep the tags of some keys does not know those of another key", () => {
  const listed = [{ address: "aws_x.a", type: "aws_x", cost: decimal("5"), tags: stays("search") }];
  const one = stage({ cost: known(cost("5 > 5", { groups: [], listed })) });
  const report = buildReport(facts(one), { stages: [], tagKeys: ["TEAM"] });
  expect(["Team", "Name"].flatMap((key) => buildTagReports(report, key).map(({ kind }) => kind))).toEqual([
    "untagged",
    "unknown",
  ]);
});

test("where the source lists no resources that stay, only the change of a value is shown", () => {
  const linesOf = (listed?: readonly ListedResource[]) => {
    const groups = [group("aws_x", "100 > 110", [resource("aws_x.a", "0 > 10")])];
    const one = stage({ cost: known(cost("100 > 110", { groups, ...(listed && { listed }) })) });
    const { byTag } = withTagCosts(buildReport(facts(one), { stages: [] }), "team");
    return byTag?.lines.map(({ kind, before, after, change }) => [kind, before, after, change]);
  };
  expect(linesOf()).toEqual([
    ["unknown", null, null, "10"],
    ["unattributed", "100", "100", "0"],
  ]);
  expect(linesOf([])?.[0]).toEqual(["unknown", "0", "10", "10"]);
});
