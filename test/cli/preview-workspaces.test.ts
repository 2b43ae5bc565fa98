import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { planOf } from "../plan-files/plan-builder.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path: folder } = createFolder();

const GROWN = () =>
  file(
    "costs.json",
    estimate([project("shop-infra/production", ["10", "700", "690"])], ["10", "700", "690"]),
  );
const CHEAP = () =>
  file("cheap.json", estimate([project("shop-infra/staging", ["1", "2", "1"])], ["1", "2", "1"]));
const DELETES = (name = "plan.json") =>
  file(name, planOf({ address: "cloud_disk.old", actions: ["delete"] }, { actions: ["update"] }));
const policy = (rule: string, more = "") =>
  file("tollgate.yml", `version: 1\n${more}\nrules: [{ id: r, ${rule} }]\n`);

/** What the preview of these words comes to. */
async function previewed(...line: readonly string[]) {
  const { code, results, messages } = await typed(["preview", ...line, "--json"]);
  if (results === "") return { code, messages, stages: [], findings: [] };
  const { report, verdict } = JSON.parse(results);
  const stages = report.stages.map(
    ({ workspace, name, change, state, changes }: Record<string, unknown>) => ({
      workspace,
      name,
      change,
      state,
      deleted: (changes as { deleted: number } | null)?.deleted ?? null,
    }),
  );
  return { code, messages, stages, findings: verdict?.findings ?? [] };
}

describe("the workspace of the files", () => {
  test("is named, so that a rule for production finds them", async () => {
    const rule = policy("limit: { increase: 100 USD }, scope: { workspaces: [production] }");
    const files = ["--infracost", GROWN(), "--plan", DELETES(), "--policy", rule];
    const unnamed = await previewed(...files);
    expect(unnamed).toMatchObject({
      code: 0,
      messages: [
        "note: r: not applicable to these files, whose workspace is not known; name it with --workspace",
      ],
      findings: [{ outcome: "not_applicable" }],
    });
    const named = await previewed(...files, "--workspace", "production");
    expect(named).toMatchObject({ code: 1, messages: [], findings: [{ outcome: "violated" }] });
    expect(named.stages).toEqual([
      { workspace: "production", name: "production", change: "690", state: "known", deleted: 1 },
    ]);
  });

  test("stands before its files where there are several", async () => {
    const { stages } = await previewed(
      ...["--workspace", "production", "--infracost", GROWN(), "--plan", DELETES("a/plan.json")],
      ...["--workspace", "staging", "--plan", DELETES("b/plan.json")],
      ...["--workspace", "dev", "--infracost", CHEAP()],
    );
    expect(stages).toEqual([
      { workspace: "production", name: "production", change: "690", state: "known", deleted: 1 },
      { workspace: "staging", name: "staging", change: null, state: "unknown", deleted: 1 },
      { workspace: "dev", name: "dev", change: "1", state: "known", deleted: null },
    ]);
  });

  test("can be named again for its second file", async () => {
    const { stages } = await previewed(
      ...["--workspace", "a", "--plan", DELETES(), "--workspace", "b", "--infracost", CHEAP()],
      ...["--workspace", "a", "--infracost", GROWN()],
    );
    expect(stages).toMatchObject([
      { workspace: "a", change: "690", deleted: 1 },
      { workspace: "b", change: "1" },
    ]);
  });

  test("gets its stage's name from the policy, or from --stage", async () => {
    const names = 'stages: [{ match: { workspace: "prod-*" }, name: production }]';
    const rule = policy("limit: { increase: 100 USD }, scope: { stages: [production] }", names);
    const files = ["--infracost", GROWN(), "--policy", rule];
    const byPolicy = await previewed(...files, "--workspace", "prod-eu");
    expect(byPolicy).toMatchObject({ code: 1, stages: [{ workspace: "prod-eu", name: "production" }] });
    const byName = await previewed(...files, "--workspace", "eu-1", "--stage", "production");
    expect(byName).toMatchObject({ code: 1, stages: [{ workspace: "eu-1", name: "production" }] });
    const alone = await previewed(...files, "--stage", "production");
    expect(alone).toMatchObject({ code: 1, stages: [{ workspace: "production", name: "production" }] });
  });

  test("may be called as its file is", async () => {
    const rule = policy("limit: { increase: 100 USD }, scope: { workspaces: [elsewhere] }");
    const costs = file("costs.json", estimate([project("x", ["10", "700", "690"])], ["10", "700", "690"]));
    const ended = await previewed("--infracost", costs, "--workspace", costs, "--policy", rule);
    expect(ended).toMatchObject({ code: 0, findings: [{ outcome: "not_applicable" }] });
  });

  test("with all projects of its estimate is one stage", async () => {
    const both = [project("web", ["1", "2", "1"]), project("db", ["3", "5", "2"])];
    const costs = file("both.json", estimate(both, ["4", "7", "3"]));
    expect((await previewed("--infracost", costs, "--workspace", "production")).stages).toMatchObject([
      { workspace: "production", change: "3", state: "known" },
    ]);
  });

  test.each([
    [
      ["--plan", "p.json", "--workspace", "a", "--plan", "q.json", "--workspace", "b"],
      "p.json stands before the first --workspace; with several, each --workspace names the files after it.",
    ],
    [
      ["--workspace", "a", "--plan", "p.json", "--plan", "q.json"],
      "The workspace a has two plans, p.json and q.json; it has one estimate and one plan at most.",
    ],
    [
      ["--workspace", "a", "--workspace", "b", "--plan", "p.json"],
      "The workspace a has no file: give --infracost FILE, --plan FILE or both after it.",
    ],
    [
      ["--workspace", "a", "--stage", "x", "--stage", "y", "--plan", "p"],
      "The workspace a has two names, x and y.",
    ],
  ])("%j: %s", async (words, message) => {
    expect(await previewed(...words)).toMatchObject({ code: 2, messages: [message, expect.any(String)] });
  });
});

describe("the pull request", () => {
  const ofPull = (scope: string, ...more: readonly string[]) =>
    previewed(
      ...["--infracost", GROWN(), "--workspace", "production", ...more],
      ...["--policy", policy(`limit: { increase: 100 USD }, scope: { ${scope} }`)],
    );

  test.each([
    ["authors: [alice]", ["--author", "Alice"], 1, "violated"],
    ["authors: [alice]", ["--author", "bob"], 0, "not_applicable"],
    ["labels: [cost]", ["--label", "x", "--label", "Cost"], 1, "violated"],
    ["labels: [cost]", ["--label", "x"], 0, "not_applicable"],
    ["labels: [cost]", ["--label", ""], 0, "not_applicable"],
    ['paths: ["infra/**"]', ["--path", "README.md", "--path", "infra/main.tf"], 1, "violated"],
    ['paths: ["infra/**"]', ["--path", "README.md"], 0, "not_applicable"],
    ["branches: [release]", ["--base", "release"], 1, "violated"],
    ["branches: [release]", [], 0, "not_applicable"],
  ])("scope %s with %j exits %i: %s", async (scope, words, ...[code, outcome]) => {
    expect(await ofPull(scope, ...words)).toMatchObject({ code, findings: [{ outcome }] });
  });

  test.each([
    ["authors: [alice]", "the author is not available in a local preview (give --author)"],
    ["labels: [cost]", "the labels are not available in a local preview (give --label)"],
    ['paths: ["infra/**"]', "the changed paths are not available in a local preview (give --path)"],
  ])("scope %s leaves a rule undecided where nobody says it", async (scope, words) => {
    const ended = await ofPull(scope);
    expect(ended).toMatchObject({ code: 3, findings: [{ outcome: "undecided" }] });
    const files = ["--infracost", GROWN(), "--policy", join(folder, "tollgate.yml")];
    const { results } = await typed(["policy", "explain", ...files]);
    expect(results).toContain(`not known: whether the rule applies to this pull request: ${words}`);
    expect((await typed(["preview", ...files])).results).toContain("whether it is for this pull request");
  });

  test("a rule that is met either way is met", async () => {
    const rule = policy("limit: { increase: 900 USD }, scope: { authors: [alice] }");
    expect(await previewed("--infracost", GROWN(), "--policy", rule)).toMatchObject({
      code: 0,
      findings: [{ outcome: "passed" }],
    });
  });

  test("is known to conditions as well", async () => {
    const rule = policy('when: pull.author == "bob" && "x" in pull.labels && pull.base == "main"');
    const files = ["--infracost", GROWN(), "--policy", rule];
    expect((await previewed(...files)).code).toBe(3);
    expect((await previewed(...files, "--author", "Bob", "--label", "x")).code).toBe(1);
  });
});

test("policy explain says what scoping decided", async () => {
  const rules = file(
    "scoped.yml",
    `version: 1
rules:
  - { id: prod, limit: { increase: 100 USD }, scope: { workspaces: ["prod*"], branches: [main] } }
  - { id: typo, limit: { increase: 100 USD }, scope: { workspaces: [prodution] } }
  - { id: bots, limit: { increase: 0 USD }, scope: { authors: ["renovate[bot]"] } }
`,
  );
  const files = words`--workspace production --infracost ${GROWN()} --workspace staging --infracost ${CHEAP()}`;
  const { code, results } = await typed(words`policy explain --policy ${rules} --author alice ${files}`);
  expect(code).toBe(1);
  expect(results).toMatchInlineSnapshot(`
    "tollgate: main: failure, evaluated: block

    Decided by
      prod: violated, blocks
        scope: branches main; workspaces prod*; evaluated: production of 2 stages
        allowed: increase up to 100 USD
        found: 690 USD per month
    Other rules
      typo: not applicable
        no workspace matches prodution; here: production, staging (did you mean production?)
      bots: not applicable
        no author matches renovate[bot]; here: alice"
  `);
});
