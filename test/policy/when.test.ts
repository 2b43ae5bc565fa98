import { describe, expect, test } from "vitest";
import { compileCondition } from "../../src/policy/when/compile.ts";
import { VARIABLES } from "../../src/policy/when/environment.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { cost, counts, group, known, listed, moduleCost, resource, row, stage } from "../report/facts.ts";
import { describeFindings, type GivenFacts, HIDDEN, verdict } from "./evaluate-facts.ts";
import { policy, problems } from "./policies.ts";

const when = (expression: string, ...members: readonly string[]) =>
  policy(
    `rules:\n  - id: r\n    when: ${JSON.stringify(expression)}\n${members.map((each) => `    ${each}\n`).join("")}`,
  );
const VARIABLE_NAMES = Object.keys(VARIABLES).join(", ");
const says = (expression: string, given: GivenFacts) => describeFindings(when(expression), given);
const GROUPS = [
  group("aws_instance", "50 > 100", [resource("aws_instance.a", "50 > 100")]),
  group("aws_db_instance", "50 > 60.5", [resource("module.web.aws_db_instance.b", "50 > 60.5")]),
];
const GROWN = stage({
  cost: known(cost("100 > 160.5", { groups: GROUPS })),
  modules: known([moduleCost("root", "50 > 100"), moduleCost("web", "50 > 60.5")]),
  counts: known(counts({ deleted: 2, changed: 1 })),
  rows: listed(
    row("aws_db_instance.x", "deleted"),
    row("aws_db_instance.y", "deleted"),
    row("aws_instance.a", "changed"),
    row("aws_instance.renamed", "moved"),
  ),
});

describe("a condition", () => {
  test.each([
    ["cost.change > 60", "violated"],
    ["cost.change > 60.5", "passed"],
    ["cost.change >= 60.50", "violated"],
    ["cost.after > cost.before * 1.6", "violated"],
    ["cost.after > cost.before * 1.605", "passed"],
    ["cost['after'] > cost['before'] * 1.605", "passed"],
    ["cost.percent > 60.4", "violated"],
    ["cost.percent > 60.6", "passed"],
    ['cost.currency == "USD" && cost.change > 1', "violated"],
    ["costs.exists(c, c.change > 60)", "violated 1"],
    ["sum(stages.map(s, s.change)) == 60.5", "violated"],
    ['stages.exists(s, s.workspace == "production" && s.deleted > 1)', "violated 1"],
    ['modules.exists(m, m.path == "web" && m.change > 10)', "violated 1"],
    ['resources.filter(r, r.module == "web").size() > 0', "violated 1"],
    ['resources.exists(r, r.provider == "aws" && r.action == "changed")', "violated 1"],
    ["changes.deleted > 1 && changes.changed == 1", "violated"],
    ['changes.rows.exists(r, r.action == "deleted" && r.type.startsWith("aws_db_"))', "violated 2"],
    ['changes.rows.exists(r, r.type.like("^aws_(db|rds)_"))', "violated 2"],
    ['!changes.rows.exists(r, r.action == "imported")', "violated"],
    ["changes.rows.size() == 3", "violated"], // a move alone changes no resource
    ["unpriced.count > 0", "passed"],
    ['pull.author == "alice" && pull.base == "main" && pull.number == 7', "violated"],
    ['pull.paths.exists(p, p.endsWith(".tf"))', "violated 1"],
    ['"cost" in pull.labels', "passed"],
    ["pull.draft", "passed"],
  ])("%s: %s", (expression, expected) => {
    expect(says(expression, { stages: [GROWN] })).toEqual([expected]);
  });

  test.each([
    ["0.1 > 0.4", "cost.change + 0.3 == 0.6", "violated"],
    ["0 > 0.3", "cost.change == 0.1 + 0.2", "passed"], // doubles among themselves are doubles
    ["0.1 > 0.3", "cost.before + cost.change == 0.3", "violated"],
    ["0 > 500", "cost.change > 500.00", "passed"],
    ["0 > 500", "cost.change == 500.00", "violated"],
    ["0 > 100000000000000.01", "cost.change > 100000000000000", "violated"],
    ["0 > 9007199254740993", "cost.change > 9007199254740992", "violated"],
    ["0 > 0.00000001", "cost.change > 0.00000001", "passed"],
    ["0 > 0.000000011", "cost.change > 0.00000001", "violated"],
    ["0 > 1", "cost.percent > 1000000.0", "violated"], // from nothing
    ["10000000000 > 10000000000.0000001", "cost.percent > 0.0", "violated"],
  ])("of %s compares money exactly: %s is %s", (change, expression, expected) => {
    expect(says(expression, { stages: [stage({ cost: known(cost(change)) })] })).toEqual([expected]);
  });

  test("states what it found, in its own words", () => {
    const rule = when(
      'changes.rows.exists(r, r.action == "deleted")',
      'message: "{{count}} would be deleted, {{count}}!"',
    );
    const [finding] = verdict(rule, { stages: [GROWN] }).findings;
    expect(finding).toMatchObject({
      message: "2 would be deleted, 2!",
      items: ["aws_db_instance.x", "aws_db_instance.y"],
    });
    const [bare] = verdict(when("cost.change > 1", 'message: "{{count}} of it"'), {
      stages: [GROWN],
    }).findings;
    expect(bare).toMatchObject({ message: "? of it", items: [] });
  });

  test("that fails while it is evaluated is undecided, and violated where it has found something before", () => {
    expect(says('stages[7].name == "x"', { stages: [GROWN] })).toEqual([
      expect.stringMatching(/^undecided .*index/i),
    ]);
    expect(says("cost.percent * 1e300 * 1e300 > cost.change", { stages: [GROWN] })).toEqual([
      expect.stringMatching(/^undecided .*too large/),
    ]);
    const late = 'changes.rows.exists(r, r.action == "deleted" || stages[7].name == "x")';
    expect(says(late, { stages: [GROWN] })).toEqual(["violated"]);
  });
});

describe("what a condition needs and is not known makes it undecided", () => {
  const OTHER = stage({ workspace: "other", cost: known(cost("10 > 90", { currency: "EUR" })) });
  const unknown = { state: "unknown", reason: "timed_out" } as const;
  const bad = (but: Partial<StageFacts>): GivenFacts => ({
    stages: [GROWN, stage({ workspace: "other", ...but })],
  });
  const without = (missing: { omitted: number; unread: number }) =>
    bad({ rows: known({ rows: [], ...missing }) });
  const unstated = known(cost("1 > 1", { unpriced: null }));
  const unlisted = known(cost("0 > 9", { groups: [group("x", "0 > 9")] }));
  const NEVER = "amounts in USD and EUR are never added or compared";
  test.each<[string, GivenFacts, string]>([
    ["cost.change > 9999", bad({ cost: unknown }), "timed_out"],
    ["stages.exists(s, s.change > 9999)", bad({ cost: unknown }), "timed_out"],
    ["cost.change > 9999", bad({ status: "failed" }), "execution_failed"],
    ["cost.change > 9999", bad({ cost: known(cost("1 > 1", { completeness: "partial" })) }), "partial"],
    ["cost.change > 9999", bad({ cost: known(cost("1 > 1 by 9")) }), "inconsistent"],
    ["cost.change > 9999", bad({ cost: { state: "stale", value: cost("1 > 1"), ageMs: 9 } }), "unavailable"],
    ["cost.change > 9999", { stages: [GROWN, OTHER] }, "USD for EUR"],
    ["sum(stages.map(s, s.change)) > 9999", { stages: [GROWN, OTHER] }, NEVER],
    ["stages[0].change < stages[1].change", { stages: [GROWN, OTHER] }, NEVER],
    ["cost.change > 9999", { stages: [GROWN], refused: [HIDDEN] }, "not_granted"],
    ['stages.exists(s, s.workspace == "x")', { stages: [GROWN], refused: [HIDDEN] }, "not_granted"],
    ['stages.exists(s, s.workspace == "x")', {}, "not_read"],
    ['stages.exists(s, s.workspace == "x")', bad({ proven: false }), "unproven"],
    [
      'stages.exists(s, s.workspace == "x")',
      bad({ workspace: "execution-1", isUnread: true, cost: unknown }),
      "timed_out",
    ],
    ['stages.exists(s, s.status == "failed")', bad({ status: "unknown" }), "not_stated"],
    ["modules.exists(m, m.change > 9999)", bad({ modules: unknown }), "timed_out"],
    ["modules.exists(m, m.change > 9999)", bad({ cost: known(cost("0 > 9")) }), "partial"],
    ["resources.exists(r, r.change > 9999)", bad({ cost: known(cost("0 > 9")) }), "partial"],
    ["resources.exists(r, r.change > 9999)", bad({ cost: unlisted }), "partial"],
    ['resources.exists(r, r.action == "removed")', bad({ rows: unknown }), "timed_out"],
    ["changes.deleted > 9", bad({ counts: unknown }), "timed_out"],
    ["stages.exists(s, s.deleted > 9)", bad({ counts: unknown }), "timed_out"],
    ["changes.replaced > 9", bad({ counts: known(counts({ replaced: null })) }), "too_large"],
    ['changes.rows.exists(r, r.type == "x")', bad({ rows: unknown }), "timed_out"],
    ['changes.rows.exists(r, r.type == "x")', without({ omitted: 1, unread: 0 }), "too_large"],
    ['changes.rows.exists(r, r.type == "x")', without({ omitted: 0, unread: 1 }), "too_large"],
    ["unpriced.count > 9", bad({ cost: unstated }), "not_stated"],
    ["stages.exists(s, s.unpriced > 9)", bad({ cost: unstated }), "not_stated"],
    ['"x" in pull.paths', { stages: [GROWN], pull: { pathsComplete: false } }, "files_unlisted"],
    ['pull.author == "x"', { stages: [GROWN], pull: { author: null } }, "not_stated"],
    ['"x" in pull.labels', { stages: [GROWN], pull: { labels: null } }, "not_stated"],
  ])("%s", (expression, given, because) => {
    expect(says(expression, given)).toEqual([`undecided ${because}`]);
    expect(verdict(when(expression), given).kind).toBe("undecided");
  });

  test.each<[string, GivenFacts]>([
    ["cost.change > 9999", bad({ counts: unknown, rows: unknown, modules: unknown })],
    ["changes.deleted > 9", bad({ cost: unknown, modules: unknown, rows: unknown })],
    ["costs.exists(c, c.change > 9999)", { stages: [GROWN, OTHER] }],
    ['pull.base == "x"', { stages: [GROWN], pull: { author: null, labels: null, pathsComplete: false } }],
    ['stages.exists(s, s.workspace == "x")', bad({ cost: unknown, counts: unknown, status: "failed" })],
  ])("%s needs nothing else", (expression, given) => {
    expect(verdict(when(expression), given).kind).toBe("pass");
  });

  test("in a part of a stage, what is not stated part by part is not known", () => {
    const scoped = (expression: string) => when(expression, "scope: { providers: [aws] }");
    const told = (expression: string, given: StageFacts) =>
      describeFindings(scoped(expression), { stages: [given] });
    const unread = { ...GROWN, rows: known({ rows: [], omitted: 0, unread: 3 }) };
    expect(told("changes.added > 9", unread)).toEqual(["undecided too_large"]);
    expect(told("changes.added > 9", GROWN)).toEqual(["passed"]);
    expect(() => scoped("changes.unchanged < 9")).toThrow("reads unchanged");
    const base = { ...GROWN, cost: known(cost("1000 > 1060.5", { groups: GROUPS })) };
    expect(told("cost.change > 60", base)).toEqual(["violated"]);
    expect(told("cost.after > 900", base)).toEqual(["undecided partial"]);
    expect(told("modules.size() > 5", base)).toEqual(["undecided partial"]);
  });
});

describe("a condition is checked when the file is read", () => {
  const place = (text: string) => problems(`version: 1\nrules:\n${text}`).split(" ", 1)[0];
  test.each([
    ["plain", "  - { id: r, when: cost.chnage > 5 }", "repo.yml:3:25"],
    ["plain on its own line", "  - id: r\n    when: cost.change > 5 && pul.draft", "repo.yml:4:30"],
    ["quoted twice", '  - { id: r, when: "cost.chnage > 5" }', "repo.yml:3:26"],
    ["quoted once", "  - { id: r, when: 'cost.chnage > 5' }", "repo.yml:3:26"],
    ["a block", "  - id: r\n    when: |\n      pull.draft &&\n        cost.chnage > 5\n", "repo.yml:6:14"],
    ["a block that strips", "  - id: r\n    when: |-  # why\n      cost.chnage > 5\n", "repo.yml:5:12"],
    [
      "a block that starts with nothing",
      "  - id: r\n    when: |\n\n      cost.chnage > 5\n",
      "repo.yml:6:12",
    ],
    ["a block with its indent", "  - id: r\n    when: |2\n         cost.chnage > 5\n", "repo.yml:5:15"],
    [
      "a block of a file from Windows",
      "  - id: r\r\n    when: |\r\n      true &&\r\n      cost.chnage > 5\r\n",
      "repo.yml:6:12",
    ],
    [
      "folded, where places move",
      "  - id: r\n    when: >\n      true &&\n      cost.chnage > 5\n",
      "repo.yml:4:11",
    ],
    ["escaped, where places move", '  - { id: r, when: "\\u0063ost.chnage > 5" }', "repo.yml:3:20"],
  ])("%s", (_, text, expected) => {
    expect(place(text)).toBe(expected);
  });

  test.each([
    [
      "cost.chnage > 5",
      '5: "chnage" is no member of Cost (did you mean change?); there are before, after, change, percent, currency',
    ],
    ["cost.delta > 5", '5: "delta" is no member of Cost; there are before, after, change, percent, currency'],
    ["cost.change > 5 and pull.draft", '16: found "and", write &&'],
    ["pull.draft OR cost.change > 5", '11: found "OR", write ||'],
    ["not pull.draft", '0: found "not", write !'],
    ["pull.base = 'and or not'", '10: found "=", write =='],
    ["pull.base <> 'main'", '10: found "<>", write !='],
    ["pull.draft & pull.draft", '11: found "&", write &&'],
    ["cost.change > 1,000", '14: found "1,000", write 1000: no thousands separators'],
    [
      "cost.change > 500 USD",
      '14: found "500 USD", write 500, and ask for the currency with .currency == "USD"',
    ],
    [
      "costs.change > 5",
      "6: List index must be int, got 'string' (a list has no members; ask its elements, as in list.exists(x, x.change > 0))",
    ],
    ["cots.change > 5", `0: "cots" is no variable (did you mean cost?); there are ${VARIABLE_NAMES}`],
    [
      "resources.exists(r, r.adress == 'x')",
      '22: "adress" is no member of Resource (did you mean address?); there are address, type, provider, module, workspace, stage, action, before, after, change, percent, currency, tags, attributes_before, attributes_after',
    ],
    ["whatever > 5", `0: "whatever" is no variable; there are ${VARIABLE_NAMES}`],
    ["cost.change", "0: is a amount; expected something true or false"],
    [
      'cost.change > "500"',
      "0: no such overload: amount > string (an amount is compared with a number, such as 500 or 0.5; what happens to a resource is in .action)",
    ],
    [
      "has(cost.change)",
      "0: has() asks for a key of tags or attributes, as in has(r.tags.team): every other member always exists",
    ],
    [
      "resources.exists(r, has(r.tgas.team))",
      expect.stringMatching(/^26: "tgas" is no member of Resource \(did you mean tags\?\)/),
    ],
    [
      "resources.exists(r, r.after.instance_type == 'x')",
      '28: "instance_type" is no member of an amount; the attributes of a resource are in attributes_before and attributes_after',
    ],
    ["changes.rows.exists(r, r.after > 5)", "23: no such overload: map<string, dyn> > int"],
    ["changes.rows.exists(r, r.tags.team > 5)", "23: no such overload: string > int"],
    [
      'changes.rows.exists(r, r.change == "deleted")',
      '25: "change" is no member of Row: write action, for what happens to the resource',
    ],
    [
      "changes.rows.exists(r, r.action == 'delete')",
      '23: "delete" is no value of action here (did you mean deleted?); there are "added", "changed", "deleted", "replaced", "imported", "removed", "drifted"',
    ],
    [
      "resources.exists(r, 'forgotten' != r.action)",
      '20: "forgotten" is no value of action here; there are "added", "changed", "deleted", "replaced", "imported", "removed", "drifted", "moved", ""',
    ],
    [
      "changes.rows.exists(r, r.action == 'moved')",
      '23: "moved" is no value of action here: a move alone changes no resource; a moved resource that changes has the action of that change',
    ],
    [
      "usage.resources.exists(r, r.action in ['added', 'new'])",
      '26: "new" is no value of action here; there are "added", "changed", "deleted", "given", "unchanged", "unstated"',
    ],
    [
      'stages.exists(s, s.status == "success")',
      '17: "success" is no value of status here; there are "succeeded", "failed", "pending", "unknown"',
    ],
    [
      "cost.change / 2 > 5",
      "0: no such overload: amount / int (amounts are never divided; multiply the other side)",
    ],
    ["pull.author.size() > pull.draft", "0: no such overload: int > bool"],
    ["cost.change >", "13: Unexpected token: EOF"],
    ["dyn(cost).x == 1", "0: dyn() is not available; types are checked when the file is read"],
    ['pull.base.matches("(a+)+$")', "0: matches() is not available; use like(), which takes RE2's patterns"],
    ['pull.base.like("(")', "0: the pattern is none: error parsing regexp: missing closing ): `(`"],
    ["pull.base.like(pull.author)", "0: like() takes a pattern written out in quotes"],
    [`pull.base.like("${"a".repeat(1_001)}")`, "0: the pattern is longer than 1000 characters"],
    [
      "stages.exists(a, stages.exists(b, stages.exists(c, true)))",
      "34: loops can be nested two deep at most",
    ],
    [
      "stages.map(a, stages.filter(b, stages.all(c, true)).size()).exists(n, n > 1)",
      "31: loops can be nested two deep at most",
    ],
    [`${"true||".repeat(600)}true`, expect.stringMatching(/^\d+: .*(limit|exceed|max)/i)],
    [`${"(".repeat(80)}true${")".repeat(80)}`, expect.stringMatching(/^\d+: .*(limit|exceed|max|depth)/i)],
    ["true || ".repeat(600), "0: is longer than 4000 characters"],
    ["", expect.stringMatching(/^0: /)],
  ])("%s", (expression, expected) => {
    const compiled = compileCondition(expression);
    expect(compiled.ok ? "" : `${compiled.offset}: ${compiled.message}`).toEqual(expected);
  });

  test("two loops over many things end soon, and a hostile pattern does too", () => {
    const sized = (count: number, workspace: string) => {
      const resources = Array.from({ length: count }, (_, at) => resource(`x.r${at}`, "0 > 1"));
      const text = `0 > ${count}`;
      return stage({ workspace, cost: known(cost(text, { groups: [group("x", text, resources)] })) });
    };
    const many = sized(400, `${"a".repeat(5_000)}!`);
    expect(says("resources.all(a, resources.all(b, a.change + b.change < 3))", { stages: [many] })).toEqual([
      "violated",
    ]);
    const large = sized(1_001, "production");
    expect(says("resources.all(a, resources.all(b, a.change > b.change))", { stages: [large] })).toEqual([
      "undecided too_large",
    ]);
    expect(says("resources.all(a, a.change > 5)", { stages: [large] })).toEqual(["passed"]);
    expect(says('stages.exists(s, s.workspace.like("(a+)+$"))', { stages: [many] })).toEqual(["passed"]);
  });
});
