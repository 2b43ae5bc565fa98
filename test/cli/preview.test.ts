import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, planOf, resourceChange } from "../plan-files/plan-builder.ts";
import { typed } from "./run-command.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate preview "));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Leaves a file and returns its path. */
function file(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const CHEAPER = estimate(
  [project("web", ["1300.04", "740.5", "-559.54"]), project("db", ["3", "2.14", "-0.86"])],
  ["1303.04", "742.64", "-560.4"],
);

const policy = (limit: string, more = ""): string =>
  file("tollgate.yml", `version: 1\nrules:\n  - id: rule\n    limit: { ${limit} }\n${more}`);

test("preview refuses the state before and after as two files, and says how to compare them", async () => {
  const state = (price: string) =>
    estimate(
      [project("web", [price, price, "0"], { metadata: { type: "terraform_dir" } })],
      [price, price, "0"],
      {
        metadata: { infracostCommand: "breakdown" },
      },
    );
  const [base, head] = [file("base.json", state("5")), file("head.json", state("500"))];
  const ended = await typed(["preview", "--infracost", base, "--infracost", head]);
  expect(ended.code).toBe(2);
  expect(ended.messages.join("\n")).toContain(
    `${base} and ${head} are two estimates of web, and neither is compared with the other`,
  );
  expect(ended.messages.join("\n")).toContain("infracost diff --compare-to");
});

describe("preview as JSON", () => {
  test("of an estimate, a plan and a policy", async () => {
    const costs = file(
      "costs.json",
      estimate([project("web", ["10", "12.50", "2.50"])], ["10", "12.50", "2.50"]),
    );
    const changes = file(
      "plan.json",
      planOf({ actions: ["delete", "create"] }, { address: "cloud_disk.b", actions: ["no-op"] }),
    );
    const ended = await typed([
      "preview",
      "--infracost",
      costs,
      "--plan",
      changes,
      "--policy",
      policy("increase: 2 USD"),
      "--json",
    ]);
    expect(ended).toMatchObject({ code: 1, messages: [] });
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
    expect(JSON.parse(ended.results)).toMatchObject({
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
    const costs = estimate([project("web", ["1", "2", "1"], { summary: null })], ["1", "2", "1"]);
    const { code, results } = await typed([
      "preview",
      "--infracost",
      file("costs.json", costs),
      "--policy",
      policy("unpriced: 0"),
      "--json",
    ]);
    const { report, verdict } = JSON.parse(results);
    expect([code, report.unpriced, verdict.kind]).toEqual([3, null, "undecided"]);
  });

  test("one plan for each estimate file is joined by the order given, with a note, and all changes are known", async () => {
    const costs = ["a", "b"].flatMap((name) => [
      "--infracost",
      file(`${name}.json`, estimate([project(name, ["1", "2", "1"])], ["1", "2", "1"])),
    ]);
    const plans = ["x", "y"].flatMap((name) => [
      "--plan",
      file(`${name}.json`, planOf({ actions: ["delete"] })),
    ]);
    const { code, results, messages } = await typed([
      ...["preview", ...costs, ...plans],
      ...["--policy", policy("deletions: 2"), "--json"],
    ]);
    const { report } = JSON.parse(results);
    expect([code, report.changes.deleted, report.changes_are_complete]).toEqual([0, 2, true]);
    expect(report.stages.map(({ workspace }: { workspace: string }) => workspace)).toEqual(["a", "b"]);
    expect(messages.map((message) => message.replaceAll(`${folder}/`, ""))).toEqual([
      "note: x.json: taken as the plan of a.json, by the order given",
      "note: y.json: taken as the plan of b.json, by the order given",
    ]);
  });

  test("a limit on changes without a plan says what is missing", async () => {
    const costs = file("costs.json", CHEAPER);
    const { code, results } = await typed([
      "preview",
      "--infracost",
      costs,
      "--policy",
      policy("deletions: 2"),
    ]);
    expect(code).toBe(3);
    expect(results).toContain("Which resources change is not known: no plan was given.");
    expect(results).toContain("Give the plan as well.");
  });

  test("files are of no commit, so none is named", async () => {
    const { results } = await typed(["preview", "--infracost", file("costs.json", CHEAPER)]);
    expect(results).toContain("<sub>Into `main` · Figures from ");
    expect(results).not.toContain("00000000");
  });

  test("without a plan and without a policy says null, not zero and not pass", async () => {
    const { code, results } = await typed([
      "preview",
      "--infracost",
      file("costs.json", CHEAPER),
      "--format",
      "json",
    ]);
    const { report, verdict, conclusion } = JSON.parse(results);
    expect([code, report.changes, verdict, conclusion]).toEqual([0, null, null, null]);
    const [total] = report.totals;
    expect(total).toMatchObject({
      currency: "USD",
      previous: "1303.04",
      current: "742.64",
      change: "-560.4",
      percent: -43.01,
      state: "known",
    });
    expect(report.stages.map(({ workspace }: { workspace: string }) => workspace)).toEqual(["web", "db"]);
  });

  test("several files: sums per currency, never across", async () => {
    const euros = file(
      "eu.json",
      estimate([project("eu", ["1", "2", "1"])], ["1", "2", "1"], { currency: "EUR" }),
    );
    const again = file(
      "again.json",
      estimate([project("web", ["0", "0.36", "0.36"])], ["0", "0.36", "0.36"]),
    );
    const { results } = await typed([
      "preview",
      "--infracost",
      file("a.json", CHEAPER),
      "--infracost",
      euros,
      "--infracost",
      again,
      "--json",
    ]);
    const { totals, stages } = JSON.parse(results).report;
    const sums = totals.map(({ currency, current }: { currency: string; current: string }) => [
      currency,
      current,
    ]);
    expect(sums).toEqual([
      ["USD", "743"],
      ["EUR", "2"],
    ]);
    expect(stages.map(({ workspace }: { workspace: string }) => workspace)).toEqual([
      "web",
      "db",
      "eu",
      "web #2",
    ]);
  });

  const STATES: readonly (readonly [string, object])[] = [
    [
      "partial",
      estimate(
        [project("a", ["1", "2", "1"], { metadata: { errors: [{ message: "no" }] } })],
        ["1", "2", "1"],
      ),
    ],
    ["inconsistent", estimate([project("a", ["1", "2", "1"])], ["1", "5", "4"])],
    ["inconsistent", estimate([project("a", ["1", "2", "9"])], ["1", "2", "9"])],
    [
      "inconsistent",
      estimate(
        [project("a", ["1", "2", "1"], { breakdown: { totalMonthlyCost: "2", resources: [] } })],
        ["1", "2", "1"],
      ),
    ],
    [
      "partial",
      {
        version: "0.2",
        projects: [{ name: "a", breakdown: { totalMonthlyCost: "2" } }],
        totalMonthlyCost: "2",
      },
    ],
  ];

  test.each(STATES)("figures that are %s make cost rules undecided", async (state, document) => {
    const costs = file("costs.json", document);
    const { code, results } = await typed([
      "preview",
      "--infracost",
      costs,
      "--policy",
      policy("increase: 100 USD"),
      "--json",
    ]);
    const { report, verdict, conclusion } = JSON.parse(results);
    expect(report.totals[0].state).toBe(state);
    expect([code, verdict.kind, verdict.findings[0].outcome, conclusion]).toEqual([
      3,
      "undecided",
      "undecided",
      "failure",
    ]);
  });
});

describe("exit codes", () => {
  const costs = () => file("costs.json", estimate([project("web", ["0", "5", "5"])], ["0", "5", "5"]));

  test.each([
    ["increase: 5 USD", "", 0, "success"],
    ["increase: 4.99 USD", "", 1, "failure"],
    ["increase: 4.99 USD", "    enforce: warn\n", 0, "neutral"],
    ["increase: 5 EUR", "", 3, "failure"],
    ["deletions: 0", "", 3, "failure"],
  ])("%s %s", async (...[limit, more, code, conclusion]) => {
    const ended = await typed(["preview", "--infracost", costs(), "--policy", policy(limit, more), "--json"]);
    expect([ended.code, JSON.parse(ended.results).conclusion]).toEqual([code, conclusion]);
  });

  test("a broken policy: every problem with its place, nothing on the standard output", async () => {
    const broken = file(
      "tollgate.yml",
      "version: 1\nrules:\n  - id: a\n    limit: { increas: 5 USD }\n  - limit: {}\n",
    );
    const { code, results, messages } = await typed(["preview", "--infracost", costs(), "--policy", broken]);
    expect([code, results]).toEqual([2, ""]);
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) expect(message).toMatch(/tollgate\.yml:\d+:\d+ /);
  });
});

describe("plans and estimates side by side", () => {
  const workspaces = async (words: readonly string[]) => {
    const { results } = await typed(["preview", ...words, "--json"]);
    type Stage = { workspace: string; currency: string | null; changes: { added: number } | null };
    return JSON.parse(results).report.stages.map(({ workspace, currency, changes }: Stage) => [
      workspace,
      currency,
      changes?.added ?? null,
    ]);
  };
  const two = () =>
    file(
      "costs.json",
      estimate([project("envs/prod", ["1", "1", "0"]), project("dev", ["1", "1", "0"])], ["2", "2", "0"]),
    );

  test("join by the project's path or name, in whatever order they are given", async () => {
    const words = [
      "--plan",
      file("dev.json", planOf({}, { address: "cloud_disk.b" })),
      "--plan",
      file("prod.json", planOf({})),
    ];
    expect(await workspaces([...words, "--infracost", two()])).toEqual([
      ["envs/prod", "USD", 1],
      ["dev", "USD", 2],
    ]);
  });

  test("a plan of no known project is a stage of its own and takes nothing from the totals", async () => {
    const words = ["preview", "--infracost", two(), "--plan", file("other.json", planOf({})), "--json"];
    const { results, messages } = await typed(words);
    const { totals, changes, stages } = JSON.parse(results).report;
    expect([totals[0].current, totals[0].state, changes.added, stages.length]).toEqual(["2", "known", 1, 3]);
    expect(messages).toEqual([expect.stringContaining("other.json: no project")]);
  });

  test("plans alone have no cost, which is unknown and not zero", async () => {
    expect(
      await workspaces(["--plan", file("a.tfplan.json", planOf({})), "--plan", file("plan.json", planOf())]),
    ).toEqual([
      ["a", null, 1],
      [expect.stringContaining("tollgate preview "), null, 0],
    ]);
  });

  test("a failed plan has no known changes", async () => {
    expect(
      await workspaces([
        "--plan",
        file("a.json", plan({ errored: true, resource_changes: [resourceChange()] })),
      ]),
    ).toEqual([["a", null, null]]);
  });
});

test("no format shows a sensitive value, from the plan or from the estimate of the same code", async () => {
  const secret = "s3cr3t-p4ssw0rd";
  const address = `cloud_disk.data[${JSON.stringify(secret)}]`;
  const change = resourceChange({
    address,
    actions: ["delete"],
    before: { key: secret, name: `x-${secret}` },
    before_sensitive: { key: true },
  });
  const costly = {
    totalMonthlyCost: "5",
    resources: [
      { name: address, monthlyCost: "5", costComponents: [{ name: `Disk ${secret}`, monthlyCost: "5" }] },
    ],
  };
  const none = { totalMonthlyCost: "0", resources: [] };
  const owner = {
    name: secret,
    metadata: { errors: [{ message: `cannot use ${secret}` }] },
    pastBreakdown: none,
    breakdown: costly,
    diff: costly,
  };
  const files = [
    "--plan",
    file("plan.json", plan({ resource_changes: [change] })),
    "--infracost",
    file("c.json", estimate([owner], ["0", "5", "5"])),
  ];
  for (const format of ["comment", "check", "json"]) {
    const { code, results, messages } = await typed(["preview", ...files, "--format", format]);
    expect(code).toBe(0);
    expect(results.length).toBeGreaterThan(50);
    expect(results + messages.join("\n")).not.toContain(secret);
  }
});

test("the comment and the check are what a pull request would show", async () => {
  const costs = file("costs.json", CHEAPER);
  expect((await typed(["preview", "--infracost", costs])).results).toContain("| `web` |");
  const check = await typed([
    "preview",
    "--infracost",
    costs,
    "--format",
    "check",
    "--policy",
    policy("increase: 1 USD"),
    "--base",
    "release",
  ]);
  expect(check.results.split("\n")[0]).toBe("tollgate: release  success");
});
