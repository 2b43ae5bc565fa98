import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePolicy } from "../../src/policy/file/parse.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { counts, known, moduleCost, priced, row, stage } from "../report/facts.ts";
import { casesToTry } from "../world/depth.ts";
import { describeFindings, HIDDEN, verdict } from "./evaluate-facts.ts";
import { policy } from "./policies.ts";

const DAY = Date.UTC(2027, 2, 31);
const waiver = (members: string, rule = "r") =>
  `{ rule: ${rule}, until: 2027-03-31, reason: load test, owner: finops, ${members} }`;
const rules = (rule: string, ...waivers: readonly string[]) =>
  policy(`rules: [{ id: r, ${rule} }]\nwaivers: [${waivers.join(", ")}]`);
const PROD = priced("prod-network", "0 > 800");
const STAGING = priced("staging", "0 > 100");
const ON = { nowMs: DAY };

describe("a waiver covers what is in its scope, up to its amount, where the rest is within the limit", () => {
  const RISE = "limit: { increase: 500 USD }";
  const LOW = "limit: { increase: 50 USD }";
  const DELETIONS = "limit: { deletions: 0 }";
  const IN_PROD = 'scope: { workspaces: ["prod-*"] }';
  const IN_STAGING = "scope: { workspaces: [staging] }";
  const BOTH = [PROD, STAGING];
  const deleting = (deleted: number) => [stage({ counts: known(counts({ deleted })) })];
  const costing = (change: string) => [priced("w", change)];
  test.each<[string, string, string[], StageFacts[], string]>([
    ["all of it", RISE, ["up_to: 800 USD"], [PROD], "800 USD (waived)"],
    ["too much", RISE, ["up_to: 799.99 USD"], [PROD], "800 USD"],
    ["a workspace, with nothing else", RISE, [`up_to: 800 USD, ${IN_PROD}`], [PROD], "800 USD (waived)"],
    ["a workspace, and the rest is small", RISE, [`up_to: 800 USD, ${IN_PROD}`], BOTH, "900 USD (waived)"],
    ["a workspace, and the rest is too much", LOW, [`up_to: 800 USD, ${IN_PROD}`], BOTH, "900 USD"],
    ["a workspace that is not the one", RISE, [`up_to: 9000 USD, ${IN_STAGING}`], BOTH, "900 USD"],
    [
      "two workspaces, by one exception each",
      LOW,
      [`up_to: 800 USD, ${IN_PROD}`, `up_to: 100 USD, ${IN_STAGING}`],
      BOTH,
      "900 USD (waived)",
    ],
    [
      "two workspaces, one of them too much",
      LOW,
      [`up_to: 800 USD, ${IN_PROD}`, `up_to: 99 USD, ${IN_STAGING}`],
      BOTH,
      "900 USD",
    ],
    ["a branch", RISE, ["up_to: 800 USD, scope: { branches: [main] }"], [PROD], "800 USD (waived)"],
    ["another branch", RISE, ["up_to: 800 USD, scope: { branches: [release] }"], [PROD], "800 USD"],
    ["a decrease", "limit: { decrease: 5 USD }", ["up_to: 9 USD"], costing("9 > 0"), "9 USD (waived)"],
    ["a total", "limit: { total: 5 USD }", ["up_to: 9 USD"], costing("1 > 9"), "9 USD (waived)"],
    ["a percentage", "limit: { percent: 5 }", ["up_to: 10%"], costing("100 > 110"), "10 (waived)"],
    ["too large a percentage", "limit: { percent: 5 }", ["up_to: 9%"], costing("100 > 110"), "10"],
    [
      "an increase from zero",
      "limit: { percent: 5 }",
      ["up_to: 1000000"],
      costing("0 > 1"),
      "increase_from_zero",
    ],
    ["a count", DELETIONS, ["up_to: 2"], deleting(2), "2 (waived)"],
    ["a count that is too much", DELETIONS, ["up_to: 2"], deleting(3), "3"],
    ["a count without an amount", DELETIONS, ["scope: { branches: [main] }"], deleting(3), "3 (waived)"],
    ["a condition", "when: cost.change > 5", ["scope: { branches: [main] }"], [PROD], "(waived)"],
    ["a condition that still holds for the rest", "when: cost.change > 5", [IN_PROD], BOTH, ""],
    ["a condition of one workspace", "when: cost.change > 500", [IN_PROD], BOTH, "(waived)"],
  ])("%s", (...[, rule, waivers, stages, expected]) => {
    const excepted = rules(rule, ...waivers.map((each) => waiver(each)));
    expect(describeFindings(excepted, { stages, pull: ON })).toEqual([`violated ${expected}`.trim()]);
    const kind = expected.endsWith("(waived)") ? "pass" : "block";
    expect(verdict(excepted, { stages, pull: ON }).kind).toBe(kind);
  });

  test("each stage by itself, where the rule is per stage", () => {
    const rule = rules(`${LOW}, per: stage`, waiver(`up_to: 800 USD, ${IN_PROD}`));
    expect(describeFindings(rule, { stages: [PROD, STAGING], pull: ON })).toEqual([
      "violated staging: 100 USD",
      "violated prod-network: 800 USD (waived)",
    ]);
  });

  test("modules over several stages, of which one is waived", () => {
    const both = [PROD, STAGING].map((each) => ({
      ...each,
      modules: known([moduleCost("web", each === PROD ? "0 > 800" : "0 > 100")]),
    }));
    const rule = (limit: number) =>
      rules(`limit: { increase: ${limit} USD }, per: module`, waiver(`up_to: 800 USD, ${IN_PROD}`));
    expect(describeFindings(rule(100), { stages: both, pull: ON })).toEqual([
      "violated web: 900 USD (waived)",
    ]);
    expect(describeFindings(rule(99), { stages: both, pull: ON })).toEqual(["violated web: 900 USD"]);
  });

  test("stages that share a name are not taken for one another", () => {
    const stages = [priced("prod-a", "0 > 700"), priced("prod-b", "0 > 100")];
    const named = (upTo: number) =>
      policy(`stages: [{ match: { workspace: "prod-*" }, name: Production }]
rules: [{ id: r, limit: { increase: 500 USD }, per: stage }]
waivers: [${waiver(`up_to: ${upTo} USD, scope: { workspaces: [prod-a] }`)}]`);
    expect(describeFindings(named(600), { stages, pull: ON })).toEqual(["violated prod-a: 700 USD"]);
    expect(describeFindings(named(700), { stages, pull: ON })).toEqual(["violated prod-a: 700 USD (waived)"]);
  });

  test("of more subjects than are listed, only when nothing at all is left", () => {
    const modules = Array.from({ length: 130 }, (_, at) => moduleCost(`m${at}`, `0 > ${at + 600}`));
    const total = modules.reduce((sum, { after }) => sum + Number(after), 0);
    const many = priced("prod-a", `0 > ${total}`, { modules: known(modules) });
    const rule = (upTo: number) =>
      rules("limit: { increase: 500 USD }, per: module", waiver(`up_to: ${upTo} USD`));
    const kinds = (upTo: number) => verdict(rule(upTo), { stages: [many], pull: ON }).kind;
    expect(kinds(729)).toBe("pass");
    expect(kinds(728)).toBe("block");
  });

  test("of more subjects than are listed, those that are only counted are not covered with the others", () => {
    const many = (workspace: string, name: string, [count, each]: readonly [number, number]) =>
      priced(workspace, `0 > ${count * each}`, {
        modules: known(Array.from({ length: count }, (_, at) => moduleCost(`${name}${at}`, `0 > ${each}`))),
      });
    const stages = [many("prod-a", "a", [100, 9_000]), many("prod-b", "b", [150, 600])];
    const rule = (limit: number) =>
      rules(
        `limit: { increase: ${limit} USD }, per: module`,
        waiver("up_to: 9000 USD, scope: { workspaces: [prod-a] }"),
      );
    expect(verdict(rule(600), { stages, pull: ON }).kind).toBe("pass");
    expect(verdict(rule(500), { stages, pull: ON }).kind).toBe("block");
  });
});

describe("a waiver covers nothing", () => {
  const excepted = rules("limit: { increase: 500 USD }", waiver("up_to: 900 USD"));
  test.each<[string, Partial<EvaluationContext>, string]>([
    ["on its last day, until its last moment", { nowMs: DAY + 86_399_999 }, "pass"],
    ["from the next day on, in UTC", { nowMs: DAY + 86_400_000 }, "block"],
  ])("%s", (_, pull, kind) => {
    expect(verdict(excepted, { stages: [PROD], pull }).kind).toBe(kind);
  });

  test("that is not known", () => {
    const unread = priced("execution-1", "0 > 1", {
      isUnread: true,
      cost: { state: "unknown", reason: "timed_out" },
    });
    for (const scope of ["", ", scope: { workspaces: [prod-network] }", ', scope: { workspaces: ["*"] }'])
      expect(
        verdict(rules("limit: { increase: 500 USD }, per: stage", waiver(`up_to: 900 USD${scope}`)), {
          stages: [PROD, unread],
          pull: ON,
        }).kind,
      ).toBe("undecided");
    expect(verdict(excepted, { stages: [PROD], refused: [HIDDEN], pull: ON }).kind).not.toBe("pass");
  });

  test("of parts that the rule is not known by", () => {
    const total = "rules: [{ id: r, limit: { total: 5 USD } }]";
    expect(() =>
      policy(`${total}\nwaivers: [${waiver("up_to: 9 USD, scope: { providers: [aws] }")}]`),
    ).toThrow("not known part by part");
    const deleted = stage({
      counts: known(counts({ deleted: 2 })),
      rows: known({ rows: [row("aws_db.a", "deleted")], omitted: 1, unread: 0 }),
    });
    const one = rules("limit: { deletions: 0 }", waiver("up_to: 2, scope: { providers: [aws] }"));
    expect(describeFindings(one, { stages: [deleted], pull: ON })).toEqual(["violated 2"]);
  });

  test("of a mandatory rule in a repository's file, or of a rule that there is not", () => {
    const organisation = {
      file: "org",
      text: "version: 1\nrules: [{ id: r, limit: { drift: 0 }, mandatory: true }]\nbudgets: [{ id: b, amount: 5 USD, mandatory: true }]",
    };
    const parsed = (rule: string) =>
      parsePolicy({
        organisation,
        repository: { file: "f", text: `version: 1\nwaivers: [${waiver("up_to: 5", rule)}]` },
      });
    for (const id of ["r", "b", "other"]) expect(parsed(id)).toMatchObject({ state: "invalid" });
    const own = { ...organisation, text: `${organisation.text}\nwaivers: [${waiver("up_to: 5")}]` };
    expect(parsePolicy({ organisation: own, repository: null })).toMatchObject({ state: "ok" });
  });

  test.each([
    ["a count, of a rule that is a condition now", "deletions: 0", "", "when: cost.change > 500"],
    ["a percentage, of an amount now", "percent: 10", "up_to: 900%,", "limit: { increase: 5 USD }"],
    ["a percentage, of a rule that counts now", "percent: 10", "up_to: 900%,", "limit: { deletions: 0 }"],
  ])(
    "of the organisation's own rule, where the repository's has its name: %s",
    (...[, above, upTo, below]) => {
      const organisation = `rules: [{ id: r, limit: { ${above} } }]\nwaivers: [{ rule: r, ${upTo} until: 2027-03-31, reason: x, owner: y }]`;
      const replaced = policy(`rules: [{ id: r, ${below} }]`, organisation);
      const stages = [{ ...PROD, counts: known(counts({ deleted: 3 })) }];
      expect(describeFindings(replaced, { stages, pull: { nowMs: DAY } })[0]).toMatch(/^violated/);
      expect(describeFindings(replaced, { stages, pull: { nowMs: DAY } })[0]).not.toContain("(waived)");
    },
  );

  test("except: of the same kind, it applies to the repository's rule", () => {
    const organisation = `rules: [{ id: r, limit: { deletions: 0 } }]\nwaivers: [${waiver("up_to: 3")}]`;
    const replaced = policy("rules: [{ id: r, limit: { deletions: 1 } }]", organisation);
    const stages = [{ ...PROD, counts: known(counts({ deleted: 3 })) }];
    expect(describeFindings(replaced, { stages, pull: { nowMs: DAY } })).toEqual(["violated 3 (waived)"]);
  });

  test("except: a waived finding names owner, reason and end", () => {
    const [finding] = verdict(excepted, { stages: [PROD], pull: ON }).findings;
    expect(finding?.waiver).toEqual({ owner: "finops", reason: "load test", untilMs: DAY + 86_400_000 });
  });
});

test("never more passes than the limit and the waivers allow together", () => {
  const amounts = fc.array(fc.integer({ min: -500, max: 1_000 }), { minLength: 1, maxLength: 4 });
  const excepted = fc.array(fc.tuple(fc.nat(3), fc.nat(900)), { maxLength: 3 });
  fc.assert(
    fc.property(amounts, excepted, fc.nat(500), (changes, waivers, limit) => {
      const stages = changes.map((change, at) => priced(`w${at}`, `1000 > ${1000 + change}`));
      const written = waivers.map(([at, upTo]) =>
        waiver(`up_to: ${upTo} USD, scope: { workspaces: [w${at}] }`),
      );
      const { kind } = verdict(rules(`limit: { increase: ${limit} USD }`, ...written), { stages, pull: ON });
      const total = changes.reduce((sum, change) => sum + change, 0);
      const most = waivers.reduce((sum, [, upTo]) => sum + upTo, limit);
      if (total > most) expect(kind).toBe("block");
      if (total <= limit) expect(kind).toBe("pass");
    }),
    { numRuns: casesToTry({ usual: 25, deep: 300 }) },
  );
});
