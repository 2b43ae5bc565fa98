import { describe, expect, it } from "vitest";
import {
  type ApprovalRequest,
  keepOpenRequests,
  listApprovalNeeds,
  selectMentions,
  updateRequests,
} from "../../src/policy/approvals/requests.ts";
import type { Approvals } from "../../src/policy/model/approval.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { ApproverGroup } from "../../src/policy/model/policy.ts";
import type { Situation } from "../../src/policy/model/situation.ts";
import { evaluatedSituation, evaluation, finding, passed } from "../render/evaluation-builder.ts";

const group = (rest: Partial<ApproverGroup>): ApproverGroup => ({
  teams: [],
  users: [],
  permission: null,
  count: 1,
  ...rest,
});
const violated = finding("growth", {
  approve: { groups: [group({ teams: ["finops"] }), group({ users: ["ada", "bob"] })], reviews: false },
});
const undecided = finding("growth", { outcome: "undecided", because: [{ kind: "partial" }], measured: null });
const lacking = (rules: readonly string[] = ["growth"], groups: readonly number[] = [0, 1]): Approvals => ({
  live: [],
  lapsed: [],
  missing: [{ rule: "growth", groups: groups.map((index) => ({ group: index, lacks: 1 })) }],
  offer: { commands: [], rules, opensGate: true, why: null },
});
const blocked = (rest: Parameters<typeof evaluation>[0] = {}): Evaluation =>
  evaluation({
    situation: evaluatedSituation("block", [violated]),
    approvals: lacking(),
    ...rest,
    pull: { repository: "acme/shop", ...rest.pull },
  });
const by = (author: string): Partial<Evaluation> => ({ context: { ...evaluation().context, author } });
const needed = (of: Evaluation): string =>
  listApprovalNeeds(of)
    .map(({ rule, approver }) => `${rule}: ${approver}`)
    .join(", ");
const draft: Situation = { kind: "draft", verdict: { kind: "block", findings: [violated] }, missing: [] };
const waiting: Situation = { kind: "waiting", missing: [], deadlineMs: 0 };

const FILLED = lacking(["growth"], [1]);
const MERGED = { days: 7, compared: 0, workspaces: 0, totals: [] };

describe("whose approval is asked for", () => {
  it.each<[string, Evaluation, string]>([
    ["everybody whom an open group names", blocked(), "growth: acme/finops, growth: ada, growth: bob"],
    ["not a group that is filled", blocked({ approvals: FILLED }), "growth: ada, growth: bob"],
    ["not the author", blocked(by("ada")), "growth: acme/finops, growth: bob"],
    ["nobody while the rule cannot be approved", blocked({ approvals: lacking([]) }), ""],
    ["nobody for a draft", blocked({ pull: { draft: true }, situation: draft }), ""],
    ["nobody while executions are awaited", blocked({ situation: waiting }), ""],
    ["nobody for local files", blocked({ pull: { local: true } }), ""],
    ["nobody after the merge", blocked({ afterMerge: MERGED }), ""],
  ])("%s", (_, of, expected) => {
    expect(needed(of)).toBe(expected);
  });
});

const asked = (approver: string, commentId: number | null = 7): ApprovalRequest => ({
  rule: "growth",
  approver,
  commentId,
});

describe("a request", () => {
  const requests = [asked("acme/finops"), asked("ada")];
  const left = (of: Evaluation) => keepOpenRequests(of, requests).map(({ approver }) => approver);

  const evaluated = (situation: Situation) => evaluation({ situation });
  const BOTH = ["acme/finops", "ada"];
  it.each<[string, Evaluation, readonly string[]]>([
    ["stands while the approval is missing", blocked(), BOTH],
    ["ends when its group is filled", blocked({ approvals: FILLED }), ["ada"]],
    ["ends when the rule passes", evaluated(evaluatedSituation("pass", [passed("growth")])), []],
    ["ends when there is no policy any more", evaluated({ kind: "no_policy", alwaysCheck: false }), []],
    ["stands while executions are awaited", evaluated(waiting), BOTH],
    ["stands while the rule is undecided", evaluated(evaluatedSituation("undecided", [undecided])), BOTH],
    ["stands in a draft", blocked({ pull: { draft: true }, situation: draft }), BOTH],
  ])("%s", (_, of, expected) => {
    expect(left(of)).toEqual(expected);
  });
});

describe("whom a comment mentions", () => {
  const needs = listApprovalNeeds(blocked());
  const silent = new Set<string>();

  it.each<[string, readonly ApprovalRequest[], number | null, readonly string[]]>([
    ["all of a new need, in a comment that is begun", [], null, ["acme/finops", "ada", "bob"]],
    ["all of a new need, in a comment that is there", [], 7, ["acme/finops", "ada", "bob"]],
    [
      "whom this very comment mentions already",
      [asked("acme/finops"), asked("ada")],
      7,
      ["acme/finops", "ada", "bob"],
    ],
    ["not whom an earlier comment mentioned", [asked("acme/finops"), asked("ada", null)], 8, ["bob"]],
    [
      "not whom a comment that is gone mentioned",
      [asked("acme/finops"), asked("ada"), asked("bob")],
      null,
      [],
    ],
  ])("%s", (_, ...[requests, commentId, expected]) => {
    expect([...selectMentions({ needs, requests, silent }, commentId)]).toEqual(expected);
  });

  it("not who must not be mentioned, and they are not asked about again", () => {
    const asking = { needs, requests: [], silent: new Set(["ada"]) };
    const mentions = selectMentions(asking, null);
    expect([...mentions]).toEqual(["acme/finops", "bob"]);
    const requests = updateRequests(asking, { commentId: 7, mentions });
    expect(requests).toEqual([asked("acme/finops"), asked("ada", null), asked("bob")]);
    expect([...selectMentions({ needs, requests, silent }, 7)]).toEqual(["acme/finops", "bob"]);
  });

  it("at most ten, and the others at no later time", () => {
    const many = Array.from({ length: 14 }, (_, index) => ({ rule: "growth", approver: `user${index}` }));
    const asking = { needs: many, requests: [], silent };
    const mentions = selectMentions(asking, null);
    expect(mentions.size).toBe(10);
    const requests = updateRequests(asking, { commentId: 7, mentions });
    expect([...selectMentions({ needs: many, requests, silent }, 8)]).toEqual([]);
  });

  it("nobody again after a comment was written that mentions nobody", () => {
    const requests = updateRequests(
      { needs: [], requests: [asked("ada")], silent },
      { commentId: 7, mentions: new Set() },
    );
    expect(requests).toEqual([asked("ada", null)]);
    expect([...selectMentions({ needs, requests, silent }, 7)]).toEqual(["acme/finops", "bob"]);
  });
});
