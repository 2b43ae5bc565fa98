import { describe, expect, it } from "vitest";
import {
  type ApprovalMoment,
  type ApprovalSubmission,
  giveApproval,
} from "../../src/policy/approvals/give-approval.ts";
import type { ApprovalRefusal } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { finding, HEAD, money } from "../render/evaluation-builder.ts";
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
  untilMs: null,
  reason: "load test",
  approvedMs: 0,
};
const PLACE: ApprovalMoment = {
  rules,
  findings: [EXPENSIVE],
  ground: { baseRef: "main", ground: [], figures: "", contributors: new Set([1, 2]), nowMs: 0 },
  headSha: HEAD,
  evaluatedMs: 4_000,
  getGroups: ({ id }) => (id === "deletes" ? [] : [0]),
};
const ground = (contributors: ReadonlySet<number> | null) => ({
  ground: { ...PLACE.ground, contributors },
});

const LATER = { kind: "evaluated_later", headSha: HEAD } as const;
const NOTHING = { kind: "nothing_to_approve" } as const;
const notAnApprover = { kind: "not_an_approver", rule: "deletes" } as const;
const amount = (kind: "amount_missing" | "amount_currency" | "amount_too_low") =>
  ({ kind, rule: "money", found: money("900") }) as const;
const found = (...findings: readonly Finding[]) => ({ findings });
const WAIVED = of("money", { waiver: { owner: "o", reason: "r", untilMs: 1 } });
const UNDECIDED = of("euros", { outcome: "undecided", measured: null });
const OTHER = { kind: "other_head", named: OTHER_HEAD, headSha: HEAD } as const;

describe("an approval is refused", () => {
  it.each<[string, Partial<ApprovalSubmission>, Partial<ApprovalMoment>, ApprovalRefusal]>([
    ["under another head", { sha: OTHER_HEAD }, {}, OTHER],
    ...[HEAD.slice(0, 12), HEAD.slice(0, 39), HEAD.slice(1), "", HEAD.toUpperCase(), `${HEAD} `].map(
      (sha): [string, Partial<ApprovalSubmission>, Partial<ApprovalMoment>, ApprovalRefusal] => [
        `under "${sha}", which is not the whole id`,
        { sha },
        {},
        { ...OTHER, named: sha },
      ],
    ),
    ["where the commit was evaluated after it was written", { createdMs: 3_000 }, {}, LATER],
    ["where the commit was evaluated a second later", {}, { evaluatedMs: 6_000 }, LATER],
    ["where the commit was never evaluated before", {}, { evaluatedMs: null }, LATER],
    ["where GitHub does not say when it was written", { createdMs: null }, {}, LATER],
    ["where nobody knows who worked on it", {}, ground(null), { kind: "contributors_unknown" }],
    ["of one who worked on it", {}, ground(new Set([3])), { kind: "approver_contributed" }],
    [
      "while a rule is undecided, though another one is broken",
      {},
      found(EXPENSIVE, UNDECIDED),
      { kind: "undecided", rule: "euros" },
    ],
    ["where nothing is found", {}, found(), NOTHING],
    ["where a rule only warns", {}, found(of("money", { enforce: "warn" })), NOTHING],
    ["where an exception holds already", {}, found(WAIVED), NOTHING],
    ["for no rule", { rules: ["money", "moneey"] }, {}, { kind: "unknown_rule", rule: "moneey" }],
    ["for a rule that is not broken", { rules: ["deletes"] }, {}, { kind: "not_violated", rule: "deletes" }],
    [
      "for a rule that nobody may sign for",
      { rules: ["hard"] },
      found(EXPENSIVE, HARD),
      { kind: "not_approvable", rule: "hard" },
    ],
    ["where nobody may sign for what is broken", {}, found(HARD), { kind: "not_approvable", rule: "hard" }],
    [
      "by a review where the rule wants a comment",
      { source: "review" },
      {},
      { kind: "not_approvable", rule: "money" },
    ],
    ["of one in none of the rule's groups, named", { rules: ["deletes"] }, found(DELETES), notAnApprover],
    ["of one in none of the rule's groups, not named", {}, found(DELETES), notAnApprover],
    [
      "for one of two named rules that the approver may not sign for",
      { rules: ["money", "deletes"] },
      found(EXPENSIVE, DELETES),
      notAnApprover,
    ],
    ["without an amount where costs are evaluated", { upTo: null }, {}, amount("amount_missing")],
    ["with another currency", { upTo: money("1000", "EUR") }, {}, amount("amount_currency")],
    [
      "with one amount for rules in two currencies",
      {},
      found(EXPENSIVE, DEAR_IN_EUROS),
      { kind: "amount_currency", rule: "euros", found: money("800", "EUR") },
    ],
    ["with less than is found", { upTo: money("899.99") }, {}, amount("amount_too_low")],
    [
      "where more is broken than is listed by name",
      {},
      found(of("money", { ...EXPENSIVE, subject: "prod", others: 3 })),
      { kind: "too_many", rule: "money" },
    ],
  ])("%s", (_, request, place, why) => {
    const given = giveApproval({ ...REQUEST, ...request }, { ...PLACE, ...place });
    expect(given).toEqual({ state: "refused", why });
  });
});

describe("an approval is accepted", () => {
  const groupsOf = () => [0];
  it.each<[string, Partial<ApprovalSubmission>, Partial<ApprovalMoment>, string]>([
    ["where it was evaluated within the second of the comment", {}, { evaluatedMs: 5_999 }, "money"],
    ["for what is violated, up to exactly what is found", { upTo: money("900") }, {}, "money"],
    ["for only the rules that the approver may approve", {}, found(EXPENSIVE, DELETES, HARD), "money"],
    [
      "for only the rule that is named",
      { rules: ["deletes"], upTo: null },
      { ...found(EXPENSIVE, DELETES), getGroups: groupsOf },
      "deletes",
    ],
    [
      "by a review where the rule says so",
      { source: "review", upTo: null },
      { ...found(DELETES), getGroups: groupsOf },
      "deletes",
    ],
  ])("%s", (_, request, place, covered) => {
    const given = giveApproval({ ...REQUEST, ...request }, { ...PLACE, ...place });
    const rulesOf = given.state === "approved" ? given.approval.covered.map(({ rule }) => rule) : given.why;
    expect(rulesOf).toEqual([covered]);
  });

  it("and remembers every rule that blocked then", () => {
    const given = giveApproval(REQUEST, { ...PLACE, findings: [EXPENSIVE, HARD] });
    expect(given).toMatchObject({
      state: "approved",
      approval: { violated: ["money", "hard"], upTo: money("1000") },
    });
  });
});
