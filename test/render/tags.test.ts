import { expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { TagReport } from "../../src/report/model/report.ts";
import { evaluation, report, stage, tagLine } from "./evaluation-builder.ts";
import { comment, renderer } from "./renderer.ts";

const team = (value: string, change: string, rest: Partial<TagReport> = {}) =>
  tagLine("value", change, { value, ...rest });
const unlisted = { before: null, after: null } as const;

/** The section about the cost per team; empty: there is none. */
function say(lines: readonly TagReport[], figures = true): readonly string[] {
  const stages = [stage("prod", ["0", "10"]), stage("eu", ["0", "3"], { currency: "EUR" })];
  const own = report(stages, { byTag: { key: "team", lines } });
  const text = comment(evaluation({ report: own, pull: { figures } }));
  const [, section = ""] = text.split("#### Cost per team\n\n");
  return (section.split("\n\n")[0] ?? "").split("\n").slice(2);
}

test.each<[string, readonly string[], readonly string[]]>([
  [
    "values, what has none and what is not listed have a line each, with the cost before and after",
    say([
      team("payments", "500", { before: decimal("100"), after: decimal("600") }),
      tagLine("untagged", "40"),
      team("se|arch", "-7", { before: decimal("7"), after: decimal("0") }),
      tagLine("unknown", "5"),
      tagLine("unattributed", "1"),
    ]),
    [
      "| `payments` | +$500.00 | $100.00 | $600.00 |",
      "| without tag | +$40.00 | $0.00 | $40.00 |",
      "| `se\\|arch` | −$7.00 | $7.00 | $0.00 |",
      "| unknown | +$5.00 | $0.00 | $5.00 |",
      "| resources not listed | +$1.00 | $0.00 | $1.00 |",
    ],
  ],
  [
    "a cost that is not known is unknown and no zero",
    say([team("search", "5", unlisted), team("web", "0", { ...unlisted, change: null })]),
    ["| `search` | +$5.00 | unknown | unknown |", "| `web` | unknown | unknown | unknown |"],
  ],
  [
    "a cost of which a part could not be estimated is at least what is known",
    say([team("web", "5", { state: "partial", because: ["partly_estimated"] })]),
    ["| `web` | +$5.00 known, rest unknown | unknown | at least $5.00 |"],
  ],
  [
    "of many values the largest changes are shown, and what has none; the others are summed",
    say([...Array.from({ length: 12 }, (_, at) => team(`t${at}`, `${20 - at}`)), tagLine("untagged", "1")]),
    [
      ...[0, 1, 2, 3, 4, 5, 6].map((at) => `| \`t${at}\` | +$${20 - at}.00 | $0.00 | $${20 - at}.00 |`),
      "| without tag | +$1.00 | $0.00 | $1.00 |",
      "| 5 others | +$55.00 | $0.00 | $55.00 |",
    ],
  ],
  [
    "currencies are apart",
    say([team("web", "5", { currency: "EUR" }), team("web", "5")]),
    ["| `web` | +$5.00 | $0.00 | $5.00 |", "| `web` | +€5.00 | €0.00 | €5.00 |"],
  ],
  ["there is no section where no cost changes", say([team("web", "0", { before: decimal("5") })]), []],
  ["there is no section where figures are not shown", say([team("web", "5")], false), []],
])("cost per tag: %s", (_, lines, expected) => {
  expect(lines).toEqual(expected);
});

test("cost per tag: the heading is the key as the policy writes it, and the check has the table too", () => {
  const byTag = { key: "cost_*center*", lines: [team("web", "5")] };
  const e = evaluation({ report: report([stage("prod", ["0", "10"])], { byTag }) });
  expect(comment(e)).toContain("#### Cost per `cost_*center*`\n\n| `cost_*center*` | Change |");
  expect(renderer.check(e, { details: null, recheckHint: false }).text).toContain("| `web` | +$5.00 |");
});
