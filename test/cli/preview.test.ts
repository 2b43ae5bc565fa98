import { describe, expect, test } from "vitest";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, planOf, resourceChange } from "../plan-files/plan-builder.ts";
import { API, BUCKET, FUNCTION, meteredEstimate, TABLE } from "../plan-files/usage-builder.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path } = createFolder();

const preview = (...line: readonly string[]) => typed(["preview", ...line]);

/** The preview as JSON, with the exit code and the messages. */
async function previewJson(...line: readonly string[]) {
  const { code, results, messages } = await preview(...line, "--json");
  return { code, messages: messages.map((text) => text.replaceAll(`${path}/`, "")), ...JSON.parse(results) };
}

/** An estimate of one project. */
const costs = (name: string, amounts: readonly [string, string, string], more: object = {}) =>
  file(`${name}.json`, estimate([project(name, [...amounts], more)], [...amounts]));
const CHEAPER = () =>
  file(
    "cheaper.json",
    estimate(
      [project("web", ["1300.04", "740.5", "-559.54"]), project("db", ["3", "2.14", "-0.86"])],
      ["1303.04", "742.64", "-560.4"],
    ),
  );
const policy = (limit: string, more = "") =>
  file("tollgate.yml", `version: 1\nrules:\n  - id: rule\n    limit: { ${limit} }\n${more}`);

type Stage = { workspace: string; currency: string | null; changes: { added: number } | null };

const stateOf = (name: string, price: string) => {
  const web = project("web", [price, price, "0"], { metadata: { type: "terraform_dir" } });
  const metadata = { infracostCommand: "breakdown" };
  return file(name, estimate([web], [price, price, "0"], { metadata }));
};

test("the state before and after as two files is refused, with the way to compare them", async () => {
  const [base, head] = [stateOf("base.json", "5"), stateOf("head.json", "500")];
  const { code, messages } = await preview("--infracost", base, "--infracost", head);
  expect(code).toBe(2);
  expect(messages.join("\n")).toContain(
    `${base} and ${head} are two estimates of web, and neither is compared with the other`,
  );
  expect(messages.join("\n")).toContain("--infracost-base");
});

test("the cost by the tag that the policy names is in JSON and comment; without such a tag it is null", async () => {
  const line = ["--infracost", costs("web", ["10", "12.50", "2.50"])];
  const byTag = ["--policy", policy("increase: 1 USD", "report: { by_tag: team }\n")];
  expect((await previewJson(...line)).report.by_tag).toBeNull();
  expect((await previewJson(...line, ...byTag)).report.by_tag).toMatchObject({
    key: "team",
    lines: [{ value: null, currency: "USD", change: "2.5" }],
  });
  expect((await preview(...line, ...byTag)).results).toContain("#### Cost per team");
});

describe("the estimate of the state before", () => {
  test("is that of the estimate in the same place, in each workspace", async () => {
    const [base, head] = [stateOf("base.json", "5"), stateOf("head.json", "500")];
    const pair = ["--infracost-base", base, "--infracost", head];
    const other = ["--infracost", base, "--infracost-base", head];
    const plain = await previewJson(...pair);
    expect(plain.report).toMatchObject({ totals: [{ previous: "5", current: "500", change: "495" }] });
    const { report } = await previewJson("--workspace", "a", ...pair, "--workspace", "b", ...other);
    expect(report).toMatchObject({ totals: [{ previous: "505", current: "505", change: "0" }] });
  });

  test.each([
    [
      "without an estimate",
      ["--plan", "p.json", "--infracost-base", "x.json"],
      "There are 0 estimates and 1 of a base",
    ],
    [
      "for one of two estimates",
      ["--infracost", "a.json", "b.json", "--infracost-base", "x.json"],
      "There are 2 estimates and 1 of a base: give none, or one --infracost-base for each --infracost.",
    ],
    [
      "that is the estimate itself",
      ["--infracost", "a.json", "--infracost-base", "a.json"],
      "a.json cannot be its own base",
    ],
    [
      "given twice for a workspace",
      ["--workspace", "a", "--infracost", "a.json", "--infracost-base", "x.json", "y.json"],
      "The workspace a has two estimates of the base, x.json and y.json",
    ],
  ])("%s is refused", async (_, words, message) => {
    const { code, messages } = await preview(...words);
    expect(code).toBe(2);
    expect(messages.join("\n")).toContain(message);
  });
});

describe("as JSON", () => {
  test("of an estimate, a plan and a policy", async () => {
    const changes = planOf(
      { actions: ["delete", "create"] },
      { address: "cloud_disk.b", actions: ["no-op"] },
    );
    const files = words`--infracost ${costs("web", ["10", "12.50", "2.50"])} --plan ${file("plan.json", changes)}`;
    const amounts = {
      currency: "USD",
      previous: "10",
      current: "12.5",
      change: "2.5",
      percent: 25,
      state: "known",
    };
    const counts = {
      added: 1,
      changed: 0,
      deleted: 1,
      replaced: 1,
      imported: 0,
      removed: 0,
      unchanged: 1,
      drifted: 0,
    };
    expect(await previewJson(...files, "--policy", policy("increase: 2 USD"))).toMatchObject({
      ...{ code: 1, messages: [] },
      report: {
        totals: [amounts],
        stages: [{ workspace: "web", ...amounts, changes: counts }],
        modules: [{ module: "root", ...amounts }],
        changes: counts,
      },
      verdict: { kind: "block", findings: [{ rule: "rule", outcome: "violated", enforce: "block" }] },
      conclusion: "failure",
    });
  });

  test("an estimate that does not state its unpriced resources leaves a limit on them undecided", async () => {
    const untold = costs("web", ["1", "2", "1"], { summary: null });
    const { code, report, verdict } = await previewJson(
      ...words`--infracost ${untold} --policy ${policy("unpriced: 0")}`,
    );
    expect([code, report.unpriced, verdict.kind]).toEqual([3, null, "undecided"]);
  });

  test("one plan for each estimate file is joined by the order given, with a note, and all changes are known", async () => {
    const estimates = ["a", "b"].flatMap((name) => ["--infracost", costs(name, ["1", "2", "1"])]);
    const plans = ["x", "y"].flatMap((name) => [
      "--plan",
      file(`${name}.json`, planOf({ actions: ["delete"] })),
    ]);
    const { code, report, messages } = await previewJson(
      ...estimates,
      ...plans,
      "--policy",
      policy("deletions: 2"),
    );
    expect([code, report.changes.deleted, report.changes_are_complete]).toEqual([0, 2, true]);
    expect(report.stages.map(({ workspace }: Stage) => workspace)).toEqual(["a", "b"]);
    expect(messages).toEqual([
      "note: x.json: taken as the plan of a.json, by the order given",
      "note: y.json: taken as the plan of b.json, by the order given",
    ]);
  });

  test("without a plan and without a policy says null, not zero and not pass", async () => {
    const { code, report, verdict, conclusion } = await previewJson("--infracost", CHEAPER());
    expect([code, report.changes, verdict, conclusion]).toEqual([0, null, null, null]);
    const fixed = { previous: "1303.04", current: "742.64" };
    const amounts = { before: "1303.04", after: "742.64", ...fixed, change: "-560.4", percent: -43.01 };
    expect(report.totals).toMatchObject([{ currency: "USD", ...amounts, state: "known" }]);
    expect(report.stages.map(({ workspace }: Stage) => workspace)).toEqual(["web", "db"]);
  });

  test("several files: sums per currency, never across", async () => {
    const euros = estimate([project("eu", ["1", "2", "1"])], ["1", "2", "1"], { currency: "EUR" });
    const { report } = await previewJson(
      ...words`--infracost ${CHEAPER()} --infracost ${file("eu.json", euros)} --infracost ${costs("web", ["0", "0.36", "0.36"])}`,
    );
    expect(report.totals).toMatchObject([
      { currency: "USD", current: "743" },
      { currency: "EUR", current: "2" },
    ]);
    expect(report.stages.map(({ workspace }: Stage) => workspace)).toEqual(["web", "db", "eu", "web #2"]);
  });

  test.each([
    ["partial", ["1", "2", "1"], { metadata: { errors: [{ message: "no" }] } }],
    ["inconsistent", ["1", "2", "9"], {}],
  ] as const)("figures that are %s make cost rules undecided", async (state, amounts, more) => {
    const { code, report, verdict, conclusion } = await previewJson(
      ...words`--infracost ${costs("a", [...amounts], more)} --policy ${policy("increase: 100 USD")}`,
    );
    expect(report.totals[0].state).toBe(state);
    expect([code, verdict.kind, conclusion]).toEqual([3, "undecided", "failure"]);
  });
});

describe("exit codes", () => {
  test.each([
    ["increase: 5 USD", "", 0, "success"],
    ["increase: 4.99 USD", "", 1, "failure"],
    ["increase: 4.99 USD", "    enforce: warn\n", 0, "neutral"],
    ["increase: 5 EUR", "", 3, "failure"],
    ["deletions: 0", "", 3, "failure"],
  ])("%s %s", async (...[limit, more, code, conclusion]) => {
    const files = words`--infracost ${costs("web", ["0", "5", "5"])} --policy ${policy(limit, more)}`;
    expect(await previewJson(...files)).toMatchObject({ code, conclusion });
  });

  test("a broken policy: every problem with its place, nothing on the standard output", async () => {
    const broken = file(
      "broken.yml",
      "version: 1\nrules:\n  - id: a\n    limit: { increas: 5 USD }\n  - limit: {}\n",
    );
    const { code, results, messages } = await preview(...words`--infracost ${CHEAPER()} --policy ${broken}`);
    expect([code, results]).toEqual([2, ""]);
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) expect(message).toMatch(/broken\.yml:\d+:\d+ /);
  });
});

describe("plans and estimates side by side", () => {
  const stages = async (...line: readonly string[]) =>
    (await previewJson(...line)).report.stages.map(({ workspace, currency, changes }: Stage) => [
      ...[workspace, currency, changes?.added ?? null],
    ]);
  const two = () =>
    file(
      "two.json",
      estimate([project("envs/prod", ["1", "1", "0"]), project("dev", ["1", "1", "0"])], ["2", "2", "0"]),
    );

  test("join by the project's path or name, in whatever order they are given", async () => {
    const dev = file("dev.json", planOf({}, { address: "cloud_disk.b" }));
    const line = words`--plan ${dev} --plan ${file("prod.json", planOf({}))} --infracost ${two()}`;
    expect(await stages(...line)).toEqual([
      ["envs/prod", "USD", 1],
      ["dev", "USD", 2],
    ]);
  });

  test("a plan of no known project is a stage of its own and takes nothing from the totals", async () => {
    const other = words`--infracost ${two()} --plan ${file("other.json", planOf({}))}`;
    const { report, messages } = await previewJson(...other);
    const { totals, changes, stages } = report;
    expect([totals[0].current, totals[0].state, changes.added, stages.length]).toEqual(["2", "known", 1, 3]);
    expect(messages).toEqual([expect.stringContaining("other.json: no project")]);
  });

  test("a plan of no known project that forgets a resource leaves the total unknown: it is still paid for", async () => {
    const forgets = {
      ...resourceChange({ address: "aws_instance.a", actions: ["forget"] }),
      type: "aws_instance",
    };
    const other = file("other.json", plan({ resource_changes: [forgets] }));
    const line = words`--infracost ${two()} --plan ${other} --policy ${policy("total: 100 USD")}`;
    const { code, report } = await previewJson(...line);
    expect([code, report.totals[0].state]).toEqual([3, "partial"]);
    expect(report.stages.at(-1).problems).toEqual([
      "the plan forgets aws_instance.a which is still paid for, and the estimate has no price of it: it does not have the state before",
    ]);
  });

  test("plans alone have no cost, which is unknown and not zero; a failed one has no known changes", async () => {
    const plans = words`--plan ${file("a.tfplan.json", planOf({}))} --plan ${file("plan.json", planOf())}`;
    expect(await stages(...plans)).toEqual([
      ["a", null, 1],
      [expect.stringContaining("tollgate cli "), null, 0],
    ]);
    const failed = file("a.json", plan({ errored: true, resource_changes: [resourceChange()] }));
    expect(await stages("--plan", failed)).toEqual([["a", null, null]]);
  });
});

describe("resources that are paid by usage", () => {
  const usage =
    "version: 1\nrules:\n  - { id: increase, limit: { increase: 0 USD } }\n  - { id: usage, limit: { usage: 0 } }\n";

  test("that are new and have no usage are not passed as no change", async () => {
    const metered = file("metered.json", meteredEstimate({ after: [API, TABLE, FUNCTION, BUCKET] }));
    const by = policy("increase: 0 USD");
    expect(await previewJson(...words`--infracost ${metered} --policy ${by}`)).toMatchObject({
      code: 3,
      report: { usage: { after: 4, introduced: 4 } },
      verdict: { kind: "undecided", findings: [{ because: [{ kind: "usage", count: 4 }] }] },
    });
    const explained = await typed(words`policy explain --infracost ${metered} --policy ${by}`);
    expect(explained.results).toMatch(
      /not known: 4 created or changed resources \(shop: .*\) are paid by usage/,
    );
  });

  test("are split into old and new ones by the plan where the estimate has no past", async () => {
    const noPast = meteredEstimate(
      { after: [API, FUNCTION] },
      { pastBreakdown: null },
      { pastTotalMonthlyCost: "0" },
    );
    const changes = planOf(
      { address: API.name, actions: ["no-op"] },
      { address: FUNCTION.name, actions: ["update"] },
    );
    const files = words`--infracost ${file("metered.json", noPast)} --plan ${file("plan.json", changes)}`;
    const { verdict } = await previewJson(...files, "--policy", file("usage.yml", usage));
    const found = verdict.findings.find(({ rule }: { rule: string }) => rule === "usage");
    expect(found).toMatchObject({ outcome: "violated", items: [`shop: ${FUNCTION.name}`] });
  });
});

describe("no format shows a sensitive value of the plan", () => {
  const secret = "s3cr3t-p4ssw0rd";
  const sensitive = { before: { key: secret, name: `x-${secret}` }, before_sensitive: { key: true } };

  test.each(["comment", "check", "json"])("%s", async (format) => {
    const address = `cloud_disk.data[${JSON.stringify(secret)}]`;
    const components = [{ name: `Disk ${secret}`, monthlyCost: "5" }];
    const costly = {
      totalMonthlyCost: "5",
      resources: [{ name: address, monthlyCost: "5", costComponents: components }],
    };
    const owner = {
      ...{ name: secret, metadata: { errors: [{ message: `cannot use ${secret}` }] } },
      ...{ pastBreakdown: { totalMonthlyCost: "0", resources: [] }, breakdown: costly, diff: costly },
    };
    const used = { ...FUNCTION, name: `aws_lambda_function.worker[${JSON.stringify(secret)}]` };
    const changes = plan({
      resource_changes: [
        resourceChange({ address, actions: ["delete"], ...sensitive }),
        resourceChange({ address: used.name, actions: ["update"], ...sensitive }),
      ],
    });
    for (const costs of [estimate([owner], ["0", "5", "5"]), meteredEstimate({ after: [used] })]) {
      const files = words`--plan ${file("plan.json", changes)} --infracost ${file("c.json", costs)}`;
      const { code, results, messages } = await preview(...files, "--format", format);
      expect(code).toBe(0);
      expect(results.length).toBeGreaterThan(50);
      expect(results + messages.join("\n")).not.toContain(secret);
    }
  });
});

test("outputs that change are listed with their values, escaped; sensitive ones and those known after apply by name", async () => {
  const canary = "kestrel-94c1-sings";
  const output = (actions: readonly string[], before: unknown, after: unknown, more: object = {}) => ({
    ...{ actions, before, after, after_unknown: false, before_sensitive: false, after_sensitive: false },
    ...more,
  });
  const output_changes = {
    same: output(["no-op"], "a", "a"),
    url: output(["update"], "http://old", "a`b|<b>@team"),
    gone: output(["delete"], canary, null),
    later: output(["create"], null, null, { after_unknown: true }),
    both: output(["create"], null, null, { after_unknown: true, after_sensitive: true }),
    marked: output(["create"], null, canary, { after_sensitive: true }),
    was_marked: output(["update"], canary, canary, { before_sensitive: true }),
    part: output(["create"], null, { id: canary, size: 1 }, { after_sensitive: { id: true } }),
    db_password: output(["create"], null, "hunter-kestrel"),
    address: output(["create"], null, "postgres://u:hunter-kestrel@h/db"),
    hosts: output(["create"], null, ["a", "b"]),
    ...Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`x${at}`, output(["create"], null, at)])),
  };
  const words = ["--plan", file("plan.json", plan({ output_changes }))];
  const { results } = await preview(...words);
  expect(/Outputs that change:\n\n([\s\S]*?)\n\n/.exec(results)?.[1]?.split("\n")).toEqual([
    "- deleted `gone`",
    "- changed `url`: ``a`b\\|<b>@team``",
    "- changed `was_marked`: (sensitive)",
    "- created `address`: (sensitive)",
    "- created `both`: (sensitive)",
    "- created `db_password`: (sensitive)",
    "- created `hosts`: 2 items",
    "- created `later`: known after apply",
    "- created `marked`: (sensitive)",
    "- created `part`: (sensitive)",
    "- 3 more outputs",
  ]);
  const json = await previewJson(...words);
  expect(json.report.stages[0].outputs).toHaveLength(13);
  expect(results + JSON.stringify(json)).not.toMatch(/kestrel/);
});

describe("the comment and the check", () => {
  test("are what a pull request would show, and files are of no commit, so none is named", async () => {
    const { results } = await preview("--infracost", CHEAPER());
    expect(results).toContain("| `web` |");
    expect(results).toContain("<sub>Into `main` · Figures from ");
    expect(results).not.toContain("00000000");
    const files = words`--infracost ${CHEAPER()} --policy ${policy("increase: 1 USD")}`;
    const check = await preview(...files, ...words`--format check --base release`);
    expect(check.results.split("\n")[0]).toBe("tollgate: release  success");
  });

  test("name who must approve each rule; the conclusion waits for nobody where another rule blocks", async () => {
    const approved = (limit: string) =>
      file(
        "approved.yml",
        `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 2 USD }
    approve:
      all: [{ teams: [finops], count: 2 }, { users: [ivan] }]
  - { id: hard, limit: { increase: ${limit} USD } }
`,
      );
    const files = (limit: string) =>
      words`--infracost ${costs("web", ["10", "12.50", "2.50"])} --policy ${approved(limit)}`;
    for (const format of ["comment", "check"])
      expect((await preview(...files("900"), "--format", format)).results).toContain(
        "- ✍️ `monthly-increase` still needs 2 approvals from `finops`, and 1 approval from `ivan`",
      );
    const groups = [
      { users: [], teams: ["finops"], permission: null, lacks: 2 },
      { users: ["ivan"], teams: [], permission: null, lacks: 1 },
    ];
    expect(await previewJson(...files("900"))).toMatchObject({
      ...{ code: 1, conclusion: "action_required" },
      verdict: { kind: "block", missing: [{ rule: "monthly-increase", groups }] },
    });
    expect((await previewJson(...files("1"))).conclusion).toBe("failure");
  });

  test.each([
    ["a limit on changes without a plan", "limit: { deletions: 2 }", "Give the plan as well."],
    [
      "a fact that only a pull request has",
      "limit: { anomalies: 0 }",
      "Some facts exist only for a pull request, not for a local preview.",
    ],
    [
      "a condition on labels",
      "when: 'pull.labels.exists(l, l == \"x\")'",
      "Some facts exist only for a pull request, not for a local preview.",
    ],
  ])("say of %s what is missing, and wait for no push", async (_, rule, says) => {
    const by = file("missing.yml", `version: 1\nrules: [{ id: r, ${rule} }]\n`);
    const { code, results } = await preview(...words`--infracost ${CHEAPER()} --policy ${by}`);
    expect(code).toBe(3);
    expect(results).toContain(says);
    expect(results).not.toMatch(/next push|Re-check|tollgate approve/);
  });

  test("an estimate that leaves something open is no matter of a pipeline there", async () => {
    const half = costs("web", ["1", "2", "1"], { metadata: { errors: [{ message: "no" }] } });
    const files = words`--infracost ${half} --policy ${policy("increase: 0 USD")}`;
    const { code, results } = await preview(...files);
    expect(code).toBe(3);
    expect(results).toContain("- The estimate is missing or incomplete. Give one that covers all of it.");
  });
});
