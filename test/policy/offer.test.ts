import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommand, splitReason } from "../../src/github/commands/read-command.ts";
import { decimal } from "../../src/kernel/money.ts";
import { applyApprovals } from "../../src/policy/approvals/apply-approvals.ts";
import { type ApprovalOutcome, giveApproval } from "../../src/policy/approvals/give-approval.ts";
import type { RuleFindings } from "../../src/policy/approvals/lapse.ts";
import { decideCheck } from "../../src/policy/decide-check.ts";
import type { Approval } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import type { Rule } from "../../src/policy/model/policy.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  HEAD,
  money,
  report,
  stage,
  templates,
} from "../render/evaluation-builder.ts";
import { casesToTry } from "../world/depth.ts";
import { policy } from "./policies.ts";

const { rules } = policy(`rules:
  - { id: money, limit: { increase: 500 USD }, approve: { users: [ann, bob] } }
  - { id: total, limit: { total: 900 USD }, approve: { users: [bob] } }
  - { id: euros, limit: { increase: 500 EUR }, approve: { users: [ann] } }
  - { id: deletes, limit: { deletions: 0 }, approve: { all: [{ users: [ann, bob], count: 2 }, { users: [cid] }] } }
  - { id: hard, limit: { replacements: 0 } }
`);
const PEOPLE = { ann: 11, bob: 12, cid: 13 } as const;
type Person = keyof typeof PEOPLE;
const people = Object.keys(PEOPLE) as Person[];

const groupsOf =
  (person: Person) =>
  ({ approve }: Rule): readonly number[] =>
    (approve?.groups ?? []).flatMap(({ users }, group) => (users.includes(person) ? [group] : []));

const renderer = createRenderer(templates());

/** What the comment and the check say, with the approvals given so far. */
function shown(now: RuleFindings, given: readonly Approval[]) {
  const { verdict, approvals } = applyApprovals(given, now);
  const situation = evaluatedSituation(verdict.kind, verdict.findings);
  const text = renderer.comment(
    evaluation({ report: report([stage("s", ["0", "9"])]), situation, approvals }),
    { details: null, recheckHint: false },
  );
  const commands = [...text.matchAll(/\n```\n(\/tollgate approve [^`\n]+)\n```\n/g)].map(
    ([, command = ""]) => command,
  );
  return { text, commands, verdict, approvals, check: decideCheck(situation, approvals) };
}

/** As the command's handler does it. */
function write(now: RuleFindings, person: Person, body: string): ApprovalOutcome {
  const read = readCommand(body);
  if (read.state !== "command" || read.command.verb !== "approve") throw new RangeError(body);
  const { sha, upTo, ...command } = read.command;
  const isRule = (name: string) => now.rules.some(({ id }) => id === name);
  const words =
    command.rules === null
      ? splitReason(command.reason, isRule)
      : { rules: command.rules, reason: command.reason };
  const approver = { id: PEOPLE[person], login: person };
  const id = `comment:${person} ${body}`;
  const request = {
    id,
    source: "comment",
    approver,
    sha,
    upTo,
    untilMs: null,
    createdMs: 0,
    approvedMs: 0,
    ...words,
  } as const;
  return giveApproval(request, { ...now, headSha: HEAD, evaluatedMs: 0, getGroups: groupsOf(person) });
}

const MONEY = { money: "USD", total: "USD", euros: "EUR" } as const;
const amount = fc.integer({ min: 1, max: 10 ** 9 }).map((digits) => (digits / 10 ** 4).toFixed(4));

const findingOf = (rule: Rule): fc.Arbitrary<Finding> =>
  fc
    .record({
      outcome: fc.constantFrom("violated", "violated", "violated", "passed", "undecided"),
      enforce: fc.constantFrom("block", "block", "block", "warn"),
      onUnknown: fc.constantFrom("block", "warn"),
      amount,
      others: fc.constantFrom(0, 0, 0, 0, 2),
      isWaived: fc.constantFrom(false, false, false, true),
    })
    .map(({ amount: found, isWaived, ...told }) => {
      const measured =
        rule.id in MONEY
          ? ({ kind: "money", ...money(found, MONEY[rule.id as keyof typeof MONEY]) } as const)
          : ({ kind: "count", count: 2 } as const);
      return finding(rule.id, {
        ...told,
        approve: rule.approve,
        limit: rule.limit,
        measured: told.outcome === "undecided" ? null : measured,
        because: told.outcome === "undecided" ? [{ kind: "partial" }] : [],
        waiver: isWaived && told.outcome === "violated" ? { owner: "o", reason: "r", untilMs: 1 } : null,
      });
    });

const world = fc.record({
  findings: fc.subarray([...rules], { minLength: 1 }).chain((chosen) => fc.tuple(...chosen.map(findingOf))),
  contributors: fc.constantFrom<ReadonlySet<number> | null>(
    new Set([1]),
    new Set([1]),
    new Set([1, 11]),
    null,
  ),
  /** Whose approvals are there already, for what. */
  before: fc.array(fc.tuple(fc.constantFrom(...people), fc.constantFrom(...rules.map(({ id }) => id))), {
    maxLength: 4,
  }),
});

function placed({ findings, contributors, before }: typeof world extends fc.Arbitrary<infer W> ? W : never) {
  const now: RuleFindings = {
    rules,
    findings,
    ground: { baseRef: "main", ground: [], figures: "", contributors, nowMs: 0 },
  };
  const given = before.flatMap(([person, rule]) => {
    const currency = rule in MONEY ? MONEY[rule as keyof typeof MONEY] : "USD";
    const one = write(now, person, `/tollgate approve ${HEAD} ${rule} up to 1000000 ${currency} because`);
    return one.state === "approved" ? [one.approval] : [];
  });
  return { now, given };
}

/** Whether somebody did not work on the pull request. */
const isOutside = (now: RuleFindings, person: Person): boolean =>
  !now.ground.contributors?.has(PEOPLE[person]);

/** Whether the rules that a command is about name somebody: all that it names, or one of those that it stands for. */
function isMeant(person: Person, command: string, offered: readonly string[]): boolean {
  const own = rules.filter((rule) => groupsOf(person)(rule).length > 0).map(({ id }) => id);
  const named = offered.filter((rule) => command.split(" ").includes(rule));
  return named.length > 0
    ? named.every((rule) => own.includes(rule))
    : offered.some((rule) => own.includes(rule));
}

function mustBeTaken(now: RuleFindings, person: Person, command: string): Approval {
  const answer = write(now, person, command);
  if (answer.state === "refused") throw new Error(`${person} ${command}: ${answer.why.kind}`);
  return answer.approval;
}

describe("what the comment offers to approve", () => {
  it("is accepted from everybody whom a rule in it names, and the gate opens where the check says so", () => {
    fc.assert(
      fc.property(world, (drawn) => {
        const { now, given } = placed(drawn);
        const { commands, approvals, check } = shown(now, given);
        const offered = approvals.offer?.rules ?? [];
        const taken = commands.flatMap((command) =>
          people
            .filter((person) => isOutside(now, person) && isMeant(person, command, offered))
            .map((person) => mustBeTaken(now, person, command)),
        );
        const required = check.status === "completed" && check.conclusion === "action_required";
        if (required) expect(commands.length).toBeGreaterThan(0);
        const everybody = people.every((person) => isOutside(now, person));
        const after = applyApprovals([...given, ...taken], now).verdict.kind;
        if (everybody && commands.length > 0) expect(["pass", "warn"].includes(after)).toBe(required);
      }),
      { numRuns: casesToTry({ usual: 25, deep: 500 }) },
    );
  });

  it("is all that would be accepted", () => {
    const words = fc.record({
      person: fc.constantFrom(...people),
      named: fc.subarray(rules.map(({ id }) => id)),
      upTo: fc.option(fc.tuple(amount, fc.constantFrom("USD", "EUR"))),
    });
    fc.assert(
      fc.property(world, words, (drawn, { person, named, upTo }) => {
        const { now, given } = placed(drawn);
        const { approvals } = shown(now, given);
        const most = upTo === null ? [] : ["up to", decimal(upTo[0]), upTo[1]];
        const answer = write(
          now,
          person,
          ["/tollgate approve", HEAD, ...named, ...most, "because"].join(" "),
        );
        if (answer.state === "refused") return;
        const open = new Set(approvals.missing.map(({ rule }) => rule));
        const covered = answer.approval.covered.map(({ rule }) => rule).filter((rule) => open.has(rule));
        expect(approvals.offer?.rules).toEqual(expect.arrayContaining(covered));
        if (covered.length > 0) expect(approvals.offer?.commands).not.toEqual([]);
      }),
      { numRuns: casesToTry({ usual: 25, deep: 500 }) },
    );
  });
});

describe("the comment's offer reads", () => {
  const of = (id: string, told: Partial<Finding> = {}): Finding =>
    finding(id, { approve: rules.find((rule) => rule.id === id)?.approve ?? null, ...told });
  const place = (
    findings: readonly Finding[],
    contributors: ReadonlySet<number> | null = new Set([1]),
  ): RuleFindings => ({
    rules,
    findings,
    ground: { baseRef: "main", ground: [], figures: "", contributors, nowMs: 0 },
  });
  const dear = of("money", { measured: { kind: "money", ...money("900.125") } });
  const euros = of("euros", {
    measured: { kind: "money", ...money("800", "EUR") },
    limit: { kind: "increase", amount: money("500", "EUR") },
  });
  const unknown = of("total", { outcome: "undecided", measured: null, because: [{ kind: "partial" }] });
  const hard = of("hard", {
    measured: { kind: "count", count: 1 },
    limit: { kind: "replacements", count: 0 },
  });
  const told = (now: RuleFindings): string => {
    const { text, check } = shown(now, []);
    const [headline = ""] = text.split("\n");
    const next = text.slice(text.indexOf("**To merge:**"), text.indexOf("#### ")).trim();
    return [headline, next, check.status === "completed" ? check.conclusion : check.status].join("\n\n");
  };

  it("as the command to copy, where an approval opens the gate", () => {
    expect(told(place([dear]))).toMatchInlineSnapshot(`
      "### ⛔ Blocked: +$9.00 per month (new)

      **To merge:** 1 rule is violated. Change this pull request to stay within it, or have somebody whom the rule names approve it with the comment below. Every push is evaluated again.

      \`\`\`
      /tollgate approve 3f2c9a41d0b7e6588c1f4a92be07d35c6a1e9f80 up to 900.125 USD REASON
      \`\`\`

      action_required"
    `);
  });

  const COPY = `\`\`\`\n/tollgate approve ${HEAD} up to 900.125 USD REASON\n\`\`\``;
  const doubtful = { ...unknown, enforce: "warn", onUnknown: "warn" } as const;
  it.each<[string, RuleFindings, string, readonly string[]]>([
    [
      "as nothing, beside a blocking rule that could not be evaluated",
      place([dear, unknown]),
      "failure",
      [
        "or change the rule in",
        "Unknown values never pass, and nothing can be approved before it is evaluated.",
      ],
    ],
    [
      "as before, beside a rule that could not be evaluated and only warns",
      place([dear, doubtful]),
      "action_required",
      [COPY, "1 rule could not be evaluated; it only warns."],
    ],
    [
      "as an approval of one rule, beside another that nobody may approve",
      place([dear, hard]),
      "failure",
      [COPY, "`money` can be approved with the comment below; the other blocking rules cannot."],
    ],
    [
      "as one command for each rule, where they are in two currencies",
      place([dear, euros]),
      "action_required",
      [
        `${HEAD} money up to 900.125 USD REASON`,
        `${HEAD} euros up to 800.00 EUR REASON`,
        "One comment for each:",
      ],
    ],
    [
      "as nothing, where it is unknown who worked on the pull request",
      place([dear], null),
      "failure",
      ["Nobody can approve it now: it has more commits or authors than GitHub lists"],
    ],
  ])("%s", (_, now, conclusion, words) => {
    const text = told(now);
    for (const each of words) expect(text).toContain(each);
    expect(text.includes("/tollgate approve")).toBe(words.some((each) => each.includes("REASON")));
    expect(text.endsWith(`\n\n${conclusion}`)).toBe(true);
  });
});
