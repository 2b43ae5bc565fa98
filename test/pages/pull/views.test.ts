import { expect, test } from "vitest";
import { z } from "zod";
import { decimal } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import { NO_CONTEXT } from "../../../src/report/model/context.ts";
import { changes, money, saving, tagLine, tagProblem } from "../../render/evaluation-builder.ts";
import { createReader, servePages } from "../page-server.ts";
import { readText } from "../page-text.ts";
import { blockedEvaluation, component, costs, finding, resource, row, stageNamed } from "./evaluations.ts";
import { evaluates, openPullStore } from "./pull-store.ts";

async function serveEvaluation(evaluation: Evaluation): Promise<string> {
  const database = await openPullStore();
  await evaluates(database, evaluation);
  return `${await servePages(database, createReader([1]))}/r/acme/payments/pull/12`;
}

const read = async (address: string): Promise<string> => (await fetch(address)).text();
const List = z.array(z.record(z.string(), z.unknown()));
const list = async (address: string) => List.parse(await (await fetch(`${address}&format=json`)).json());
const names = async (address: string) => (await list(address)).map((one) => one["resource"]);

const MANY = Array.from({ length: 250 }, (_, index) =>
  resource(`module.web.aws_instance.app[${index}]`, { ...costs(1, 1 + index), module: "web" }),
);

test("the overview states the verdict, the next step and the reasons in the comment's words", async () => {
  const html = await read(await serveEvaluation(blockedEvaluation()));
  expect(html).toContain("<span>Blocked: 1 blocking, 1 not evaluated, 1 warning · +$600.00");
  expect(html).toContain("<strong>To merge:</strong> 1 rule is violated.");
  expect(html).toContain("<h2>Why</h2>");
  expect(html).toContain("because no estimate was made");
});

test("of a merged pull request nothing is to be done any more, and nobody is to approve it", async () => {
  const database = await openPullStore();
  const evaluation = blockedEvaluation();
  const check = { status: "completed", conclusion: "action_required" } as const;
  await evaluates(database, { ...evaluation, check: { ...evaluation.check, ...check } });
  await database.db.updateTable("pulls").set({ state: "closed", merged_at: new Date() }).execute();
  const address = `${await servePages(database, createReader([1]))}/r/acme/payments/pull/12`;
  const text = readText(await read(address));
  expect(text).toContain("Merged Not approved");
  expect(text).toContain("Why");
  expect(text).not.toMatch(/To merge|Needs approval/);
});

test("costs of which only a part is known are lower bounds, without a percentage, and the check is undecided", async () => {
  const part = { currency: "USD", state: "partial", because: ["not_estimated"] } as const;
  const nothing = { ...costs(100, 100), percent: decimal("0") };
  const sample = blockedEvaluation({
    report: {
      stages: [stageNamed("production", { ...nothing, ...part })],
      totals: [{ ...costs(100, 130), ...part, percent: decimal("30") }],
      unpriced: { count: 2, types: { aws_route53_resolver_rule: 2 } },
      changes: {
        added: 2,
        changed: 0,
        deleted: 1,
        replaced: 1,
        drifted: 0,
        imported: 0,
        removed: 0,
        unchanged: 0,
      },
    },
  });
  if (sample.situation.kind !== "evaluated") throw new Error("the sample has a verdict");
  const verdict = { ...sample.situation.verdict, kind: "undecided" } as const;
  const html = await read(await serveEvaluation({ ...sample, situation: { kind: "evaluated", verdict } }));
  const text = readText(html);
  expect(text).toContain("+$30.00 known, the rest unknown at least $100.00 → at least $130.00");
  expect(text).toMatch(/unknown at least \$100\.00 at least \$100\.00 –/);
  expect(text).toContain("Undecided");
  expect(text).toContain("2 resources have no known price");
  expect(text).toContain("2 created, 1 deleted. Of these, 1 is replaced (deleted and created again).");
  expect(text).not.toMatch(/30%|\$0\.00/);
});

test.each([
  ["1 imported, 2 no longer managed", { imported: 1, removed: 2 }, true],
  ["1 imported (at least)", { imported: 1 }, false],
  ["no change as far as is known", {}, false],
])("the overview says of changes what the comment says: %s", async (words, some, changesAreComplete) => {
  const report = { changes: changes(some), changesAreComplete, rows: [] };
  const text = readText(await read(await serveEvaluation(blockedEvaluation({ report }))));
  expect(text).toContain(words);
  expect(text).not.toContain("no change (at least)");
});

test("resources are paged on the server, in the order that the address asks for", async () => {
  const url = await serveEvaluation(blockedEvaluation({ report: { resources: MANY, rows: [] } }));
  const html = await read(`${url}?view=resources&sort=-change&page=3`);
  expect(html).toContain("Page 3 of 3 · 250 rows");
  expect(html.match(/<code>module\.web\.aws_instance/g)).toHaveLength(50);
  expect(await names(`${url}?view=resources&sort=-change`)).toEqual(
    MANY.map(({ address }) => address).reverse(),
  );
});

test("resources are filtered by stage, module with its inner modules, type, action and a part of the address", async () => {
  const report = {
    stages: [stageNamed("production"), stageNamed("staging")],
    resources: [
      resource("module.web.aws_instance.app", { module: "web", action: "added" }),
      resource("module.web.module.db.aws_db_instance.main", { module: "web.db", action: "changed" }),
      resource("module.website.aws_lb.front", { module: "website", action: "added" }, "staging"),
    ],
    rows: [row("aws_iam_role.ci", { change: "deleted" }, "staging")],
  };
  const url = await serveEvaluation(blockedEvaluation({ report }));
  const [app, main, front, ci] = [...report.resources, ...report.rows].map(({ address }) => address);
  expect(await names(`${url}?view=resources&stage=staging`)).toEqual([front, ci]);
  expect(await names(`${url}?view=resources&module=web`)).toEqual([app, main]);
  expect(await names(`${url}?view=resources&type=aws_lb`)).toEqual([front]);
  expect(await names(`${url}?view=resources&action=deleted`)).toEqual([ci]);
  expect(await names(`${url}?view=resources&q=WEB&action=added`)).toEqual([app, front]);
  expect(await read(`${url}?view=resources&type=nothing`)).toContain("No resource matches these filters.");
});

test("resources are filtered and sorted by the tag of the policy, also by its former value, and the overview has the cost per tag", async () => {
  const team = (value: string | null) => ({ values: value === null ? {} : { team: value }, complete: true });
  const lines = [
    tagLine("value", "600", { value: "(web)" }),
    tagLine("untagged", "-100", costs(100, 0)),
    tagLine("unattributed", "0", { before: null, after: null }),
  ];
  const report = {
    byTag: { key: "team", lines },
    resources: [
      resource("a.b.one", { tags: { after: team("(web)") } }),
      resource("a.b.two", { tags: { before: team("search"), after: team("(web)") } }),
      resource("a.b.three", { tags: { before: team(null), after: null } }),
      resource("a.b.four"),
    ],
    rows: [],
  };
  const url = await serveEvaluation(blockedEvaluation({ report }));
  const found = (tag: string) => names(`${url}?view=resources&tag=${encodeURIComponent(tag)}`);
  expect(await found("((web)")).toEqual(["a.b.one", "a.b.two"]);
  expect(await found("search")).toEqual(["a.b.two"]);
  expect(await found("(untagged)")).toEqual(["a.b.three"]);
  expect(await found("(unknown)")).toEqual(["a.b.four"]);
  const rows = await list(`${url}?view=resources&sort=tag`);
  expect(rows.map(({ resource: name, tag, tag_kind }) => [name, tag, tag_kind])).toEqual([
    ["a.b.one", "(web)", "value"],
    ["a.b.two", "(web)", "value"],
    ["a.b.three", null, "untagged"],
    ["a.b.four", null, "unknown"],
  ]);
  const resources = await read(`${url}?view=resources&tag=${encodeURIComponent("(unknown)")}`);
  expect(resources).toContain('<option value="(unknown)" selected>unknown (1)</option>');
  const overview = await read(url);
  expect(overview).toContain("?view=resources&amp;tag=%28%28web%29");
  const text = readText(overview);
  expect(text).toContain("Cost per team");
  expect(text).toContain("(web) +$600.00 $0.00 $600.00 without tag −$100.00 $100.00 $0.00");
  expect(text).toContain("resources not listed $0.00 unknown unknown");
  expect(await list(`${url}?table=tags`)).toMatchObject([
    { tag: "(web)", tag_kind: "value", change: "600", currency: "USD", state: "known" },
    { tag: null, tag_kind: "untagged", before: "100", after: "0" },
    { tag: null, tag_kind: "unattributed", before: null },
  ]);
});

test("where readers may not see figures, no resource is found by its tag", async () => {
  const tags = { after: { values: { team: "search" }, complete: true } };
  const report = { byTag: { key: "team", lines: [] }, resources: [], rows: [row("a.b.one", { tags })] };
  const url = await serveEvaluation(blockedEvaluation({ pull: { figures: false }, report }));
  expect(await names(`${url}?view=resources`)).toEqual(["a.b.one"]);
  expect(await names(`${url}?view=resources&tag=search`)).toEqual([]);
});

test("amounts of two currencies are never compared: each currency is sorted by itself", async () => {
  const resources = [
    resource("a.usd.one", { ...costs(0, 5), currency: "USD" }),
    resource("a.jpy.one", { ...costs(0, 700), currency: "JPY" }),
    resource("a.usd.two", { ...costs(0, 900), currency: "USD" }),
    resource("a.jpy.two", { ...costs(0, 100), currency: "JPY" }),
  ];
  const url = await serveEvaluation(blockedEvaluation({ report: { resources, rows: [] } }));
  expect(await names(`${url}?view=resources&sort=change`)).toEqual([
    "a.jpy.two",
    "a.jpy.one",
    "a.usd.one",
    "a.usd.two",
  ]);
});

test("a resource whose cost stays shows it, and where the estimate states none the page says what the dash means", async () => {
  const rows = [
    row("aws_instance.same", { cost: decimal("30") }),
    row("aws_instance.unknown", { cost: null }),
    row("aws_subnet.free"),
  ];
  const address = await serveEvaluation(blockedEvaluation({ report: { resources: [], rows } }));
  const DASH = "–: the estimate states no cost of the resource itself.";
  const amounts = (await list(`${address}?view=resources`)).map((one) => [one["before"], one["change"]]);
  expect(amounts).toEqual([
    ["30", "0"],
    [null, null],
    [null, null],
  ]);
  for (const view of ["overview", "resources"]) expect(await read(`${address}?view=${view}`)).toContain(DASH);
  const text = readText(await read(`${address}?view=resources`));
  expect(text).toContain("aws_instance.same $0.00 $30.00 $30.00");
  expect(text).toContain("aws_instance.unknown unknown unknown unknown");
  expect(await read(`${address}?view=resources&q=same`)).not.toContain(DASH);
});

test("a resource has a page with its price components and its redacted attributes", async () => {
  const address = "module.web.aws_instance.app[0]";
  const hours = { unit: "hours", before: decimal("730"), after: decimal("1460") };
  const report = {
    resources: [
      resource(address, {
        action: "changed",
        components: [component("Instance usage", { quantity: hours, ...costs(10, 20) })],
      }),
    ],
    rows: [
      row(address, {
        changedAttributes: ["instance_type", "user_data"],
        attributeChanges: [
          { name: "instance_type", before: { kind: "text", text: "m5.large" }, after: { kind: "later" } },
          { name: "user_data", before: { kind: "sensitive" }, after: { kind: "sensitive" } },
        ],
      }),
    ],
  };
  const url = await serveEvaluation(blockedEvaluation({ report }));
  const query = new URLSearchParams({
    view: "resource",
    stage: "default/payments/production",
    resource: address,
  });
  expect(await list(`${url}?${query}`)).toEqual([
    {
      component: "Instance usage",
      quantity_before: "730",
      quantity_after: "1460",
      unit: "hours",
      price_before: "0.0136986301",
      price_after: "0.0136986301",
      before: "10",
      after: "20",
      change: "10",
    },
  ]);
  expect(await list(`${url}?${query}&table=attributes`)).toEqual([
    { attribute: "instance_type", before: "m5.large", after: "known after apply" },
    { attribute: "user_data", before: "(sensitive)", after: "(sensitive)" },
  ]);
});

test("every rule shows what it measured, its limit, and whose approval is missing", async () => {
  const findings = [
    finding({
      approve: { groups: [{ teams: ["finops"], users: [], permission: null, count: 2 }], reviews: true },
    }),
    finding({
      rule: "few-deletions",
      outcome: "passed",
      limit: { kind: "deletions", count: 5 },
      measured: { kind: "count", count: 3 },
    }),
    finding({
      rule: "eu",
      outcome: "not_applicable",
      mismatch: { member: "stages", patterns: ["eu-*"], here: ["us"], more: 0, meant: null },
    }),
  ];
  const missing = [{ rule: "monthly-increase", groups: [{ group: 0, lacks: 2 }] }];
  const rest = { approvals: { live: [], lapsed: [], missing } };
  const url = await serveEvaluation(blockedEvaluation({ findings, rest }));
  expect(await list(`${url}?view=rules`)).toEqual([
    expect.objectContaining({
      rule: "monthly-increase",
      outcome: "block",
      measured: "600",
      limit: "500",
      unit: "USD",
      approval: "needs 2 from @acme/finops",
    }),
    expect.objectContaining({
      rule: "few-deletions",
      outcome: "passed",
      measured: 3,
      limit: 5,
      approval: null,
    }),
  ]);
  expect(await read(`${url}?view=rules`)).toMatch(/<code>eu<\/code>: no stage matches <code>eu-\*<\/code>/);
});

test("a rule about tags says what its first resources miss", async () => {
  const items = ["a", "b", "c", "d"].map((name) => `prod: aws_x.${name}`);
  const tagged = finding({
    ...{
      rule: "tagged",
      limit: { kind: "untagged", count: 0 },
      measured: { kind: "count", count: 4 },
      items,
    },
    tagProblems: [
      tagProblem(items[0] ?? "", "team", { found: "<b>serach", nearest: "search" }),
      ...items.slice(1).map((item) => tagProblem(item, "app")),
    ],
  });
  const url = await serveEvaluation(blockedEvaluation({ findings: [tagged] }));
  expect(await read(`${url}?view=rules`)).toContain(
    "prod: aws_x.a: team is &lt;b&gt;serach (did you mean search?); prod: aws_x.b: app is missing; prod: aws_x.c: app is missing; and 1 more",
  );
});

test("a lapsed approval says why it ended", async () => {
  const url = await serveEvaluation(blockedEvaluation());
  expect((await list(`${url}?view=rules&table=approvals`)).map((one) => one["state"])).toEqual([
    "in force",
    "other stages or currencies are touched now",
  ]);
});

test("modules are a tree in which each module includes the modules in it", async () => {
  const line = { state: "known", because: [], currency: "USD", unattributed: false } as const;
  const modules = [
    { ...line, module: "web", ...costs(10, 15) },
    { ...line, module: "web.db", ...costs(100, 300) },
    { ...line, module: "cache", ...costs(0, 50) },
  ];
  const url = await serveEvaluation(blockedEvaluation({ report: { modules } }));
  expect(await list(`${url}?view=modules`)).toEqual([
    { module: "web", change: "205", before: "110", after: "315", own: "5", currency: "USD" },
    { module: "web.db", change: "200", before: "100", after: "300", own: "200", currency: "USD" },
    { module: "cache", change: "50", before: "0", after: "50", own: "50", currency: "USD" },
  ]);
});

test("every fact has its state, its age and its source", async () => {
  const sample = blockedEvaluation();
  const day = { day: "2026-11-22", failed: 1, total: 40, statuses: {} };
  const context = {
    ...sample.report.context,
    governance: { state: "stale", ageMs: 7_200_000, value: day },
    savings: { state: "unknown", reason: "unavailable" },
  } as const;
  const url = await serveEvaluation(blockedEvaluation({ report: { context } }));
  const facts = await list(`${url}?view=facts`);
  const find = (name: string) => facts.find(({ fact }) => fact === name);
  expect(find("cost")).toMatchObject({
    state: "known",
    stage: "production",
    source: expect.stringContaining("kX7pQ2mVTzW9"),
  });
  expect(find("governance")).toMatchObject({ state: "stale", age: 7_200 });
  expect(find("possible savings")).toMatchObject({
    state: "unknown",
    because: "the platform could not be reached",
  });
});

test("a table as CSV has every row and does not run in a spreadsheet", async () => {
  const resources = [...MANY, resource("=cmd|'/c calc'!A1", costs(5, 2))];
  const url = await serveEvaluation(blockedEvaluation({ report: { resources, rows: [] } }));
  const response = await fetch(`${url}?view=resources&format=csv`);
  const text = await response.text();
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="payments-12-resources-resources.csv"',
  );
  expect(text.trimEnd().split("\n")).toHaveLength(resources.length + 1);
  expect(text).toContain("'=cmd|");
  expect(text).toContain(",-3,");
});

test("a module path of thousands of names takes no time and fails no page", async () => {
  const path = Array.from({ length: 4_000 }, () => "m").join(".");
  const [module] = blockedEvaluation().report.modules;
  if (module === undefined) throw new Error("the sample has a module");
  const report = { modules: [{ ...module, module: path }] };
  const url = await serveEvaluation(blockedEvaluation({ report }));
  expect((await list(`${url}?view=modules`)).at(-1)).toMatchObject({ module: path });
});

test("savings of the platform and findings of the estimator are one table, on the page and as a file", async () => {
  const advice = { current: "m5.2xlarge", recommended: ["m5.large"], terminate: false };
  const page = "https://platform.example/r/1";
  const items = [
    saving("aws_instance.web", "70", { recommendationId: "r-1", workspace: "production", advice, page }),
    saving("aws_instance.gone", "900", { change: "deleted" }),
    saving("aws_instance.db", "20.5", { recommendationId: "r-2", workspace: "production" }),
  ];
  const issue = {
    ...{
      kind: "finops" as const,
      policy: "Newer types",
      address: "aws_instance.app",
      attribute: "instance_type",
    },
    ...{ message: "<t4g> is cheaper", saving: decimal("24.5"), file: "main.tf", line: 3 },
  } as const;
  const estimatorFindings = { issues: 1, policies: 0, more: 2, listed: [issue] };
  const address = await serveEvaluation(
    blockedEvaluation({
      report: {
        stages: [stageNamed("production", { estimatorFindings })],
        context: {
          ...NO_CONTEXT,
          savings: { state: "known", value: { totals: [money("90.5")], items, unmatched: 1 } },
        },
      },
    }),
  );
  const text = readText(await read(address));
  expect(/Savings and what the estimator says.*?3 (.*?) CSV/.exec(text)?.[1]).toMatchInlineSnapshot(
    `"Savings Saves a month Resource What to do $70.00 aws_instance.web m5.2xlarge → m5.large $24.50 aws_instance.app &lt;t4g&gt; is cheaper (Newer types) instance_type · main.tf:3 $20.50 aws_instance.db –"`,
  );
  expect(text).toContain("Of 1 more resource that changes it is not known");
  expect(text).toContain("The estimator has 2 more findings.");
  const rows = await list(`${address}?table=savings`);
  expect(
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
  ).toMatchInlineSnapshot(`
    [
      {
        "address": "aws_instance.web",
        "advice": "m5.2xlarge → m5.large",
        "currency": "USD",
        "current": "m5.2xlarge",
        "kind": "recommendation",
        "page": "https://platform.example/r/1",
        "recommended": "m5.large",
        "saves": "70",
        "source": "r-1",
        "stage": "production",
      },
      {
        "address": "aws_instance.app",
        "advice": "<t4g> is cheaper (Newer types)",
        "attribute": "instance_type",
        "currency": "USD",
        "file": "main.tf",
        "kind": "finops",
        "line": 3,
        "message": "<t4g> is cheaper",
        "saves": "24.5",
        "source": "Newer types",
        "stage": "production",
      },
      {
        "address": "aws_instance.db",
        "currency": "USD",
        "kind": "recommendation",
        "saves": "20.5",
        "source": "r-2",
        "stage": "production",
      },
    ]
  `);
});
