import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimal, plus, ZERO } from "../../src/kernel/money.ts";
import { decideCheck } from "../../src/policy/decide-check.ts";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import { NO_APPROVALS } from "../../src/policy/model/approval.ts";
import { buildReport } from "../../src/report/build.ts";
import { NO_CONTEXT } from "../../src/report/model/context.ts";
import type { StageFacts, UnknownReason } from "../../src/report/model/facts.ts";
import { cost, counts, group, known, moduleCost, resource, stage } from "../report/facts.ts";
import { casesToTry } from "../world/depth.ts";
import { describeFindings } from "./evaluate-facts.ts";
import { CONTEXT, policy, rule } from "./policies.ts";

const CHANGE = ["increase: 999999 USD", "decrease: 999999 USD", "percent: 999999"];
const TOTAL = ["total: 999999 USD"];
const COUNTS = ["deletions: 999999", "replacements: 999999", "changes: 999999", "drift: 999999"];

const rules = (limits: readonly string[], pers: readonly string[], needs: string) =>
  limits.flatMap((limit) =>
    pers.map((per) => ({ policy: rule(limit, `per: ${per}`), needs, name: `${limit} per ${per}` })),
  );

/** Each kind of limit with each `per` that it takes, and what it needs to know. */
const RULES = [
  ...rules(CHANGE, ["pull-request", "stage", "resource-type"], "cost"),
  ...rules(TOTAL, ["pull-request", "stage"], "cost"),
  ...rules([...CHANGE, ...TOTAL], ["module"], "modules"),
  ...rules(COUNTS, ["pull-request", "stage"], "counts"),
  ...rules(["unpriced: 999999"], ["pull-request", "stage"], "unpriced"),
];

const cents = fc.integer({ min: -500_000, max: 500_000 }).map((value) => decimal((value / 100).toFixed(2)));
const reason = fc.constantFrom<UnknownReason>(
  "timed_out",
  "not_read",
  "not_granted",
  "malformed",
  "too_large",
);
const text = fc.tuple(cents, cents).map(([before, after]) => `${before} > ${after}`);

/** A stage about which everything is known, with parts that add up. */
const sound = fc.tuple(text, fc.nat(9)).map(([change, deleted]) =>
  stage({
    cost: known(
      cost(change, { groups: [group("aws_instance", change, [resource("aws_instance.a", change)])] }),
    ),
    modules: known([moduleCost("root", change)]),
    counts: known(counts({ deleted, added: deleted })),
  }),
);

type Spoil = { readonly spoils: readonly string[]; readonly stage: StageFacts };
const EVERYTHING = ["cost", "modules", "counts", "unpriced"];
const MONEY = ["cost", "modules", "unpriced"];

/** The same stage with something about it not known, and what is spoilt by it. */
const spoilt = fc.tuple(sound, reason).chain(([good, because]) => {
  const unknown = { state: "unknown", reason: because } as const;
  const value = good.cost.state === "known" ? good.cost.value : cost("0 > 0");
  return fc.constantFrom<Spoil>(
    { spoils: EVERYTHING, stage: { ...good, proven: false } },
    { spoils: EVERYTHING, stage: { ...good, status: "failed" } },
    { spoils: EVERYTHING, stage: { ...good, status: "pending" } },
    { spoils: EVERYTHING, stage: { ...good, status: "unknown" } },
    { spoils: MONEY, stage: { ...good, cost: unknown } },
    { spoils: MONEY, stage: { ...good, cost: { state: "absent" } } },
    { spoils: MONEY, stage: { ...good, cost: { state: "stale", value, ageMs: 1 } } },
    { spoils: MONEY, stage: { ...good, cost: known({ ...value, completeness: "partial" }) } },
    { spoils: ["cost", "modules"], stage: { ...good, cost: known({ ...value, change: null }) } },
    { spoils: ["cost", "modules"], stage: { ...good, cost: known({ ...value, after: null }) } },
    {
      spoils: ["cost", "modules"],
      stage: { ...good, cost: known({ ...value, change: plus(value.change ?? ZERO, decimal("0.02")) }) },
    },
    {
      spoils: ["cost", "modules"],
      stage: { ...good, cost: known({ ...value, partsAreWhole: true, groups: [group("x", "1 > 99999")] }) },
    },
    { spoils: ["modules"], stage: { ...good, modules: unknown } },
    { spoils: ["modules"], stage: { ...good, modules: { state: "absent" } } },
    { spoils: ["counts"], stage: { ...good, counts: unknown } },
    { spoils: ["counts"], stage: { ...good, counts: { state: "absent" } } },
    { spoils: ["unpriced"], stage: { ...good, cost: known({ ...value, unpriced: null }) } },
  );
});

describe("what is not known", () => {
  test("never passes a rule that needs it, and never opens the gate", () => {
    fc.assert(
      fc.property(
        fc.array(sound, { maxLength: 3 }),
        spoilt,
        fc.nat(3),
        (others, { spoils, stage: bad }, at) => {
          const stages = [...others.slice(0, at), bad, ...others.slice(at)];
          const report = buildReport({ stages, refused: [], context: NO_CONTEXT }, { stages: [] });
          for (const { policy, name } of RULES.filter((each) => spoils.includes(each.needs))) {
            const verdict = evaluatePolicy(report, policy, { context: CONTEXT });
            expect([name, verdict.findings.some(({ outcome }) => outcome === "undecided")]).toEqual([
              name,
              true,
            ]);
            const kinds = name.startsWith("percent") ? ["undecided", "block"] : ["undecided"]; // from zero elsewhere
            expect(kinds).toContain(verdict.kind);
            expect(decideCheck({ kind: "evaluated", verdict }, NO_APPROVALS)).toEqual({
              status: "completed",
              conclusion: "failure",
            });
          }
        },
      ),
      { numRuns: casesToTry({ usual: 40, deep: 500 }) },
    );
  });
});

test("a limit is evaluated as exact arithmetic does", () => {
  const amount = fc.integer({ min: -500_000, max: 500_000 }); // in cents, as the limit is
  const above = (isAbove: boolean) => (isAbove ? "block" : "pass");
  fc.assert(
    fc.property(amount, amount, fc.nat(1_000_000), (before, after, limit) => {
      const [from, to, allowed] = [before, after, limit].map((each) => (each / 100).toFixed(2));
      const stages = [stage({ cost: known(cost(`${Number(from)} > ${Number(to)}`)) })];
      const report = buildReport({ stages, refused: [], context: NO_CONTEXT }, { stages: [] });
      const kind = (text: string) => evaluatePolicy(report, rule(text), { context: CONTEXT }).kind;
      expect(kind(`increase: ${allowed} USD`)).toBe(above(after - before > limit));
      expect(kind(`decrease: ${allowed} USD`)).toBe(above(before - after > limit));
      const ceiling = after > limit && after <= before ? "warn" : above(after > limit);
      expect(kind(`total: ${allowed} USD`)).toBe(ceiling);
      expect(kind(`percent: ${allowed}`)).toBe(above((after - before) * 10_000 > limit * Math.abs(before)));
    }),
    { numRuns: casesToTry({ usual: 50, deep: 1_000 }) },
  );
});

test.each([
  ["a CI job, which knows no other pull request", { oneShot: true }, "undecided no_history"],
  ["a local preview", { local: true }, "undecided local_preview"],
  ["an evaluation that could not read its use", {}, "undecided not_read"],
] as const)("a budget is undecided in %s", (_, pull, expected) => {
  const budget = policy("budgets: [{ id: all, amount: 10000 USD }]");
  const stages = [stage({ cost: known(cost("100 > 110")) })];
  expect(describeFindings(budget, { stages, pull: { ...pull, budgetUse: null } })).toEqual([expected]);
});
