import { describe, expect, test } from "vitest";
import { applyApprovals } from "../../src/policy/approvals/apply-approvals.ts";
import { giveApproval } from "../../src/policy/approvals/give-approval.ts";
import type { RuleFindings } from "../../src/policy/approvals/lapse.ts";
import type { Approval } from "../../src/policy/model/approval.ts";
import { verdict } from "./evaluate-facts.ts";
import { policy } from "./policies.ts";
import { tagged } from "./tagged.ts";

const OF_TEAMS =
  "by_tag: { key: team, teams: { payments: payments-leads, search: [search-leads, directors] } }";
const LEADS = {
  ann: ["payments-leads"],
  bob: ["search-leads"],
  cid: ["payments-leads", "search-leads"],
  dan: ["finops"],
};
type Person = keyof typeof LEADS;

/** The findings of a limit of 100 USD per team on resources `0 > 420 payments`. */
function find(approve: string, ...costs: readonly string[]): RuleFindings {
  const own = policy(
    `rules: [{ id: r, limit: { increase: 100 USD }, per: { tag: team }, approve: { ${approve} } }]`,
  );
  const total = costs.reduce((sum, text) => sum + Number(text.split(" ")[2]), 0);
  const changed = Object.fromEntries(costs.map((text, index) => [`aws_x.${index}`, text]));
  const { findings } = verdict(own, { stages: [tagged({ total: `0 > ${total}`, changed })] });
  return {
    ...{ rules: own.rules, findings },
    ground: { baseRef: "main", ground: [], figures: "", contributors: new Set(), nowMs: 0 },
  };
}

function approve(now: RuleFindings, person: Person, dollars: number) {
  const moment = {
    ...now,
    ...{ headSha: "h", evaluatedMs: 0 },
    getGroups: ({ approve: own }: RuleFindings["rules"][number]) =>
      (own?.groups ?? []).flatMap(({ teams }, group) =>
        teams.some((team) => LEADS[person].includes(team)) ? [group] : [],
      ),
  };
  const approver = { id: Object.keys(LEADS).indexOf(person), login: person };
  const upTo = { amount: `${dollars}` as never, currency: "USD" }; // a whole number is a decimal
  return giveApproval(
    {
      ...{
        id: `comment:${approver.id}`,
        source: "comment",
        approver,
        sha: "h",
        rules: [],
        upTo,
        untilMs: null,
        reason: "load",
      },
      ...{ createdMs: 0, approvedMs: 0 },
    },
    moment,
  );
}

const give = (now: RuleFindings, person: Person, dollars: number): Approval => {
  const given = approve(now, person, dollars);
  if (given.state === "refused") throw new Error(given.why.kind);
  return given.approval;
};

/** `payments approved`, or the teams whose approval each violation lacks; and why approvals lapsed. */
function tell(now: RuleFindings, ...approvals: readonly Approval[]) {
  const result = applyApprovals(approvals, now);
  const missing = result.approvals.missing.flatMap(({ groups }) =>
    groups.map(({ group }) => now.rules[0]?.approve?.groups[group]?.teams.join() ?? ""),
  );
  return [
    ...result.verdict.findings.filter(({ approved }) => approved).map(({ subject }) => `${subject} approved`),
    ...missing.map((teams) => `lacks ${teams}`),
    ...result.approvals.lapsed.map(({ why }) => why.kind),
    result.verdict.kind,
  ];
}

const PAYMENTS = "0 > 420 payments";
const SEARCH = "0 > 300 search";

describe("approvers by the value of a tag", () => {
  const both = find(OF_TEAMS, PAYMENTS, SEARCH);
  test.each<[string, readonly string[], readonly string[]]>([
    [
      "are asked each for its part",
      tell(both),
      ["lacks payments-leads", "lacks search-leads,directors", "block"],
    ],
    [
      "approve their part alone",
      tell(both, give(both, "ann", 420)),
      ["payments approved", "lacks search-leads,directors", "block"],
    ],
    [
      "approve together",
      tell(both, give(both, "ann", 420), give(both, "bob", 300)),
      ["payments approved", "search approved", "pass"],
    ],
    [
      "of two values approve both",
      tell(both, give(both, "cid", 420)),
      ["payments approved", "search approved", "pass"],
    ],
    [
      "approve on while another team's part grows",
      tell(find(OF_TEAMS, PAYMENTS, "0 > 900 search"), give(both, "ann", 420)),
      ["payments approved", "lacks search-leads,directors", "block"],
    ],
    [
      "approve no more than their amount",
      tell(find(OF_TEAMS, "0 > 421 payments", SEARCH), give(both, "ann", 420)),
      ["lacks payments-leads", "lacks search-leads,directors", "over_amount", "block"],
    ],
    [
      "have to approve again where another value is violated",
      tell(both, give(find(OF_TEAMS, PAYMENTS), "ann", 420)),
      ["lacks payments-leads", "lacks search-leads,directors", "grown", "block"],
    ],
    [
      "have to approve again where a tag becomes unknown",
      tell(find(OF_TEAMS, PAYMENTS, "0 > 300 ..."), give(both, "ann", 420)),
      ["lacks payments-leads", "fact_unknown", "block"],
    ],
    [
      "have to approve again where the rule looks at the values of another tag",
      tell(
        { ...both, rules: both.rules.map((rule) => ({ ...rule, perTag: "app" })) },
        give(both, "ann", 420),
      ),
      ["lacks payments-leads", "lacks search-leads,directors", "rule_changed", "block"],
    ],
    [
      "approve nothing without a tag",
      tell(find(OF_TEAMS, PAYMENTS, "0 > 300 -"), give(find(OF_TEAMS, PAYMENTS, "0 > 300 -"), "ann", 420)),
      ["payments approved", "block"],
    ],
    [
      "leave the values without a team to the approvers beside them",
      tell(find(`teams: [finops], ${OF_TEAMS}`, PAYMENTS, "0 > 300 -", "0 > 200 web")),
      ["lacks finops", "lacks payments-leads", "block"],
    ],
    [
      "do not approve what has no team",
      tell(
        find(`teams: [finops], ${OF_TEAMS}`, PAYMENTS, "0 > 300 -"),
        give(find(`teams: [finops], ${OF_TEAMS}`, PAYMENTS, "0 > 300 -"), "dan", 420),
      ),
      ["without tag approved", "lacks payments-leads", "block"],
    ],
  ])("%s", (_, told, expected) => {
    expect(told).toEqual(expected);
  });

  test.each<[string, ReturnType<typeof approve>, string]>([
    ["of another team", approve(find(OF_TEAMS, PAYMENTS), "bob", 420), "not_an_approver"],
    ["of a team with too small an amount for its part", approve(both, "bob", 299), "amount_too_low"],
    ["of anybody, of what no team pays", approve(find(OF_TEAMS, "0 > 300 -"), "ann", 300), "not_approvable"],
  ])("an approval %s is refused", (_, outcome, why) => {
    expect(outcome).toMatchObject({ state: "refused", why: { kind: why } });
  });

  test("are offered a command with the amount of their part, which alone opens nothing that nobody may approve", () => {
    const { offer } = applyApprovals([], find(OF_TEAMS, PAYMENTS, SEARCH, "0 > 200 -")).approvals;
    const upTo = (amount: string) => ({ rules: ["r"], upTo: { amount, currency: "USD" } });
    expect(offer).toEqual({
      ...{ commands: [upTo("420"), upTo("300")], rules: ["r"], opensGate: false, why: null },
    });
  });
});

test("an approval of a resource that misses a required tag ends when it misses another one, and holds when it misses less", () => {
  const own = policy(`tags: { required: [{ key: team }, { key: env }] }
rules: [{ id: r, limit: { untagged: 0 }, approve: { teams: [finops] } }]`);
  const now = (team: string): RuleFindings => {
    const stages = [
      tagged({ total: "0 > 2", changed: { "aws_x.a": `0 > 1 ${team}`, "aws_x.b": "0 > 1 -" } }),
    ];
    return { ...find(OF_TEAMS, PAYMENTS), rules: own.rules, findings: verdict(own, { stages }).findings };
  };
  expect(tell(now("-"), give(now("payments"), "dan", 0))).toEqual(["lacks finops", "grown", "block"]);
  expect(tell(now("payments"), give(now("-"), "dan", 0))).toEqual(["null approved", "pass"]);
});
