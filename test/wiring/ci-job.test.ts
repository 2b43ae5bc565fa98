import { describe, expect, it } from "vitest";
import type { Situation } from "../../src/policy/model/situation.ts";
import { MAX_AT_ONCE } from "../../src/store/approvals/commands.ts";
import { describeCiResult } from "../../src/wiring/ci/describe-result.ts";
import { parsePullEvent } from "../../src/wiring/ci/read-target.ts";
import { selectCommands, type WrittenCommand } from "../../src/wiring/ci/restore-commands.ts";
import { type CiResult, listMissingPermissions } from "../../src/wiring/ci/run-ci.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  HEAD,
  report,
  stage,
} from "../render/evaluation-builder.ts";
import { renderer } from "../render/renderer.ts";

/** What a job ends with whose evaluation this is. */
function endsWith(of: Parameters<typeof evaluation>[0], more: Partial<CiResult> = {}) {
  const stored = { evaluation: evaluation(of), digest: "" };
  const pull = { repositoryId: 1, number: 7, headSha: HEAD };
  // Of what is stored, only the evaluation is described.
  const result = { state: "evaluated", pull, stored } as unknown as CiResult["result"];
  return describeCiResult({ result, markdown: "", title: "The title", refused: [], unread: [], ...more });
}

const VIOLATED = evaluatedSituation("block", [finding("growth")]);
const UNSEEN: Situation = { kind: "policy_unreadable", which: "organisation", reason: "not_covered" };

describe("a CI job exits", () => {
  it.each<[number, string, Parameters<typeof endsWith>]>([
    [0, "its policy passes", [{ situation: evaluatedSituation("pass") }]],
    [0, "its policy warns", [{ situation: evaluatedSituation("warn") }]],
    [0, "there is no policy", [{ situation: { kind: "no_policy", alwaysCheck: false } }]],
    [1, "its policy blocks", [{ situation: VIOLATED }]],
    [2, "its policy is invalid", [{ situation: { kind: "policy_invalid", problems: [] } }]],
    [2, "a file could not be read", [{ situation: evaluatedSituation("pass") }, { unread: ["staging"] }]],
    [
      2,
      "its check could not be written",
      [{}, { refused: listMissingPermissions(new Set(["checks: write"]), false) }],
    ],
    [
      0,
      "only the members of teams could not be read",
      [
        { situation: evaluatedSituation("pass") },
        { refused: listMissingPermissions(new Set(["members: read"]), false) },
      ],
    ],
    [3, "a rule is undecided", [{ situation: evaluatedSituation("undecided") }]],
    [
      3,
      "an expected execution is missing",
      [{ situation: { kind: "deadline_passed", missing: [], oneJob: true } }],
    ],
  ])("%i where %s", (code, _, ends) => {
    expect(endsWith(...ends).exitCode).toBe(code);
  });
});

it("a CI job that cannot see the organisation's policy says which option states that there is none", () => {
  expect(endsWith({ situation: UNSEEN }).messages.join("\n")).toContain("--organisation-policy none");
});

it("the log of a job names the rules that block, and the mistakes of a policy", () => {
  const blocked = evaluatedSituation("block", [
    finding("growth", { subject: "web/db" }),
    finding("deletions", { outcome: "undecided" }),
    finding("fine", { outcome: "passed" }),
  ]);
  expect(endsWith({ situation: blocked }).messages).toEqual([
    "The title",
    "growth (web/db): violated",
    "deletions: undecided",
  ]);
  const problem = { file: "tollgate.yml", line: 3, column: 5, path: "rules[0]", message: "is no rule" };
  const invalid = endsWith({ situation: { kind: "policy_invalid", problems: [problem] } });
  expect(invalid.messages).toEqual(["The title", "tollgate.yml:3:5 rules[0] is no rule"]);
});

describe("a CI job gives no advice that only the App's people can take", () => {
  const ADVICE = /\bApp\b|installation|in a minute|Re-check|operator/;
  const job = (situation: Situation, oneShot: boolean) => {
    const base = evaluation({ situation });
    const told = oneShot ? { ...base, context: { ...base.context, oneShot } as const } : base;
    const refused = (["groups_unknown", "no_permission"] as const).map((kind) =>
      renderer.answer({ kind: "refused", why: { kind, rule: "growth" } }, told),
    );
    const comment = renderer.comment(told, { details: null, recheckHint: !oneShot });
    return { comment, refused: refused.join("\n") };
  };
  it.each<[string, Situation]>([
    ["not covered", UNSEEN],
    ["forbidden", { ...UNSEEN, reason: "forbidden" }],
    ["malformed", { ...UNSEEN, reason: "malformed" }],
    ["vanished", { kind: "policy_unreadable", which: "repository", reason: "vanished" }],
    ["failed", { kind: "failed", cause: "own_error" }],
    ["cost unreadable", { kind: "cost_unreadable", workspaces: ["production"] }],
  ])("%s", (_, situation) => {
    expect(job(situation, false).comment).toMatch(ADVICE);
    expect(job(situation, true).comment).not.toMatch(ADVICE);
    expect(job(situation, false).refused).toMatch(ADVICE);
    expect(job(situation, true).refused).not.toMatch(ADVICE);
  });
});

it("the JSON of a job that may show figures has the report; of one that may not, the verdict alone", () => {
  const blocked = {
    situation: VIOLATED,
    report: report([stage("production", ["0", "537.31"])]),
  };
  expect(endsWith(blocked).json).toMatchObject({
    conclusion: "failure",
    report: { totals: [{ change: "537.31" }] },
  });
  const { json, line } = endsWith({ ...blocked, pull: { figures: false } });
  expect(json).toMatchObject({
    ...{ conclusion: "failure", report: null },
    verdict: { kind: "block", findings: [{ rule: "growth", outcome: "violated" }] },
  });
  expect(JSON.stringify([json, line])).not.toContain("537");
});

it("a CI job of an earlier commit, and of a closed pull request, says why nothing was evaluated", () => {
  const pull = { repositoryId: 1, number: 7, headSha: HEAD };
  const nothing = { markdown: null, title: null, refused: [], unread: [] };
  const outdated = describeCiResult({ result: { state: "outdated", pull, sha: "a".repeat(40) }, ...nothing });
  expect([outdated.exitCode, outdated.line]).toEqual([
    3,
    `not evaluated: pull request 7 has another head, ${HEAD}`,
  ]);
  expect(describeCiResult({ result: { state: "closed", pull }, ...nothing }).exitCode).toBe(0);
  expect(endsWith({}).line).toBe("tollgate: main: success");
});

describe("a permission that the token of a CI job lacks", () => {
  const [problem, next] = [
    (...denied: readonly string[]) =>
      listMissingPermissions(new Set(denied), false).map(({ message }) => message),
    (isFork: boolean | null) => listMissingPermissions(new Set(["checks: write"]), isFork)[0]?.hint,
  ];

  it("is named with what could not be done, the first to grant first", () => {
    expect(
      problem("members: read", "checks: write", "contents: read", "pull-requests: read", "checks: read"),
    ).toEqual([
      "the token may not read the policy file and the changed files: it lacks `contents: read`",
      "the token may not read the pull request: it lacks `pull-requests: read`",
      "the token may not read the checks of the commit: it lacks `checks: read`",
      "the token may not write the check: it lacks `checks: write`",
      "the token may not read who belongs to a team, so approvals by teams do not count",
    ]);
  });

  it("is granted in the workflow, or by another workflow where the head is in a fork", () => {
    expect(next(false)).toContain("`permissions:` of the job");
    expect(next(null)).toContain("`permissions:` of the job");
    expect(next(true)).toContain("docs/ci/forks.md");
  });
});

describe("the pull request of a CI job", () => {
  const repository = { id: 1 };
  const of = (headRepository: object | null) => ({
    pull_request: { number: 7, head: { sha: HEAD, repo: headRepository }, base: { repo: repository } },
  });
  const run = {
    head_sha: HEAD,
    head_branch: "fix",
    head_repository: { id: 2, owner: { login: "trent" } },
    repository,
    pull_requests: [],
  };
  it.each<[string, string, unknown, object]>([
    ["is in its event", "pull_request", of(repository), { number: 7, headSha: HEAD, isFork: false }],
    ["may be from a fork", "pull_request_target", of({ id: 2 }), { number: 7, headSha: HEAD, isFork: true }],
    ["may be from a fork that is gone", "pull_request", of(null), { number: 7, isFork: true }],
    [
      "has no head in the event of a comment",
      "issue_comment",
      { issue: { number: 7, pull_request: {} } },
      { number: 7, headSha: null },
    ],
    [
      "is found by its head after a fork's workflow, where GitHub lists none",
      "workflow_run",
      { workflow_run: run },
      { number: null, headSha: HEAD, headLabel: "trent:fix", isFork: true },
    ],
    [
      "is not stated by other events",
      "workflow_dispatch",
      {},
      { number: null, headSha: null, headLabel: null, isFork: null },
    ],
  ])("%s", (_, name, ...[payload, expected]) => {
    expect(parsePullEvent(name, payload)).toMatchObject(expected);
  });

  it("is missing in an issue's comment, and a merge queue's event names its group", () => {
    expect(() => parsePullEvent("issue_comment", { issue: { number: 7 } })).toThrow("names no pull request");
    expect(() => parsePullEvent("merge_group", {})).toThrow("names no merge group");
    const merge_group = {
      head_sha: HEAD,
      head_ref: "refs/heads/gh-readonly-queue/main/pr-7-a",
      base_ref: "refs/heads/main",
    };
    expect(parsePullEvent("merge_group", { merge_group })).toMatchObject({
      ...{ number: null, headSha: HEAD },
      group: { headRef: "gh-readonly-queue/main/pr-7-a", baseRef: "main" },
    });
  });
});

describe("of more commands than one evaluation processes", () => {
  const written = (authorId: number, second: number, isRevocation = false): WrittenCommand => ({
    command: { source: "comment", sourceId: second, nodeId: `node-${second}`, authorId },
    at: new Date(second * 1_000).toISOString(),
    isRevocation,
  });
  const others = (count: number) => Array.from({ length: count }, (_, index) => written(9, 100 + index));
  const ids = (all: readonly WrittenCommand[]) => all.map(({ command }) => command.sourceId);

  it("those that their author revoked later are left out, so that others' comments keep none in force", () => {
    const all = [written(3, 1), ...others(MAX_AT_ONCE), written(3, 1_000, true), written(3, 1_001)];
    expect(ids(selectCommands(all))).toEqual([...ids(others(MAX_AT_ONCE)), 1_000, 1_001]);
  });

  it("none is left out where all of them are processed", () => {
    const all = [written(3, 1), ...others(MAX_AT_ONCE - 2), written(3, 1_000, true)];
    expect(selectCommands(all)).toEqual(all);
  });
});
