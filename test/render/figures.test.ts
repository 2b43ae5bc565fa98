import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal, sum, ZERO } from "../../src/kernel/money.ts";
import { casesToTry } from "../world/depth.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  module,
  money,
  readAmount,
  report,
  resource,
  stage,
} from "./evaluation-builder.ts";
import { NOTE, pencil, picos, read, shown, stagesAddUp } from "./exact-sums.ts";
import { parse, tables } from "./markdown.ts";
import { comment } from "./renderer.ts";

/** A line of the table of stages: before and after have as many more places as it takes to tell them apart. */
function stageLine(before: bigint, after: bigint): readonly string[] {
  let least = 2;
  while (before !== after && pencil(before, least) === pencil(after, least)) least += 1;
  return [shown(after - before, "+", least), shown(before, "", least), shown(after, "", least)];
}

const bare = (text: string): string => text.replaceAll("*", "");

/** Those that are named as they are, and in a last line all that the total holds beyond them. */
function expectLines(table: readonly (readonly string[])[], amounts: readonly bigint[], total: bigint): void {
  const lines = table.slice(1);
  const named = amounts.slice(0, lines.filter(([, label = ""]) => /^[mr]\d+$/.test(label)).length);
  const rest = named.reduce((left, own) => left - own, total);
  const last = lines.length > named.length || rest !== 0n ? [rest] : [];
  expect(lines.map(([own]) => own)).toEqual([...named, ...last].map((own) => shown(own, "+")));
}

const amount = fc
  .tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 7 }))
  .map(([digits, places]) => (digits / 10 ** places).toFixed(places));
const signed = fc.tuple(fc.boolean(), amount).map(([minus, text]) => (minus ? `-${text}` : text));

/** Of parts as large as each other it is no matter which one comes first. */
const DIFFERENT = { minLength: 2, maxLength: 60, selector: (text: string) => Math.abs(Number(text)) };

describe("each figure is its exact value, rounded once", () => {
  it("identical instances read alike, and the note says that they do not add up", () => {
    const four = [0, 1, 2, 3].map((index) => resource(`aws_instance.web[${index}]`, "-163.1849"));
    const text = comment(
      evaluation({ report: report([stage("prod", ["2500.5535", "1847.8139"])], { resources: four }) }),
    );
    expect(text.match(/−\$163\.\d+/g)).toEqual(["−$163.18", "−$163.18", "−$163.18", "−$163.18"]);
    expect(text).toContain("| −$652.74 | $2,500.55 | $1,847.81 |");
    expect(text.split(NOTE)).toHaveLength(2);
  });

  it("a module's change reads the same in the finding and in the table", () => {
    const over = finding("modules", {
      per: "module",
      subject: "web",
      measured: { kind: "money", ...money("12.9851") },
      limit: { kind: "increase", amount: money("5") },
    });
    const text = comment(
      evaluation({
        report: report([stage("prod", ["100", "112.9949"])], {
          modules: [module("web", "12.9851"), module("db", "0.0049"), module("dns", "0.0049")],
        }),
        situation: evaluatedSituation("block", [over]),
      }),
    );
    expect(text.match(/\+\$1[\d.]+/g)).toEqual(["+$12.99", "+$12.99", "+$12.99", "+$12.99"]);
    expect(text).toContain("| +$12.99 | `web` |");
  });

  it("an amount is rounded at its currency's own digits", () => {
    const inCurrency = (currency: string): string =>
      comment(evaluation({ report: report([stage("s", ["1000.5555", "2000.5"], { currency })]) }));
    expect(inCurrency("JPY")).toContain("| +¥1,000 | ¥1,001 | ¥2,001 |");
    expect(inCurrency("BHD")).toContain("| +BHD\u00a0999.945 | BHD\u00a01,000.556 | BHD\u00a02,000.500 |");
    expect(inCurrency("EUR")).toContain("| +€999.94 | €1,000.56 | €2,000.50 |");
  });

  it("stages: as a person with a pencil rounds them, with a note exactly where they do not add up", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 12 }), (all) => {
        const text = comment(
          evaluation({ report: report(all.map((costs, index) => stage(`s${index}`, costs))) }),
        );
        const [table = []] = tables(parse(text));
        const rows = table.slice(1).map((cells) => cells.slice(1).map(bare));
        const exact = all.map(([before, after]) => [picos(before), picos(after)] as const);
        const total = exact.reduce(([b, a], [before, after]) => [b + before, a + after], [0n, 0n]);
        const lines = all.length === 1 ? exact : [...exact, total];
        expect(rows).toEqual(lines.map(([before, after]) => stageLine(before, after)));
        expect(text.includes(NOTE)).toBe(!stagesAddUp(table));
      }),
      { numRuns: casesToTry({ usual: 16, deep: 200 }) },
    );
  });

  it("modules and resources: the same, with what is not listed in a line of its own", () => {
    fc.assert(
      fc.property(fc.uniqueArray(signed, DIFFERENT), signed, (parts, untied) => {
        const amounts = parts
          .filter((text) => Number(text) !== 0)
          .sort((a, b) => Math.abs(Number(b)) - Math.abs(Number(a)));
        fc.pre(amounts.length > 1);
        const change = sum([...amounts, untied].map(decimal));
        const before = "1000000000000";
        const text = comment(
          evaluation({
            report: report([stage("s", [before, sum([decimal(before), change])])], {
              modules: amounts.map((own, index) => module(`m${index}`, own)),
              resources: amounts.map((own, index) => resource(`r${index}`, own)),
            }),
          }),
        );
        const [stages = [], ...driven] = tables(parse(text));
        expect(driven).toHaveLength(2);
        for (const table of driven) expectLines(table, amounts.map(picos), picos(change));
        const total = read(stages[1]?.[1]);
        const missed = driven.some(
          (table) => table.slice(1).reduce((all, [own]) => all + read(own), 0n) !== total,
        );
        expect(text.split(NOTE)).toHaveLength(missed || !stagesAddUp(stages) ? 2 : 1);
      }),
      { numRuns: casesToTry({ usual: 8, deep: 100 }) },
    );
  });

  it("a percentage is rounded once, from the amounts", () => {
    // 31.649 % is 31.65 %, and would be 31.7 % if that were rounded again.
    const text = comment(evaluation({ report: report([stage("s", ["1000", "1316.49"])]) }));
    expect(text).toContain("+$316.49 per month (+31.65%)");
  });
});

describe("two amounts that differ and are compared", () => {
  it("read differently, however close they are", () => {
    fc.assert(
      fc.property(amount, fc.constantFrom("0.000001", "0.004", "0.0049999", "0.01"), (limit, more) => {
        const measured = sum([decimal(limit), decimal(more)]);
        const over = finding("limit", {
          measured: { kind: "money", ...money(measured) },
          limit: { kind: "increase", amount: money(limit) },
        });
        const text = comment(
          evaluation({
            report: report([stage("s", ["0", measured])]),
            situation: evaluatedSituation("block", [over]),
          }),
        );
        const [, found = "", allowed = ""] =
          /\*\*(\S+)\*\* per month \(limit \*\*(\S+)\*\*\)/.exec(text) ?? [];
        expect(found).not.toBe(allowed);
        expect([readAmount(found), readAmount(allowed)]).not.toContain(null);
        expect(found.replace("+", "")).toBe(shown(picos(measured), "", found.split(".")[1]?.length));
        expect(decimal(limit) === ZERO || allowed !== "$0.00").toBe(true);
      }),
      { numRuns: casesToTry({ usual: 25, deep: 300 }) },
    );
  });

  it("a change that is not zero never reads as zero, nor before as after", () => {
    const text = comment(evaluation({ report: report([stage("s", ["1847.8137", "1847.8142"])]) }));
    expect(text).toContain("### ✅ Passed: +$0.001 per month");
    expect(text).toContain("| `s` | +$0.0005 | $1,847.8137 | $1,847.8142 |");
  });
});
