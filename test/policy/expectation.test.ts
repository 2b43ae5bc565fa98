import { describe, expect, test } from "vitest";
import { resolveCheckName } from "../../src/policy/decide-check.ts";
import { evaluateExpectation } from "../../src/policy/expectation.ts";
import { DEFAULT_EXPECTATION, parsePolicy } from "../../src/policy/file/parse.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import { selectApplicable } from "../../src/policy/scope/mismatch.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { stage } from "../report/facts.ts";
import { CONTEXT, policy } from "./policies.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SINCE = 1_000_000;

const EXPECTS = "expect: [{ paths: ['infra/**'], workspaces: [prod-*, staging], within: 30m }]";

type ExpectationParts = Partial<Parameters<typeof evaluateExpectation>[0] & EvaluationContext>;

function state(text: string, but: ExpectationParts = {}) {
  const context = { ...CONTEXT, paths: ["infra/main.tf"], ...but };
  return evaluateExpectation({
    expected: selectApplicable(context, policy(text).expect),
    stages: [],
    sinceMs: SINCE,
    nowMs: SINCE,
    ...but,
  });
}

const running = (workspace: string): StageFacts => stage({ workspace, status: "pending" });
const ran = (workspace: string, but: Partial<StageFacts> = {}): StageFacts => stage({ workspace, ...but });

describe("what the policy expects", () => {
  test("is waited for until the deadline, and no longer", () => {
    const missing = [
      { workspace: "prod-*", state: "missing" },
      { workspace: "staging", state: "missing" },
    ];
    const deadlineMs = SINCE + 30 * MINUTE;
    expect(state(EXPECTS)).toEqual({ state: "waiting", missing, deadlineMs });
    expect(state(EXPECTS, { nowMs: deadlineMs - 1 })).toEqual({ state: "waiting", missing, deadlineMs });
    expect(state(EXPECTS, { nowMs: deadlineMs })).toEqual({ state: "deadline_passed", missing });
  });

  test.each<[string, StageFacts[], string]>([
    ["all ended", [ran("prod-eu"), ran("staging")], "met"],
    ["all ended, one badly", [ran("prod-eu", { status: "failed" }), ran("staging")], "met"],
    ["one running", [ran("prod-eu"), ran("staging", { status: "pending" })], "waiting"],
    ["one of unknown fate", [ran("prod-eu"), ran("staging", { status: "unknown" })], "waiting"],
    ["one of a pattern running", [ran("prod-eu"), running("prod-us"), ran("staging")], "waiting"],
    ["one that nobody proves", [ran("prod-eu"), ran("staging", { proven: false })], "waiting"],
    ["another running", [ran("prod-eu"), ran("staging"), ran("dev", { status: "pending" })], "met"],
  ])("with %s: %s", (_, stages, expected) => {
    expect(state(EXPECTS, { stages }).state).toBe(expected);
  });

  test("says of each whether it is missing or running", () => {
    const pending = { workspace: "prod-*", state: "pending" };
    const missing = { workspace: "staging", state: "missing" };
    expect(state(EXPECTS, { stages: [running("prod-eu")] })).toMatchObject({ missing: [pending, missing] });
  });

  test("is nothing for other files, unless GitHub does not list all of them", () => {
    expect(state(EXPECTS, { paths: ["README.md"] }).state).toBe("not_expected");
    expect(state(EXPECTS, { paths: [] }).state).toBe("not_expected");
    const folder = EXPECTS.replace("infra/**", "infra");
    expect(state(folder, { paths: ["infra/main.tf"] }).state).toBe("waiting");
    expect(state(folder, { paths: ["infra.tf"] }).state).toBe("not_expected");
    expect(state(EXPECTS, { paths: ["README.md"], pathsComplete: false }).state).toBe("waiting");
  });

  const LOCK = "infra/.terraform.lock.hcl";
  test.each<[string, string, Partial<EvaluationContext>, string]>([
    ["of an excluded author", "authors: ['renovate[bot]']", { author: "renovate[bot]" }, "not_expected"],
    ["of another author", "authors: ['renovate[bot]']", { author: "ada" }, "waiting"],
    ["of an unknown author", "authors: [ada]", { author: null }, "waiting"],
    ["in a stack of several authors", "authors: [ada]", { author: "ada", mixedAuthors: true }, "waiting"],
    ["with an excluded label", "labels: [No-Plan]", { labels: ["x", "no-plan"] }, "not_expected"],
    ["with unknown labels", "labels: [no-plan]", { labels: null }, "waiting"],
    [
      "that changes excluded files alone",
      "paths: ['**/.terraform.lock.hcl']",
      { paths: [LOCK, "README.md"] },
      "not_expected",
    ],
    [
      "that changes an excluded file and another",
      "paths: ['**/.terraform.lock.hcl']",
      { paths: [LOCK, "infra/main.tf"] },
      "waiting",
    ],
    [
      "of which not all files are listed",
      "paths: ['infra/**']",
      { paths: [LOCK], pathsComplete: false },
      "waiting",
    ],
    [
      "of an excluded author, not all files listed",
      "authors: [ada]",
      { author: "ada", pathsComplete: false },
      "not_expected",
    ],
  ])("of a pull request %s, with not: { %s }", (_, not, pull, expected) => {
    const excluding = `expect: [{ paths: ['infra/**'], not: { ${not} } }]`;
    expect(state(excluding, { paths: ["infra/main.tf"], ...pull }).state).toBe(expected);
  });

  test("is nothing where the list is empty", () => {
    expect(state("expect: []").state).toBe("not_expected");
  });

  test("names each workspace once, and the first deadline of what is missing", () => {
    const two = `expect:
  - { paths: ['**'], workspaces: [a, b], within: 1h }
  - { paths: ['**'], workspaces: [b, c], within: 2h }
  - { paths: ['**'], workspaces: [d], within: 1m }`;
    expect(state(two, { stages: [ran("d")] })).toEqual({
      state: "waiting",
      missing: ["a", "b", "c"].map((workspace) => ({ workspace, state: "missing" })),
      deadlineMs: SINCE + HOUR,
    });
  });
});

describe("without expect", () => {
  test.each([
    ["main.tf", true],
    ["infra/prod/main.tf", true],
    ["a/b.tofu", true],
    ["prod.tfvars", true],
    ["live/terragrunt.hcl", true],
    ["a/.terraform.lock.hcl", true],
    ["main.tf.json", true],
    ["prod.auto.tfvars.json", true],
    ["templates/user-data.tftpl", true],
    ["README.md", false],
    ["src/tf/main.ts", false],
    ["main.tf.bak", false],
  ])("a pull request that changes %s waits: %s", (file, waits) => {
    expect(state("", { paths: ["docs/x", file] }).state).toBe(waits ? "waiting" : "not_expected");
  });

  test("waits two hours for one execution, of whatever workspace", () => {
    const waiting = {
      state: "waiting",
      missing: [{ workspace: null, state: "missing" }],
      deadlineMs: SINCE + 2 * HOUR,
    };
    expect(state("")).toEqual(waiting);
    expect(state("", { paths: [], pathsComplete: false })).toEqual(waiting);
    expect(state("", { stages: [ran("any")] })).toEqual({ state: "met" });
    expect(state("", { nowMs: SINCE + 2 * HOUR }).state).toBe("deadline_passed");
  });
});

describe("two files", () => {
  const MANDATORY = "rules: [{ id: m, limit: { drift: 0 }, mandatory: true }]";
  const EXPECTS_A = "expect: [{ paths: [a/**] }]";
  const OWN = { paths: ["a/**"], workspaces: [], withinMs: 2 * HOUR };

  test.each([
    ["neither says anything", "", "", [DEFAULT_EXPECTATION]],
    ["the repository expects nothing", "expect: []", "", []],
    ["the repository expects nothing beside mandatory rules", "expect: []", MANDATORY, [DEFAULT_EXPECTATION]],
    ["it expects something beside mandatory rules", EXPECTS_A, MANDATORY, [OWN, DEFAULT_EXPECTATION]],
    ["the organisation says it itself", "expect: []", `${MANDATORY}\n${EXPECTS_A}`, [OWN]],
    ["both expect something", EXPECTS_A, EXPECTS_A, [OWN, OWN]],
  ])("where %s", (...[, repository, organisation, expected]) => {
    expect(policy(repository, organisation).expect).toEqual(expected);
  });
});

describe("what both files say is settled", () => {
  test("for rules: the repository's replaces the organisation's of the same id", () => {
    const both = policy(
      "rules: [{ id: b, limit: { drift: 9 } }, { id: c, limit: { drift: 3 } }]",
      "rules: [{ id: a, limit: { drift: 1 }, mandatory: true }, { id: b, limit: { drift: 2 } }]",
    );
    expect(
      both.rules.map(({ id, limit, mandatory }) => [id, "count" in limit && limit.count, mandatory]),
    ).toEqual([
      ["a", 1, true],
      ["b", 9, false],
      ["c", 3, false],
    ]);
  });

  test("for the platform: both narrow", () => {
    const both = { org: "o", project: "p" };
    expect(policy("platform: { project: p }", "platform: { org: o }").platform).toEqual(both);
    expect(policy("platform: { org: o }", "platform: { project: p }").platform).toEqual(both);
    expect(policy("", "").platform).toEqual({ org: null, project: null });
  });

  test.each([
    ["", "", "comment"],
    ["quiet", "", "quiet"],
    ["", "quiet", "quiet"],
    ["comment", "quiet", "comment"],
  ])("for on_no_change: %j under %j is %s", (below, above, expected) => {
    const file = (value: string) => (value === "" ? "" : `comment: { on_no_change: ${value} }`);
    expect(policy(file(below), file(above)).comment.onNoChange).toBe(expected);
  });

  test("for stages: the repository's names come first", () => {
    const file = (name: string) => `stages: [{ match: { workspace: "*" }, name: ${name} }]`;
    expect(policy(file("own"), file("theirs")).stages.map(({ name }) => name)).toEqual(["own", "theirs"]);
  });

  test("without any file: no rules, and the default expectation", () => {
    const none = parsePolicy({ repository: null, organisation: null });
    expect(none).toMatchObject({ state: "ok", policy: { rules: [], expect: [DEFAULT_EXPECTATION] } });
  });
});

const TWO = policy(
  "check_names: [{ branch: '**', name: own }]",
  "check_names: [{ branch: main, name: gate }]",
);

test.each([
  [null, "main", "tollgate: main"],
  [policy(""), "release/1", "tollgate: release/1"],
  [policy("check_names: [{ branch: 'release/*', name: gate }]"), "release/1", "gate"],
  [policy("check_names: [{ branch: 'release/*', name: gate }]"), "release/1/2", "tollgate: release/1/2"],
  [TWO, "main", "gate"],
  [TWO, "dev", "own"],
])("the check of a base branch has its name", (named, branch, expected) => {
  expect(resolveCheckName(named, branch)).toBe(expected);
});
