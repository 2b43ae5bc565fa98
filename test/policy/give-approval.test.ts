import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  type ApprovalMoment,
  type ApprovalSubmission,
  giveApproval,
} from "../../src/policy/approvals/give-approval.ts";
import type { ApprovalRefusal } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { finding, HEAD, money } from "../render/evaluation-builder.ts";
import { casesToTry } from "../world/depth.ts";
import { policy } from "./policies.ts";

const OTHER_HEAD = "b".repeat(40);
const { rules } = policy(`rules:
  - { id: money, limit: { increase: 500 USD }, approve: { teams: [finops] } }
  - { id: euros, limit: { increase: 500 EUR }, approve: { teams: [finops] } }
  - { id: deletes, limit: { deletions: 0 }, approve: { users: [ivan], reviews: true } }
  - { id: hard, limit: { replacements: 0 } }
`);
const APPROVE = { money: 0, euros: 1, deletes: 2 } as const;

type FindingParts = Partial<Finding>;
const of = (id: keyof typeof APPROVE, told: FindingParts): Finding =>
  finding(id, { approve: rules[APPROVE[id]]?.approve ?? null, ...told });
const EXPENSIVE = of("money", { measured: { kind: "money", ...money("900") } });
const DEAR_IN_EUROS = of("euros", { measured: { kind: "money", ...money("800", "EUR") } });
const DELETES = of("deletes", { measured: { kind: "count", count: 1 }, items: ["aws_db.a"] });
const HARD = finding("hard", { measured: { kind: "count", count: 1 } });

/** Grace of finops signs for money, up to 1000 USD, where a rule about money is broken. */
const REQUEST: ApprovalSubmission = {
  id: "comment:5",
  source: "comment",
  approver: { id: 3, login: "grace" },
  sha: HEAD,
  createdMs: 5_000,
  rules: [],
  upTo: money("1000"),
  reason: "load test",
  approvedMs: 0,
};
const PLACE: ApprovalMoment = {
  rules,
  findings: [EXPENSIVE],
  ground: { baseRef: "main", ground: [], figures: "", contributors: new Set([1, 2]) },
  headSha: HEAD,
  evaluatedMs: 4_000,
  getGroups: ({ id }) => (id === "deletes" ? [] : [0]),
};
const ground = (contributors: ReadonlySet<number> | null) => ({
  ground: { ...PLACE.ground, contributors },
});

interface Case {
  readonly request?: Partial<ApprovalSubmission>;
  readonly place?: Partial<ApprovalMoment>;
  readonly why: ApprovalRefusal;
}

describe("an approval is refused", () => {
  it.each<[string, Case]>([
    [
      "under another head",
      {
        request: { sha: OTHER_HEAD },
        why: { kind: "other_head", named: OTHER_HEAD, headSha: HEAD },
      },
    ],
    [
      "where the commit was evaluated after it was written",
      { request: { createdMs: 3_000 }, why: { kind: "evaluated_later", headSha: HEAD } },
    ],
    [
      "where the commit was evaluated a second later",
      { place: { evaluatedMs: 6_000 }, why: { kind: "evaluated_later", headSha: HEAD } },
    ],
    [
      "where the commit was never evaluated before",
      { place: { evaluatedMs: null }, why: { kind: "evaluated_later", headSha: HEAD } },
    ],
    [
      "where GitHub does not say when it was written",
      { request: { createdMs: null }, why: { kind: "evaluated_later", headSha: HEAD } },
    ],
    ["where nobody knows who worked on it", { place: ground(null), why: { kind: "contributors_unknown" } }],
    ["of one who worked on it", { place: ground(new Set([3])), why: { kind: "approver_contributed" } }],
    [
      "while a rule is undecided, though another one is broken",
      {
        place: { findings: [EXPENSIVE, of("euros", { outcome: "undecided", measured: null })] },
        why: { kind: "undecided", rule: "euros" },
      },
    ],
    ["where nothing is found", { place: { findings: [] }, why: { kind: "nothing_to_approve" } }],
    [
      "where a rule only warns",
      { place: { findings: [of("money", { enforce: "warn" })] }, why: { kind: "nothing_to_approve" } },
    ],
    [
      "where an exception holds already",
      {
        place: { findings: [of("money", { waiver: { owner: "o", reason: "r", untilMs: 1 } })] },
        why: { kind: "nothing_to_approve" },
      },
    ],
    [
      "for a rule that there is not",
      { request: { rules: ["money", "moneey"] }, why: { kind: "unknown_rule", rule: "moneey" } },
    ],
    [
      "for a rule that is not broken",
      { request: { rules: ["deletes"] }, why: { kind: "not_violated", rule: "deletes" } },
    ],
    [
      "for a rule that nobody may sign for",
      {
        request: { rules: ["hard"] },
        place: { findings: [EXPENSIVE, HARD] },
        why: { kind: "not_approvable", rule: "hard" },
      },
    ],
    [
      "where nobody may sign for what is broken",
      { place: { findings: [HARD] }, why: { kind: "not_approvable", rule: "hard" } },
    ],
    [
      "by a review where the rule wants a comment",
      { request: { source: "review" }, why: { kind: "not_approvable", rule: "money" } },
    ],
    [
      "of one who is in none of the rule's groups, named",
      {
        request: { rules: ["deletes"] },
        place: { findings: [DELETES] },
        why: { kind: "not_an_approver", rule: "deletes" },
      },
    ],
    [
      "of one who is in none of the rule's groups, not named",
      { place: { findings: [DELETES] }, why: { kind: "not_an_approver", rule: "deletes" } },
    ],
    [
      "for one of two named rules that the approver may not sign for",
      {
        request: { rules: ["money", "deletes"] },
        place: { findings: [EXPENSIVE, DELETES] },
        why: { kind: "not_an_approver", rule: "deletes" },
      },
    ],
    [
      "without an amount where money is judged",
      { request: { upTo: null }, why: { kind: "amount_missing", rule: "money", found: money("900") } },
    ],
    [
      "with an amount in another currency",
      {
        request: { upTo: money("1000", "EUR") },
        why: { kind: "amount_currency", rule: "money", found: money("900") },
      },
    ],
    [
      "with one amount for rules in two currencies",
      {
        place: { findings: [EXPENSIVE, DEAR_IN_EUROS] },
        why: { kind: "amount_currency", rule: "euros", found: money("800", "EUR") },
      },
    ],
    [
      "with less than is found",
      {
        request: { upTo: money("899.99") },
        why: { kind: "amount_too_low", rule: "money", found: money("900") },
      },
    ],
    [
      "where more is broken than is listed by name",
      {
        place: { findings: [of("money", { ...EXPENSIVE, subject: "prod", others: 3 })] },
        why: { kind: "too_many", rule: "money" },
      },
    ],
  ])("%s", (_, { request, place, why }) => {
    const given = giveApproval({ ...REQUEST, ...request }, { ...PLACE, ...place });
    expect(given).toEqual({ state: "refused", why });
  });
});

test("no part of a commit's id, and no id with something around it, names the commit", () => {
  const around = fc.string({ unit: fc.constantFrom("0", "a", "A", " "), maxLength: 3 });
  const ends = fc.tuple(fc.nat(HEAD.length), fc.nat(HEAD.length));
  fc.assert(
    fc.property(ends, around, around, ([from, to], before, after) => {
      const sha = before + HEAD.slice(from, to) + after;
      expect(giveApproval({ ...REQUEST, sha }, PLACE).state === "approved").toBe(sha === HEAD);
    }),
    {
      numRuns: casesToTry({ usual: 200, deep: 1_000 }),
      examples: [
        [[0, 12], "", ""],
        [[0, 39], "", ""],
        [[0, 40], "", ""],
      ],
    },
  );
});

describe("an approval is accepted", () => {
  const covered = (request: Partial<ApprovalSubmission>, place: Partial<ApprovalMoment> = {}) => {
    const given = giveApproval({ ...REQUEST, ...request }, { ...PLACE, ...place });
    return given.state === "approved" ? given.approval.covered.map(({ rule }) => rule) : given.why;
  };

  it("where the commit was evaluated within the second that GitHub says it was written in", () => {
    expect(covered({}, { evaluatedMs: 5_999 })).toEqual(["money"]);
  });

  it("for what is violated, up to exactly what is found", () => {
    expect(covered({ upTo: money("900") })).toEqual(["money"]);
  });

  it("for only the rules that the approver may approve, where none is named", () => {
    expect(covered({}, { findings: [EXPENSIVE, DELETES, HARD] })).toEqual(["money"]);
  });

  it("for only the rule that is named", () => {
    const groupsOf = () => [0];
    const findings = [EXPENSIVE, DELETES];
    expect(covered({ rules: ["deletes"], upTo: null }, { findings, getGroups: groupsOf })).toEqual([
      "deletes",
    ]);
  });

  it("by a review where the rule says so", () => {
    const place = { findings: [DELETES], getGroups: () => [0] };
    expect(covered({ source: "review", upTo: null }, place)).toEqual(["deletes"]);
  });

  it("and remembers every rule that blocked then", () => {
    const given = giveApproval(REQUEST, { ...PLACE, findings: [EXPENSIVE, HARD] });
    expect(given).toMatchObject({
      state: "approved",
      approval: { violated: ["money", "hard"], upTo: money("1000") },
    });
  });
});
