import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, decimal, minus, sum, ZERO } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/evaluation.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import {
  changes,
  evaluation,
  finding,
  judged,
  module,
  money,
  readAmount,
  report,
  resource,
  stage,
  templates,
} from "./evaluation-builder.ts";
import { parse, tables } from "./markdown.ts";

const renderer = createRenderer(templates());
const links = { details: null, recheckHint: false };
const comment = (e: Evaluation): string => renderer.comment(e, links);

const cents = fc
  .tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }))
  .map(([n, places]) => (n / 10 ** places).toFixed(places));
const costs = fc.oneof(
  fc.tuple(cents, cents),
  cents.map((c): [string, string] => [c, c]),
  cents.map((c): [string, string] => ["0", c]),
);

/** The amounts of one column, "unknown" and "under …" as nothing; the total's row last where there is one. */
const column = (table: readonly string[][] | undefined, at: number) =>
  (table ?? []).slice(1).map((cells) => readAmount(cells[at] ?? "") ?? ZERO);

describe("what is shown adds up", () => {
  it("stages to their total, in every column", () => {
    fc.assert(
      fc.property(fc.array(costs, { minLength: 2, maxLength: 30 }), (all) => {
        const stages = all.map((amounts, index) => stage(`s${index}`, amounts));
        const [table] = tables(parse(comment(evaluation({ report: report(stages) }))));
        for (const at of [1, 2, 3]) {
          const amounts = column(table, at);
          expect(sum(amounts.slice(0, -1))).toBe(amounts.at(-1));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("modules and resources to the total's change, as the headline has it", () => {
    const part = fc.tuple(fc.integer({ min: -(10 ** 8), max: 10 ** 8 }), fc.integer({ min: 2, max: 7 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 80 }), (parts) => {
        const amounts = parts
          .map(([n, places]) => (n / 10 ** places).toFixed(places))
          .sort((a, b) => Math.abs(Number(b)) - Math.abs(Number(a)));
        fc.pre(amounts.some((amount) => Number(amount) !== 0)); // nothing at all drives nothing
        const change = sum(amounts.map(decimal));
        const before = compare(change, ZERO) < 0 ? minus(ZERO, change) : ZERO;
        const shown = tables(
          parse(
            comment(
              evaluation({
                report: report([stage("s", [before, sum([before, change])])], {
                  modules: amounts.map((amount, index) => module(`m${index}`, amount)),
                  resources: amounts.map((amount, index) => resource(`r${index}`, amount)),
                }),
              }),
            ),
          ),
        );
        const [total] = column(shown[0], 1);
        expect(shown).toHaveLength(3);
        for (const table of shown.slice(1)) expect(sum(column(table, 0))).toBe(total);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what differs reads differently", () => {
  it("a change that is not zero is never shown as zero", () => {
    const tiny = comment(evaluation({ report: report([stage("s", ["8", "8.0004"])]) }));
    expect(tiny).toContain("### ✅ Passed: +$0.0004 per month");
    expect(tiny).toContain("| `s` | +$0.0004 | $8.0000 | $8.0004 |");
    const small = report([stage("s", ["8", "13.004"])], {
      modules: [module("a", "5"), module("b", "0.003"), module("c", "0.001")],
    });
    expect(comment(evaluation({ report: small }))).toContain("| under $0.01 | 2 others |");
  });

  it("a part that changes is never shown as zero, however the lines are rounded", () => {
    const part = fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 2, max: 4 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 12 }), (parts) => {
        const amounts = parts
          .map(([n, places]) => (n / 10 ** places).toFixed(places))
          .filter((amount) => Number(amount) !== 0)
          .sort((a, b) => Math.abs(Number(b)) - Math.abs(Number(a)));
        const after = sum(["100", ...amounts].map(decimal));
        const text = comment(
          evaluation({
            report: report([stage("s", ["100", after])], {
              modules: amounts.map((amount, index) => module(`m${index}`, amount)),
              resources: amounts.map((amount, index) => resource(`r${index}`, amount)),
            }),
          }),
        );
        expect(text).not.toMatch(/^\| \$0\.0+ \| `[mr]/m);
      }),
      { numRuns: 300 },
    );
  });

  it("what was measured and what is allowed", () => {
    const over = finding("limit", { measured: { kind: "money", ...money("500.0004") } });
    const text = comment(
      evaluation({ report: report([stage("s", ["0", "500.0004"])]), situation: judged("block", [over]) }),
    );
    expect(text).toContain("**+$500.0004** per month (limit **+$500.0000**)");
  });
});

describe("figures that this repository's readers may not see", () => {
  it("are nowhere: not in the comment, the check or its title", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9_999 }), fc.integer({ min: 1_000, max: 9_999 }), (a, b) => {
        const secret = evaluation({
          pull: { figures: false },
          report: report(
            [stage("x", [`${a}`, `${a + b}`], { state: "partial", problems: [`costs ${b} dollars`] })],
            {
              modules: [module("m", `${b}`), module("n", "0")],
              resources: [resource("r", `${b}`)],
              changes: changes({ added: 3 }),
            },
          ),
          situation: judged("block", [
            finding("increase", {
              measured: { kind: "money", ...money(`${b}`) },
              limit: { kind: "increase", amount: money(`${a}`) },
            }),
            finding("total", {
              measured: { kind: "money", ...money(`${a + b}`) },
              limit: { kind: "total", amount: money(`${a}`) },
            }),
            finding("percent", {
              measured: { kind: "percent", percent: decimal(`${b}`) },
              limit: { kind: "percent", percent: decimal(`${a}`) },
            }),
          ]),
        });
        const { title, summary, text } = renderer.check(secret, links);
        const all = [comment(secret), title, summary, text ?? ""].join("\n").replaceAll(",", "");
        expect(all).not.toMatch(/[$€¤%]|USD/);
        for (const figure of [a, b, a + b]) expect(all).not.toMatch(new RegExp(`\\b${figure}\\b`));
        expect(all).toContain("**3** added");
      }),
    );
  });
});
