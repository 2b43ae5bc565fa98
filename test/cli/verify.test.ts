import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseTolerance, verifyCommand } from "../../src/cli/commands/verify.ts";
import { decimal } from "../../src/kernel/money.ts";
import type { ApplyResult } from "../../src/policy/model/apply.ts";
import { describeApply } from "../../src/render/apply-result.ts";
import { readPlans } from "../../src/wiring/verify/read-plans.ts";
import { inPieces, utf8 } from "../plan-files/bytes.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { type ChangeGiven, plan, planOf } from "../plan-files/plan-builder.ts";
import { typed } from "./run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));
const PLAN = join(folder, "plan.json");
writeFileSync(PLAN, JSON.stringify(plan()));

writeFileSync(join(folder, "text.json"), "no plan");

const SHA = "a".repeat(40);
const JOB = { GITHUB_REPOSITORY: "acme/shop", GITHUB_SHA: SHA };
const SERVER = { TOLLGATE_URL: "http://127.0.0.1:1", TOLLGATE_TOKEN: "tg" };

it("a tolerance is read exactly, as a percentage or as an amount", () => {
  expect(parseTolerance("5%")).toEqual({ kind: "percent", percent: "5" });
  expect(parseTolerance("0.10 %")).toEqual({ kind: "percent", percent: "0.1" });
  const amount = { amount: "50.05", currency: "USD" };
  expect(parseTolerance("50.05 USD")).toEqual({ kind: "amount", amount });
  for (const text of ["5", "-5%", "5 USD ", "5,5%", "1e3 USD", "50 usd", "50 XXQ", "NaN%"])
    expect(() => parseTolerance(text)).toThrow(`--tolerance ${JSON.stringify(text)}: expected a percentage`);
});

describe("tollgate verify ends with 2 and says what is wrong", () => {
  const comment = join(folder, "comment.json");
  writeFileSync(comment, JSON.stringify({ issue: { number: 7, pull_request: {} } }));
  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ["without a plan", ["--infracost", PLAN], JOB, /give the plan that is applied/],
    [
      "with a plan that is none",
      ["--plan", join(folder, "text.json")],
      JOB,
      /is not recognised|is no JSON|JSON/,
    ],
    ["without a server and a token", ["--plan", PLAN], JOB, /neither a server nor a token for GitHub/],
    ["with a token and without its server", ["--plan", PLAN], { ...JOB, TOLLGATE_TOKEN: "tg" }, /no address/],
    [
      "with a server that is no address",
      ["--plan", PLAN],
      { ...JOB, ...SERVER, TOLLGATE_URL: "x" },
      /TOLLGATE_URL/,
    ],
    ["with a tolerance and without a server", ["--plan", PLAN, "--tolerance", "5%"], JOB, /needs a server/],
    ["without a repository", ["--plan", PLAN], { GITHUB_SHA: SHA }, /--repository is missing/],
    ["without a commit", ["--plan", PLAN], { GITHUB_REPOSITORY: "acme/shop" }, /The commit is not known/],
    [
      "for a comment, whose job is on the default branch",
      ["--plan", PLAN],
      { ...JOB, GITHUB_EVENT_NAME: "issue_comment", GITHUB_EVENT_PATH: comment },
      /--sha is missing/,
    ],
    [
      "with a tolerance that is none",
      ["--plan", PLAN, "--tolerance=5"],
      JOB,
      /expected a percentage such as 5%, or/,
    ],
  ])("%s", async (_, words, environment, said) => {
    const row = { name: "verify", summary: "", load: async () => verifyCommand(() => environment) };
    const { code, messages, results } = await typed(["verify", ...words], [row]);
    expect([code, results, messages.join("\n")]).toEqual([2, "", expect.stringMatching(said)]);
  });
});

describe("the plan that is applied has", () => {
  const reads = async (document: object, cost?: object) => {
    const file = (content: object) => ({ file: "f.json", bytes: inPieces(utf8(JSON.stringify(content))) });
    const estimated = cost === undefined ? null : file(cost);
    const named = [{ workspace: "prod", stage: null, plan: file(document), estimate: estimated }];
    const { plans } = await readPlans({ estimates: [], plans: [], named });
    return plans[0] ?? expect.fail("no plan was read");
  };

  it("each action on a managed resource, an import beside a change, and neither moves nor reads", async () => {
    const changes: readonly ChangeGiven[] = [
      { address: "a.created" },
      { address: "a.changed", actions: ["update"] },
      { address: "a.deleted", actions: ["delete"] },
      { address: "a.replaced", actions: ["create", "delete"] },
      { address: "a.forgotten", actions: ["forget"] },
      { address: "a.imported", actions: ["update"], importing: {} },
      { address: "a.moved", actions: ["no-op"], previous_address: "a.old" },
      { address: "a.same", actions: ["no-op"] },
      { address: "data.a.read", mode: "data", actions: ["read"] },
    ];
    const { changes: found, ...rest } = await reads(planOf(...changes));
    expect(found.map(({ address, action }) => `${address} ${action}`).sort()).toEqual([
      "a.changed changed",
      "a.created added",
      "a.deleted deleted",
      "a.forgotten removed",
      "a.imported changed",
      "a.imported imported",
      "a.replaced replaced",
    ]);
    expect(rest).toMatchObject({ isComplete: true, cost: { state: "not_estimated" } });
  });

  it.each<[string, object]>([
    ["that failed", plan({ errored: true })],
    ["with targets", plan({ complete: false })],
    ["with deferred changes", plan({ deferred_changes: [{ reason: "provider_config_unknown" }] })],
  ])("an open end %s", async (_, document) => {
    expect(await reads(document)).toMatchObject({ isComplete: false });
  });

  it("the amounts of its estimate, which are unknown where a part of it failed", async () => {
    const update = planOf({ actions: ["update"] });
    const priced = estimate([project("web", ["10", "30", "20"])], ["10", "30", "20"]);
    expect(await reads(update, priced)).toEqual({
      workspace: "prod",
      cost: { state: "known", currency: "USD", before: "10", after: "30", change: "20" },
      changes: [{ address: "cloud_disk.data", action: "changed", before: "10", after: "30" }],
      isComplete: true,
    });
    const failed = estimate(
      [project("web", ["10", "30", "20"], { metadata: { errors: [{ message: "no" }] } })],
      ["10", "30", "20"],
    );
    expect(await reads(update, failed)).toMatchObject({ cost: { state: "unknown" } });
  });
});

describe("what the apply gate says", () => {
  const WITHIN: ApplyResult = { kind: "within", cost: "compared" };
  const UNDECIDED: ApplyResult = { kind: "undecided", because: ["incomplete_plan"] };
  const EXCEEDS: ApplyResult = {
    kind: "exceeds",
    differences: [
      { kind: "action", address: 'cloud_disk.a["|<b>"]', expected: ["changed"], found: "replaced" },
      { kind: "action", address: "cloud_disk.b", expected: [], found: "removed" },
      {
        ...{ kind: "cost", currency: "USD", expected: decimal("-10") },
        ...{ allowed: decimal("40"), found: decimal("40.01") },
      },
    ],
    more: 2,
  };
  const PAGE = "https://tollgate.example.com/acme/shop/pull/7";
  const says = (...results: readonly ApplyResult[]) =>
    describeApply(
      results.map((result) => ({
        workspace: "prod",
        result,
        pulls: [7],
        uncounted: [],
        unchecked: [],
        page: PAGE,
      })),
    );

  it.each<[number, string, readonly ApplyResult[]]>([
    [0, "every workspace is within", [WITHIN, WITHIN]],
    [1, "one exceeds", [WITHIN, UNDECIDED, EXCEEDS]],
    [3, "one is undecided", [WITHIN, UNDECIDED]],
    [3, "there is none", []],
  ])("ends with %i where %s", (code, _, results) => {
    expect(says(...results).exitCode).toBe(code);
  });

  it("names each difference with address, evaluated and found, and nothing of it acts in Markdown", () => {
    const { lines, markdown, json } = says(EXCEEDS);
    expect(lines).toMatchInlineSnapshot(`
      [
        "prod: the apply exceeds what was evaluated (#7)",
        "  cloud_disk.a["|<b>"]: replaced; evaluated: changed",
        "  cloud_disk.b: no longer managed; evaluated: no change",
        "  cost per month: +40.01 USD; evaluated: -10 USD; with the tolerance +40 USD",
        "  and 2 more differences",
        "  https://tollgate.example.com/acme/shop/pull/7",
      ]
    `);
    expect(markdown).toMatchInlineSnapshot(`
      "### ⛔ Apply gate: more than was evaluated

      [\`prod\`](https://tollgate.example.com/acme/shop/pull/7): the apply exceeds what was evaluated.

      | | Evaluated | Found |
      |:--|:--|:--|
      | \`cloud_disk.a["\\|<b>"]\` | \`changed\` | \`replaced\` |
      | \`cloud_disk.b\` | \`no change\` | \`no longer managed\` |
      | \`cost per month\` | \`-10 USD; with the tolerance +40 USD\` | \`+40.01 USD\` |

      and 2 more differences"
    `);
    expect(json).toMatchObject({
      result: "exceeds",
      workspaces: [{ workspace: "prod", pull_requests: [7] }],
    });
  });
});
