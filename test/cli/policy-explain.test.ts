import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatExplanation } from "../../src/cli/commands/policy-explain.ts";
import { readSettings } from "../../src/settings/read.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { readStoredEvaluation } from "../../src/wiring/local-store.ts";
import { getStoreLocation } from "../../src/wiring/process/store-session.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, planOf, resourceChange } from "../plan-files/plan-builder.ts";
import { evaluatedSituation, evaluation, finding } from "../render/evaluation-builder.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path: folder } = createFolder();

const costs = () =>
  file("costs.json", estimate([project("web", ["10", "700", "690"])], ["10", "700", "690"]));
const policy = (rules: string) => file("tollgate.yml", `version: 1\nrules:\n${rules}`);
const explain = (...more: readonly string[]) =>
  typed(["policy", "explain", "--infracost", costs(), "--policy", join(folder, "tollgate.yml"), ...more]);

describe("policy explain of local files", () => {
  test("says which rule decided, and by which value", async () => {
    policy(`  - { id: monthly, limit: { increase: 500 USD }, per: stage, message: ask first }
  - { id: change, when: cost.change > 600 , enforce: warn }
  - { id: total, limit: { total: 9000 USD } }
  - { id: elsewhere, limit: { total: 1 USD }, scope: { branches: [release] } }
  - { id: misspelt, limit: { total: 1 USD }, scope: { workspaces: [wbe] } }
  - { id: growth, when: cost.change > 9000 }
`);
    const { code, results, messages } = await explain();
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [
        "note: misspelt: not applicable to these files, whose workspace is not known; name it with --workspace",
      ],
    });
    expect(results).toMatchInlineSnapshot(`
      "tollgate: main: failure, evaluated: block

      Decided by
        monthly (web): violated, blocks
          allowed: increase up to 500 USD
          found: 690 USD per month
          says: ask first
      Other rules
        change: violated, warns
          allowed: unless cost.change > 600
          found: the condition is true
        total: passed, lets it pass
          allowed: total up to 9000 USD
          found: 700 USD per month
        elsewhere: not applicable
          no base branch matches release; here: main
        misspelt: not applicable
          no workspace matches wbe; here: web (did you mean web?)
        growth: passed, lets it pass
          allowed: unless cost.change > 9000
          found: the condition is false, or nothing matches it"
    `);
  });

  test("says which required tags are missing or wrong", async () => {
    const create = (name: string, after: object, after_unknown: object = {}) => ({
      ...resourceChange({ address: `aws_sqs_queue.${name}`, after, after_unknown }),
      ...{ type: "aws_sqs_queue", name, provider_name: "registry.terraform.io/hashicorp/aws" },
    });
    const queues = [
      create("a", { tags: { Team: "x" } }),
      create("b", { tags: { team: "serach", app: "x" } }),
      create("c", { tags: { team: "money", app: "" } }),
      create("d", {}, { tags: true }),
    ];
    const tags = "tags: { required: [{ key: team, values: [search, web] }, { key: app }] }\n";
    const explainQueues = async (...changes: readonly object[]) => {
      policy(`  - { id: tagged, limit: { untagged: 0 } }\n${tags}`);
      const path = file("plan.json", plan({ resource_changes: changes }));
      return (await explain("--plan", path)).results;
    };
    expect(await explainQueues(...queues.slice(0, 3))).toMatchInlineSnapshot(`
      "tollgate: main: failure, evaluated: block

      Decided by
        tagged: violated, blocks
          allowed: untagged up to 0
          found: 3
          - web: aws_sqs_queue.a: team is missing (it has Team, another key), app is missing
          - web: aws_sqs_queue.b: team is "serach" (did you mean search?)
          - web: aws_sqs_queue.c: team is "money" (expected search, web), app is """
    `);
    expect(await explainQueues(...queues)).toMatchInlineSnapshot(`
      "tollgate: main: failure, evaluated: undecided

      Decided by
        tagged: undecided, leaves it undecided
          allowed: untagged up to 0
          not known: tags that are known only after the apply: web: aws_sqs_queue.d
          - web: aws_sqs_queue.a: team is missing (it has Team, another key), app is missing
          - web: aws_sqs_queue.b: team is "serach" (did you mean search?)
          - web: aws_sqs_queue.c: team is "money" (expected search, web), app is """
    `);
  });

  test("shows which stages each severity is for, so that a misspelt stage is visible", async () => {
    policy(
      `  - { id: staged, limit: { increase: 5 USD }, scope: { workspaces: ["w*"] }, enforce: { wbe: block, "w*": warn, "*": block } }\n`,
    );
    const { code, results } = await explain();
    expect(code).toBe(0);
    expect(results).toContain(`  staged: violated, warns
    scope: workspaces w*; evaluated: web of 1 stage
    enforce: wbe: block (no stage here); w*: warn (web); *: block (no stage here)
`);
  });

  test.each([
    ["  - { id: r, limit: { increase: 900 USD } }\n", 0, "pass"],
    ["  - { id: r, limit: { increase: 5 USD }, enforce: warn }\n", 0, "warn"],
    ["  - { id: r, limit: { increase: 5 USD } }\n", 1, "block"],
    ["  - { id: r, limit: { increase: 5 EUR } }\n", 3, "undecided"],
  ])("%s exits %i", async (rules, code, verdict) => {
    policy(rules);
    const ended = await explain("--json");
    expect(ended).toMatchObject({ code, messages: [] });
    expect(JSON.parse(ended.results)).toMatchObject({
      verdict,
      decidedBy: verdict === "pass" ? [] : ["r"],
      findings: [{ rule: "r", effect: verdict }],
    });
  });

  test("an expired waiver covers nothing", async () => {
    const rules = (until: string) =>
      `  - { id: r, limit: { increase: 5 USD } }\nwaivers: [{ rule: r, up_to: 900 USD, until: ${until}, reason: x, owner: o }]\n`;
    policy(rules("2020-01-01"));
    expect((await explain()).code).toBe(1);
    policy(rules("2999-01-01"));
    const { code, results } = await explain();
    expect(code).toBe(0);
    expect(results).toContain("waived: o owns the waiver (x)");
  });

  test.each([
    [
      [],
      "There is nothing to explain: give --infracost FILE, --plan FILE or both, or --repository and --number.",
    ],
    [["--plan", "p.json"], "--policy FILE is missing."],
    [["--repository", "a/b"], "--number NUMBER is missing."],
    [["--number", "5"], "--repository OWNER/NAME is missing."],
    [["--repository", "a/b", "--number", "x"], '--number takes a pull request\'s number, found "x".'],
    [
      ["--repository", "a/b", "--number", "5", "--plan", "p"],
      "--plan is about local files and does not go with --repository and --number.",
    ],
  ])("%j: %s", async (words, message) => {
    expect(await typed(["policy", "explain", ...words])).toMatchObject({
      code: 2,
      messages: [message, expect.any(String)],
    });
  });

  test("names what the plan leaves to a later one, as the JSON of a preview does", async () => {
    const resource_change = resourceChange({ address: "cloud_disk.later", actions: ["delete"] });
    const deferred_changes = [{ reason: "deferred_prereq", resource_change }];
    const files = ["--plan", file("later.json", plan({ complete: false, deferred_changes }))];
    policy("  - { id: kept, limit: { deletions: 0 } }\n");
    const { code, results } = await explain(...files);
    expect(code).toBe(3);
    expect(results).toContain("not known: the plan leaves out a part: cloud_disk.later");
    const { report } = JSON.parse((await typed(["preview", ...files, "--json"])).results);
    expect(report.stages).toMatchObject([
      { deferred: [{ address: "cloud_disk.later", change: "deleted" }], changes_are_complete: false },
    ]);
  });

  test("reports what is wrong with the policy", async () => {
    policy("  - { id: r }\n");
    expect(await explain("--plan", file("plan.json", planOf({ actions: ["delete"] })))).toMatchObject({
      code: 2,
      messages: [expect.stringContaining("has neither limit nor when")],
    });
  });
});

describe("policy explain of a pull request", () => {
  test("reads its newest evaluation from the store of this machine", async () => {
    const url = await usualDatabaseUrl();
    const settings = readSettings({ TOLLGATE_DATA: join(folder, "data"), DATABASE_URL: url ?? "" });
    const store = await openDatabase(getStoreLocation(settings), () => {});
    const now = new Date(0);
    const repository = {
      repository_id: 7,
      owner_login: "acme",
      name: "payments",
      owner_id: 1,
      installation_id: 1,
    };
    await saveRepository(store.db, repository, now);
    const fence = await enterLane(store.db, "pull:7:5", now);
    const made = evaluation({
      pull: { repositoryId: 7, number: 5 },
      situation: evaluatedSituation("block", [
        finding("monthly-increase"),
        finding("deletions", { enforce: "warn", enforceFromMs: Date.UTC(2027, 2, 1) }),
      ]),
      rulePlaces: [{ rule: "deletions", file: "f", line: 1, docs: "https://wiki.example/deletions" }],
      unshared: { name: "cost gate", because: "not_required" },
    });
    await saveEvaluation(store.db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now });
    await store.close();
    const found = await readStoredEvaluation(settings, { repository: "Acme/payments", number: 5 });
    const explained = formatExplanation(found).join("\n");
    expect(explained).toContain("Decided by\n  monthly-increase");
    expect(explained).toContain(
      "deletions: violated, warns, blocks from 2027-03-01 on\n    why: https://wiki.example/deletions\n",
    );
    expect(explained).toContain('not called "cost gate": GitHub does not require that name on this branch');
    expect(await readStoredEvaluation(settings, { repository: "7", number: 5 })).toEqual(found);
    for (const nowhere of [
      { repository: "acme/other", number: 5 },
      { repository: "acme/payments", number: 6 },
    ])
      await expect(readStoredEvaluation(settings, nowhere)).rejects.toMatchObject({ code: "usage" });
  });
});
