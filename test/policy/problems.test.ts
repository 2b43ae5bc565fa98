import { describe, expect, test } from "vitest";
import { problems } from "./policies.ts";

describe("every problem is reported at once, with line and column", () => {
  test("in a file that uses all of the language", () => {
    expect(
      problems(`version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
    approve: { teams: [finops], count: 1 }
  - id: no-database-deletes
    when: changes.rows.exists(r, r.action == "deleted" && r.type.startsWith("aws_db_"))
    message: "{{count}} databases would be deleted"
  - { id: a, limit: { missed-savings: 5 USD }, enforce: { "prod-*": block, "*": warn } }
  - { id: b, limit: { anomalies: 5 }, scope: { branches: [main], labels: [Cost] } }
  - { id: c, limit: { governance-failures: 5 } }
  - { id: d, limit: { unit-cost: { metric: orders, percent: 5 } } }
budgets:
  - { id: month, amount: 9000 USD, scope: { workspaces: ["prod-*"] } }
comment: { mode: hide-and-new, sections: [costs, changes] }
waivers:
  - { rule: monthly-increase, up_to: 900 USD, until: 2027-03-31, reason: load test, owner: finops }
`),
    ).toBe("");
  });

  test("in a file full of slips in the newer parts", () => {
    expect(
      problems(`version: 1
rules:
  - { id: misspelt, limitt: { increase: 5 USD } }
  - { id: neither }
  - { id: both, limit: { drift: 0 }, when: "true" }
  - { id: condition, when: cost.chnage > 500 }
  - { id: words, when: "true", message: "{{number}} of them" }
  - { id: scopes, limit: { anomalies: 0 }, scope: { modules: [web], author: [bob], labels: [] } }
  - { id: crossed, limit: { increase: 5 USD }, per: module, scope: { resource_types: ["aws_*"] } }
  - { id: stages, limit: { drift: 0 }, enforce: { prod: blok, "7": warn } }
  - { id: signed, limit: { drift: 0 }, approve: { count: 2 } }
  - { id: teams, limit: { drift: 0 }, approve: { teams: ["@acme/finops"], permission: writer, count: 0 } }
  - { id: groups, limit: { drift: 0 }, approve: { teams: [a], all: [{ teams: [b] }] } }
  - { id: unit, limit: { unit-cost: 5 } }
budgets:
  - { id: month, amount: 5, scope: { modules: [web] }, per: stage }
  - { id: both, amount: 5 USD }
waivers:
  - { rule: crosed, up_to: 5 USD, until: 2027-02-29, reason: r, owner: o }
  - { rule: crossed, until: 2027-02-28, reason: "", owner: o, scope: { resource_types: ["aws_*"] } }
  - { rule: crossed, up_to: 5 EUR, until: 28.02.2027, reason: r }
  - { rule: condition, up_to: 5, until: 2027-02-28, reason: r, owner: o }
  - { rule: month, up_to: 5%, until: 2027-02-28, reason: r, owner: o, scope: { workspaces: [prod] } }
  - { rule: stages, up_to: 2.5, until: 2027-02-28, reason: r, owner: o }
  - { rule: scopes, up_to: 2, until: 2027-02-28, reason: r, owner: o, scope: { providers: [aws] } }
comment: { mode: hide, sections: [cost, costs] }
`),
    ).toMatchInlineSnapshot(`
      "repo.yml:3:21 rules[0].limitt: is not a key here; did you mean limit?
      repo.yml:4:5 rules[1]: has neither limit nor when; expected one of them
      repo.yml:5:44 rules[2].when: stands beside a limit; a rule has one of them, write two rules
      repo.yml:6:33 rules[3].when: "chnage" is no member of Cost (did you mean change?); there are before, after, change, percent, currency
      repo.yml:7:41 rules[4].message: found "{{number}} of them", expected words with no other placeholder than {{count}}
      repo.yml:8:69 rules[5].scope.author: is not a key here; did you mean authors?
      repo.yml:8:92 rules[5].scope.labels: found an empty list, expected at least one entry
      repo.yml:9:53 rules[6].per: found "module", but a scope by resource types has no such lines
      repo.yml:10:57 rules[7].enforce.prod: found "blok", expected block or warn (did you mean block?)
      repo.yml:10:63 rules[7].enforce["7"]: found "7", expected a pattern that is no mere number, such as "{7,7}"
      repo.yml:11:49 rules[8].approve: found a mapping with "count", expected teams, users, permission, codeowners or by_tag, or a list of such groups under all
      repo.yml:12:58 rules[9].approve.teams[0]: found "@acme/finops", expected a team's slug in lower case, such as finops, without @ and organisation
      repo.yml:12:87 rules[9].approve.permission: found "writer", expected write, maintain or admin (did you mean write?)
      repo.yml:12:102 rules[9].approve.count: found 0, expected a whole number of at least 1
      repo.yml:13:49 rules[10].approve: found a mapping with "teams", "all", expected teams, users, permission, codeowners or by_tag, or a list of such groups under all
      repo.yml:14:37 rules[11].limit.unit-cost: found 5, expected a mapping of keys and values
      repo.yml:16:26 budgets[0].amount: found 5, expected an amount of zero or more with its currency, such as "500 USD"
      repo.yml:16:47 budgets[0].scope.modules: is not available for budget, which is not known part by part; remove it
      repo.yml:16:56 budgets[0].per: is not a key here; expected one of id, amount, period, scope, enforce, approve, mandatory, enforce_from, docs
      repo.yml:17:11 budgets[1].id: rules[2] has this id already; choose another
      repo.yml:19:13 waivers[0].rule: found "crosed", which is no rule (did you mean crossed?)
      repo.yml:19:42 waivers[0].until: found "2027-02-29", expected a day that the calendar has
      repo.yml:20:5 waivers[1].up_to: is missing; increase needs an amount
      repo.yml:20:49 waivers[1].reason: found "", expected a reason of 1 to 300 characters
      repo.yml:20:88 waivers[1].scope.resource_types: does not fit the rule, which looks at each module; remove it
      repo.yml:21:5 waivers[2].owner: is missing; expected who answers for it, 1 to 100 characters
      repo.yml:21:29 waivers[2].up_to: found an amount in EUR, expected USD, as the rule has it
      repo.yml:21:43 waivers[2].until: found "28.02.2027", expected a day, such as 2027-03-31
      repo.yml:22:31 waivers[3].up_to: is not for when, which measures nothing; remove it
      repo.yml:23:27 waivers[4].up_to: found a percentage, expected an amount, as budget has it
      repo.yml:23:92 waivers[4].scope.workspaces: is not available for a budget, which can be waived only as a whole; remove it
      repo.yml:24:28 waivers[5].up_to: found a percentage, expected a whole number, as drift has it
      repo.yml:25:91 waivers[6].scope.providers: is not available for anomalies, which is not known part by part; remove it
      repo.yml:26:18 comment.mode: found "hide", expected update, new, hide-and-new or delete-and-new
      repo.yml:26:35 comment.sections[0]: found "cost", expected one of findings, costs, unpriced, tags, modules, resources, changes, savings, estimator, context (did you mean costs?)"
    `);
  });

  test("in a file full of slips", () => {
    expect(
      problems(`version: 2
platform: { org: "..", projct: payments, assume_by_workspace: yes }
stages:
  - { match: { workspace: "[prod]*" }, name: "" }
  - { match: {}, name: x }
expect:
  - { paths: [], workspaces: prod, within: 2 hours }
  - { paths: ["!infra", /infra, ./infra, infra/], within: 8d }
  - { workspaces: ["{a"] }
rules:
  - id: twice
    limit: { increase: 5 USD }
  - id: twice
    limit: { percnt: 10 }
    per: modul
  - limit: { drift: 1, deletions: 1 }
    per: module
    enforce: blok
    on_unknown: warn
  - { id: "no spaces", limit: {}, mandatory: true }
  - { id: total-per-type, limit: { total: 1 USD }, per: resource-type }
  - { id: warns, limit: { drift: 0 }, enforce: warn, on_unknown: block }
  - just words
  - [ ]
comment: { on_no_change: quite, min_change: 10, min_percent: -1 }
check_names: [{ branch: main, name: "tollgate: other" }, { brnch: main }]
allow_warn_on_unknown: [twice]
limit: 5
`),
    ).toMatchInlineSnapshot(`
      "repo.yml:1:10 version: found 2, expected 1
      repo.yml:2:18 platform.org: found "..", expected an id of 1 to 128 letters, digits, _, ., - or $
      repo.yml:2:24 platform.projct: is not a key here; did you mean project?
      repo.yml:2:42 platform.assume_by_workspace: is not a key here; expected one of org, project
      repo.yml:4:27 stages[0].match.workspace: found "[prod]*", expected a pattern; this one may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here
      repo.yml:4:46 stages[0].name: found "", expected a name of 1 to 100 characters
      repo.yml:5:14 stages[1].match.workspace: is missing; expected a pattern as text
      repo.yml:7:14 expect[0].paths: found an empty list, expected at least one pattern
      repo.yml:7:30 expect[0].workspaces: found "prod", expected a list
      repo.yml:7:44 expect[0].within: found "2 hours", expected a duration, such as 30m, 2h or 1d
      repo.yml:8:15 expect[1].paths[0]: found "!infra", expected a pattern; this one may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here; leave things out with not, in a scope
      repo.yml:8:25 expect[1].paths[1]: found "/infra", expected a pattern; this one has a slash at its start or end, or two in a row
      repo.yml:8:33 expect[1].paths[2]: found "./infra", expected a path from the repository's root, without . or ..
      repo.yml:8:42 expect[1].paths[3]: found "infra/", expected a pattern; this one has a slash at its start or end, or two in a row
      repo.yml:8:59 expect[1].within: found "8d", expected at most seven days (7d)
      repo.yml:9:5 expect[2].paths: is missing; expected a list
      repo.yml:9:20 expect[2].workspaces[0]: found "{a", expected a pattern; this one has a brace without its partner
      repo.yml:13:9 rules[1].id: rules[0] has this id already; choose another
      repo.yml:14:14 rules[1].limit.percnt: is not a key here; did you mean percent?
      repo.yml:15:10 rules[1].per: found "modul", expected pull-request, stage, module, resource-type or tag (did you mean module?)
      repo.yml:16:5 rules[2].id: is missing; expected a name as text
      repo.yml:16:12 rules[2].limit: found a mapping with "drift", "deletions", expected exactly one of increase, decrease, percent, total, deletions, replacements, changes, invocations, drift, unpriced, usage, untagged, untagged-cost, finops-issues, estimator-policies, missed-savings, anomalies, anomaly-cost, governance-failures, unit-cost; write one rule per limit
      repo.yml:18:14 rules[2].enforce: found "blok", expected block or warn (did you mean block?)
      repo.yml:19:17 rules[2].on_unknown: found "warn", but a rule that blocks must not let unknown facts through; enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule
      repo.yml:20:11 rules[3].id: found "no spaces", expected a name of 1 to 64 letters, digits, dots, dashes or underscores
      repo.yml:20:31 rules[3].limit: found an empty mapping, expected exactly one of increase, decrease, percent, total, deletions, replacements, changes, invocations, drift, unpriced, usage, untagged, untagged-cost, finops-issues, estimator-policies, missed-savings, anomalies, anomaly-cost, governance-failures, unit-cost; write one rule per limit
      repo.yml:20:46 rules[3].mandatory: is for the organisation's file only; remove it
      repo.yml:21:57 rules[4].per: found "resource-type", expected pull-request or stage or module or tag: that is what total can look at
      repo.yml:22:66 rules[5].on_unknown: found "block", but a rule that enforces warn warns in any case; remove it
      repo.yml:23:5 rules[6]: found "just words", expected a mapping of keys and values
      repo.yml:24:5 rules[7]: found an empty list, expected a mapping of keys and values
      repo.yml:25:26 comment.on_no_change: found "quite", expected comment or quiet (did you mean quiet?)
      repo.yml:25:45 comment.min_change: found 10, expected an amount of zero or more with its currency, such as "500 USD"
      repo.yml:25:62 comment.min_percent: found -1, expected a percentage of zero or more, such as 10 or 12.5%
      repo.yml:26:37 check_names[0].name: found "tollgate: other", expected a name that does not start with "tollgate:"
      repo.yml:26:58 check_names[1].branch: is missing; expected a pattern as text
      repo.yml:26:58 check_names[1].name: is missing; expected a name of 1 to 100 characters
      repo.yml:26:60 check_names[1].brnch: is not a key here; did you mean branch?
      repo.yml:27:1 allow_warn_on_unknown: is for the organisation's file only; remove it
      repo.yml:28:1 limit: is not a key here; expected one of version, platform, stages, expect, rules, tags, report, comment, waivers, budgets, override, request_reviewers, check_names, notify, allow_warn_on_unknown"
    `);
  });

  test("in required tags", () => {
    const organisation = "version: 1\ntags: { required: [{ key: Team }] }";
    const repository = `version: 1
tags:
  required:
    - { key: team, values: [1] }
    - { key: stage, values: [a], pattern: b }
    - { key: Stage, pattern: "(" }
    - { kye: x }
    - { key: "" }
  except: { types: ["!aws_*"] }
report: { by-tag: team }
`;
    expect(problems(repository, organisation)).toMatchInlineSnapshot(`
      "repo.yml:4:14 tags.required[0].key: found "team", but the organisation's file requires this tag already; remove it
      repo.yml:4:29 tags.required[0].values[0]: found 1, expected the value of a tag, a text of 1 to 256 characters; quote numbers
      repo.yml:5:7 tags.required[1]: found a mapping with "key", "values", "pattern", expected values or a pattern, not both
      repo.yml:6:14 tags.required[2].key: found "Stage", but required[1] requires this tag already; remove one of them
      repo.yml:6:30 tags.required[2].pattern: found "(", expected a regular expression as RE2 has it (error parsing regexp: missing closing ): \`(\`)
      repo.yml:7:7 tags.required[3].key: is missing; expected the key of a tag, a text of 1 to 512 characters
      repo.yml:7:9 tags.required[3].kye: is not a key here; did you mean key?
      repo.yml:8:14 tags.required[4].key: found "", expected the key of a tag, a text of 1 to 512 characters
      repo.yml:9:21 tags.except.types[0]: found "!aws_*", expected a pattern; this one may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here; leave things out with not, in a scope
      repo.yml:10:11 report.by-tag: is not a key here; did you mean by_tag?"
    `);
  });

  test("in both files", () => {
    const organisation = `version: 1
platform: { org: acme }
rules:
  - { id: no-drift, limit: { drift: 0 }, mandatory: true, on_unknown: warn }
  - { id: broken, limit: { drift: few } }
allow_warn_on_unknown: [may]
`;
    const repository = `version: 1
platform: { org: other }
rules:
  - { id: no-drift, limit: { drift: 100 } }
  - { id: broken, limit: { drift: 1 } }
  - { id: may, limit: { drift: 1 }, on_unknown: warn }
  - { id: may-not, limit: { drift: 1 }, on_unknown: warn }
`;
    expect(problems(repository, organisation)).toMatchInlineSnapshot(`
      "org.yml:4:71 rules[0].on_unknown: found "warn", but a rule that blocks must not let unknown facts through; enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule
      org.yml:5:35 rules[1].limit.drift: found "few", expected a whole number of zero or more, such as 0 or 5, without quotes
      repo.yml:2:18 platform.org: found "other", but the organisation's file narrows it to "acme"
      repo.yml:4:11 rules[0].id: found "no-drift", a mandatory rule of the organisation that cannot be redefined; choose another id
      repo.yml:7:53 rules[3].on_unknown: found "warn", but a rule that blocks must not let unknown facts through; enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule"
    `);
  });

  test("in YAML that is more than plain", () => {
    expect(
      problems(`version: &v 1
rules: !!seq
  - &rule { id: a, limit: { drift: 0 }, limit: { drift: 9 } }
  - *rule
  - { <<: *rule, id: b }
  - { ? [a] : b }
__proto__: { rules: [] }
constructor: 1
`),
    ).toMatchInlineSnapshot(`
      "repo.yml:1:10 : anchors (&name) are not available; write the value out
      repo.yml:2:8 : tags (!name) are not available; write the plain value
      repo.yml:3:5 : anchors (&name) are not available; write the value out
      repo.yml:3:41 rules[0].limit: \`limit\` is there twice; remove one of them
      repo.yml:4:5 : aliases (*name) are not available; write the value out
      repo.yml:4:5 rules[1]: found nothing, expected a mapping of keys and values
      repo.yml:5:5 rules[2]: has neither limit nor when; expected one of them
      repo.yml:5:7 rules[2]["<<"]: merge keys (<<) are not available; write the values out
      repo.yml:5:11 : aliases (*name) are not available; write the value out
      repo.yml:6:5 rules[3].id: is missing; expected a name as text
      repo.yml:6:5 rules[3]: has neither limit nor when; expected one of them
      repo.yml:6:9 rules[3]["?"]: a key must be a plain word
      repo.yml:7:1 __proto__: is not a key here; expected one of version, platform, stages, expect, rules, tags, report, comment, waivers, budgets, override, request_reviewers, check_names, notify, allow_warn_on_unknown
      repo.yml:8:1 constructor: is not a key here; expected one of version, platform, stages, expect, rules, tags, report, comment, waivers, budgets, override, request_reviewers, check_names, notify, allow_warn_on_unknown"
    `);
  });

  test("in text that is not YAML", () => {
    expect(problems("version: 1\nrules:\n\t- id: a\n  b: [\n")).toMatchInlineSnapshot(`
      "repo.yml:3:1 : not valid YAML: Tabs are not allowed as indentation
      repo.yml:3:8 : not valid YAML: Nested mappings are not allowed in compact mappings
      repo.yml:3:8 : not valid YAML: Implicit keys need to be on a single line
      repo.yml:5:1 : not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]"
    `);
  });
});

describe("numbers", () => {
  const WRONG = [
    ...[".nan", ".inf", "-.inf", "1e400", "1e3", "-1", "-0", '"5"', '"5,00"', "0x10", "0o7", "1_000", "null"],
    ...["~", "true", "[5]", "{}", "05", "+5", "1.5"],
  ];
  const PERCENT = ['"10"', "10 percent", "1000001", "0.1234567890123456789"];
  const AMOUNT = [
    ...["5", "USD", "5 usd", "5USD", "-5 USD", "$5", "5 US", "5 USDT", "5 XQQ", '"5,00 USD"', "1_000 USD"],
    ...["1e3 USD", ".5 USD", "5. USD", "٣ USD", '"5 USD "', "1234567890123456 USD"],
  ];
  const said = (limit: string, value: string) =>
    problems(`version: 1\nrules: [{ id: r, limit: { ${limit}: ${value} } }]`);

  test.each<[string, string[], string[]]>([
    ["deletions", [...WRONG, "1000000001"], ["0", "5", "1000000000"]],
    [
      "percent",
      [...WRONG.filter((value) => value !== "1.5"), ...PERCENT],
      ["0", "10", "12.5", "10%", "12.5 %", '"10%"'],
    ],
    ["increase", [...WRONG, ...AMOUNT], ["0 USD", "500 USD", "0.01 EUR", '"1234.5678 JPY"']],
  ])("of %s are taken as they are meant, or refused", (limit, refused, taken) => {
    for (const value of refused) expect(said(limit, value), value).toContain(`rules[0].limit.${limit}`);
    for (const value of taken) expect(said(limit, value), value).toBe("");
  });

  test.each(["2", "0h", "2 h", "2H", "1h30m", "-1h", "1.5h", "1w", "169h", "8d", "P1D", "null"])(
    "within: %s is refused",
    (value) => {
      expect(problems(`version: 1\nexpect: [{ paths: [a], within: ${value} }]`)).toContain(
        "expect[0].within",
      );
    },
  );
});

describe("hostile files are refused with a readable reason", () => {
  const aliases = Array.from({ length: 9 }, (_, index) => `a${index}: &a${index} [${"*a, ".repeat(9)}]`).join(
    "\n",
  );
  test.each<[string, string, RegExp]>([
    ["a bomb of aliases", aliases, /aliases/],
    [
      "a deep list; unbounded recursion would end the process",
      "[".repeat(60_000),
      /nested more than 20 levels/,
    ],
    ["a deep list in one line", "- ".repeat(5_000), /nested more than 20 levels/],
    [
      "deep mappings",
      Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
      /nested more than 20 levels/,
    ],
    ["25 levels", `version: ${"[".repeat(24)}${"]".repeat(24)}`, /nested more than 20 levels/],
    ["a tag of another language", "version: !!js/function 'x'", /tags/],
    ["a large ordered map", `!!omap\n${"- a: 1\n".repeat(8_000)}`, /tags/],
    ["a merge loop", "a: &a { <<: *a }", /aliases/],
    ["five megabytes", "#".repeat(5_000_000), /larger than 64 KB/],
    ["64 KB in characters, more in bytes", "é".repeat(40_000), /larger than 64 KB/],
    ["a byte-order mark the wrong way round", "\ufffeversion: 1", /not UTF-8/],
    ["UTF-16", "v\0e\0r\0", /UTF-16/],
    ["Latin-1", "version: 1 # caf\ufffd", /not UTF-8/],
    ["nothing", "", /empty/],
    ["blanks", " \n\n", /empty/],
    ["a comment", "# nothing yet\n", /found nothing/],
    ["text", "hello", /expected a mapping/],
    ["a second document", "version: 1\n---\nversion: 1\nrules: []\n", /second document/],
    ["another version of YAML", "%YAML 1.1\n---\nversion: 1\n", /directives/],
    ["far too many parts", "- 1\n".repeat(10_000), /too many parts/],
    ["the path of a symbolic link", "../common/tollgate.yml", /expected a mapping/],
  ])("%s", (_, text, reason) => {
    expect(problems(text)).toMatch(reason);
    expect(problems(null, text)).toMatch(reason);
  });

  test("a byte-order mark of UTF-8 is no problem", () => {
    expect(problems("\ufeffversion: 1\nrules: []\n")).toBe("");
  });

  test("20 levels are read", () => {
    expect(problems(`version: ${"[".repeat(19)}${"]".repeat(19)}`)).toMatch(/found a list, expected 1/);
  });
});

describe("a text that a comma or a bracket of YAML cuts off says so", () => {
  const said = (rule: string) => problems(`version: 1\nrules:\n  - ${rule}\n`).split("\n");

  test.each([
    '{ id: r, when: changes.rows.exists(r, r.action == "deleted") }',
    '{ id: r, when: changes.rows.exists(r, r.action == "deleted"), enforce: warn }',
  ])("%s", (rule) => {
    expect(said(rule)).toEqual([
      expect.stringMatching(
        /^repo.yml:3:20 rules\[0\].when: ends at a comma, .*; put the whole condition in quotes$/,
      ),
      expect.stringMatching(
        /is not a key here; within { } a comma ends a text: put the whole text in quotes/,
      ),
    ]);
  });

  test.each([
    '{ id: r, when: pull.labels == ["a", "b"] }',
    '{ id: r, when: "a" in pull.labels }',
    "{ id: r, when: pull.draft ? cost.change > 5 : cost.change > 9 }",
    "{ id: r, when: !pull.draft }",
  ])("%s", (rule) => {
    expect(said(rule)[0]).toMatch(/^repo.yml:3:\d+ : .*; put the whole condition in quotes$/);
  });

  test("an amount with a comma", () => {
    expect(said("{ id: r, limit: { increase: 1,000 USD } }")).toContainEqual(
      expect.stringMatching(/write amounts as 1000 USD$/),
    );
  });
});

test.each([
  ["1,000 USD", 'write "1000 USD", without thousands separators'],
  ["1,000,000.50 USD", 'write "1000000.50 USD", without thousands separators'],
  ["1.000,50 EUR", 'write "1000.50 EUR", without thousands separators'],
  ["1_000 usd", 'write "1000 USD", without thousands separators'],
  ["1 000 USD", 'write "1000 USD", without thousands separators'],
  ["USD 500", 'did you mean "500 USD"?'],
  ["€500", 'did you mean "500 EUR"?'],
  ["500USD", 'did you mean "500 USD"?'],
])("an amount of %s is explained: %s", (amount, words) => {
  expect(problems(`version: 1\nrules:\n  - id: r\n    limit:\n      increase: ${amount}\n`)).toContain(
    `(${words})`,
  );
});

test.each(["10,00 USD", "1,0000 USD", "1.000 x USD", "USD", "1,000"])(
  "%s may mean several amounts, so none is named",
  (amount) => {
    const said = problems(`version: 1\nrules:\n  - id: r\n    limit:\n      increase: "${amount}"\n`);
    expect(said).toMatch(/such as "500 USD"$/);
  },
);

test("a count with a thousands separator is explained", () => {
  expect(problems("version: 1\nrules:\n  - id: r\n    limit:\n      deletions: 1,000\n")).toMatch(
    /\(write 1000\)$/,
  );
});

describe("a pattern that could never match is refused, with what to write", () => {
  const inScope = (scope: string) =>
    problems(`version: 1\nrules: [{ id: a, limit: { drift: 0 }, scope: { ${scope} } }]`);

  test.each([
    ["paths", "infra/**.tf", "write infra/**/*.tf"],
    ["paths", "**.tf", "write **/*.tf"],
    ["paths", "infra**", "write infra* or infra/**"],
    ["paths", "^infra/.*", "write infra/**"],
    ["workspaces", "prod**", "write prod* or prod/**"],
    ["workspaces", "^prod$", "write prod"],
    ["branches", "refs/heads/main", "write main"],
    ["branches", "origin/main", "write main"],
    ["branches", "^main$", "write main"],
  ])("%s: [%s]: %s", (member, pattern, advice) => {
    expect(inScope(`${member}: ["${pattern}"]`)).toSatisfy((text: string) => text.endsWith(advice));
  });

  test("also the branch of a check's name", () => {
    expect(problems("version: 1\ncheck_names: [{ branch: refs/heads/main, name: gate }]")).toContain(
      "write main",
    );
  });

  test.each(["infra/**", "**/*.tf", "infra", "Makefile", "**", "a.*", "release/*"])(
    "%s is taken",
    (pattern) => {
      expect(inScope(`paths: ["${pattern}"]`)).toBe("");
      expect(inScope(`branches: ["${pattern}"]`)).toBe("");
    },
  );
});
